"""The lexicon: which words and phrases mean what, for one ruleset and one language.

Phrases lie in a trie over folded tokens; the longest phrase at a place wins. A word may mean several things
at once (`fuerza`: an ability and a damage type): the grammar chooses by what stands around it.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
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


@dataclass(slots=True, eq=False)
class Lexicon:
    """The trie of a ruleset and a language, with a memory of the words that were looked up."""

    vocabulary: Vocabulary
    ruleset: Ruleset
    root: Node
    seen: dict[str, Node | None] = field(default_factory=dict[str, Node | None])

    def node(self, written: str) -> Node | None:
        """Return the trie's first step for a word as written, or None where no phrase begins with it."""
        try:
            return self.seen[written]
        except KeyError:
            if len(self.seen) > MOST_WORDS_KEPT:
                self.seen.clear()
            node = self.seen[written] = self.root.after.get(fold_word(written))
            return node


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
    return Lexicon(words, ruleset, root)
