"""The lexicon: which words and phrases mean what, for one ruleset and one language.

Phrases lie in a trie over folded tokens; the longest phrase at a place wins. A word may mean several things
at once (`fuerza`: an ability and a damage type): the grammar chooses by what stands around it.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from typing import NamedTuple

from rules.claims.model import Status
from rules.claims.tokens import LINE, STOP, tokens
from rules.claims.vocabulary import Vocabulary, vocabulary
from rules.folding import fold_word
from rules.ruleset import Kind, Ruleset

MOST_WORDS_KEPT = 50_000
"""Size at which the memory of folded words is emptied."""

KIND_TAGS: Mapping[Kind, str] = {
    "ability": "ability",
    "skill": "skill",
    "condition": "condition",
    "damage_type": "damage_type",
    "cover": "cover",
    "action": "action",
    "term": "term",
    "sense": "sense",
    "unit": "unit",
    "spell": "spell_name",
}


class Meaning(NamedTuple):
    """What a phrase means under one tag."""

    id: str | None = None
    status: Status = "canonical"
    everyday: bool = False
    """Plain narration uses the phrase too."""
    short: bool = False
    """It is an abbreviation."""


Tags = dict[str, Meaning]


@dataclass(slots=True)
class Node:
    """A place in the trie."""

    tags: Tags | None = None
    """Meanings of the phrase that ends here."""
    after: dict[str, "Node"] = field(default_factory=dict[str, "Node"])
    number: int | None = None
    """Value of a number word."""
    alone: Tags | None = None
    """Meanings where no longer phrase and no number begins with the word; set at its first look-up."""


class FirstSteps(dict[str, Node | None]):
    """The trie's first step by word as written; None where no phrase begins with it. Fills itself."""

    def __init__(self, root: Node) -> None:
        """Begin with nothing known."""
        super().__init__()
        self._root = root

    def __missing__(self, written: str) -> Node | None:
        if len(self) > MOST_WORDS_KEPT:
            self.clear()
        node = self._root.after.get(fold_word(written))
        if node is not None and written.islower():
            node = _without_short_homonyms(node)
        self[written] = node
        if node is not None and not node.after and node.number is None:
            node.alone = node.tags
        return node


def _without_short_homonyms(node: Node) -> Node:
    """Return the node of a word in small letters: `con` is a preposition, `CON` an ability."""
    tags = node.tags or {}
    kept = {tag: meaning for tag, meaning in tags.items() if not (meaning.short and tag == "ability")}
    return node if not kept or len(kept) == len(tags) else replace(node, tags=kept)


@dataclass(slots=True, eq=False)
class Lexicon:
    """The trie of a ruleset and a language."""

    vocabulary: Vocabulary
    ruleset: Ruleset
    root: Node
    first: FirstSteps


def phrase_keys(phrase: str) -> tuple[str, ...]:
    """Return the folded tokens of a phrase, stops left out."""
    kept = (t for t in tokens(phrase) if t[0] not in (STOP, LINE))
    return tuple(fold_word(phrase[start:end]) for _, start, end in kept)


def _add(root: Node, phrase: str, tag: str, meaning: Meaning) -> None:
    node = root
    for key in phrase_keys(phrase):
        node = node.after.setdefault(key, Node())
    if node is not root:
        node.tags = node.tags if node.tags is not None else {}
        # The first meaning under a tag wins: canonical words are added before known errors.
        node.tags.setdefault(tag, meaning)


def _ruleset_words(ruleset: Ruleset, language: str) -> Iterator[tuple[str, str, Meaning]]:
    for kind, tag in KIND_TAGS.items():
        entries = ruleset.entries(kind)
        ranked = sorted(ruleset.forms(kind, language), key=lambda form: form[2] == "wrong")
        for text, key, status, everyday in ranked:
            short = text in entries[key].names[language].abbr
            meaning = Meaning(key, status, everyday, short)
            yield text, tag, meaning
            if kind == "term":
                yield text, f"t.{key}", meaning
        for text in ruleset.rejected.get(kind, {}).get(language, ()):
            yield text, tag, Meaning(None, "unknown")


def _vocabulary_words(words: Vocabulary) -> Iterator[tuple[str, str, Meaning]]:
    for tag, phrases in words.groups.items():
        yield from ((phrase, tag, Meaning()) for phrase in phrases)
    for tag, groups in (
        ("crit", words.crits),
        ("shape_after", words.shapes_after),
        ("shape_before", words.shapes_before),
    ):
        for key, phrases in groups.items():
            yield from ((phrase, tag, Meaning(key)) for phrase in phrases)
    yield from ((word, "natural", Meaning()) for word in words.natural)


def _add_numbers(root: Node, words: Vocabulary) -> None:
    for word, value in words.numbers.items():
        weak = word in words.articles_as_numbers
        _add(root, word, "number", Meaning("weak" if weak else "word"))
        node = root.after[fold_word(word)]
        node.number = value


@cache
def lexicon(ruleset: Ruleset, language: str) -> Lexicon:
    """Return the lexicon of a ruleset in a language; the same object every time.

    Raises:
        UnknownLanguageError: there are no words for the language.
    """
    words = vocabulary(language)
    root = Node()
    for text, tag, meaning in _ruleset_words(ruleset, language):
        _add(root, text, tag, meaning)
    for text, tag, meaning in _vocabulary_words(words):
        _add(root, text, tag, meaning)
    _add_numbers(root, words)
    return Lexicon(words, ruleset, root, FirstSteps(root))
