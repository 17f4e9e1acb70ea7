"""What the language modules share: noun phrases with their cases, and careful cutting of untrusted text."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from agents.embedded.loading import LEXICON, load_yaml

_INNER = frozenset("'’-")
_SENTENCE_ENDS = ".!?…;\n"
_PRIVATE = 0xE000
_MOST_ASIDES = 200
_OPENERS = {"(": ")", "[": "]", "{": "}"}


@dataclass(frozen=True, slots=True)
class Noun:
    """A noun phrase in the forms that templates need, each with its article and preposition."""

    the: str
    """`el salón` / `the hall`."""
    at: str
    """Place where: `en el salón` / `in the hall`."""
    of: str
    to: str
    plural: bool = False
    """Its verb would be plural: never a subject."""
    proper: bool = False
    """A name that takes no article (`Xylanth`)."""
    head: str = ""
    """The noun that carries it, in lower case."""


class Grammar(Protocol):
    """What the engine asks of a language."""

    language: str

    def noun(self, text: str) -> Noun | None:
        """Read the outline's words for a place or a thing; None where they are no plain noun phrase."""
        ...

    def place(self, text: str) -> Noun | None:
        """Read the outline's words for a place, also one told by a preposition (`bajo el puente`)."""
        ...

    def mentioned_place(self, text: str) -> Noun | None:
        """Return the first place that a sentence names with its article (`la huida del salón`), if any."""
        ...

    def name(self, text: str, count: int) -> Noun | None:
        """Read a name of the cast; a group becomes a singular (`la patrulla de guardias`)."""
        ...

    def goal(self, text: str) -> str | None:
        """Read an objective as a bare infinitive clause; None where it is none."""
        ...

    def is_infinitive(self, word: str) -> bool:
        """Tell whether a word is a verb in the form that objectives begin with."""
        ...

    def handled(self, goal: str) -> Noun | None:
        """Return the thing that a goal is about (`la gema`), None where it names none."""
        ...

    def thing(self, text: str) -> Noun | None:
        """Read the name of an item, with the article that it takes in a sentence."""
        ...

    def tactics(self, text: str) -> tuple[Noun, ...]:
        """Read the tactical elements that can be touched."""
        ...

    def listing(self, names: Sequence[str]) -> str:
        """Join names into an enumeration."""
        ...

    def alternatives(self, options: Sequence[str]) -> str:
        """Join options with the word for *or*."""
        ...

    def fixed(self, phrase: str) -> Noun:
        """Return the forms of a phrase of our own data that has its article (`lo que acecha`)."""
        ...


def words_of(value: Any) -> frozenset[str]:
    """Return the words of a lexicon entry: a list, or one string of words."""
    return frozenset(value.split() if isinstance(value, str) else map(str, value))


def load_nouns(language: str) -> dict[str, frozenset[str]]:
    """Return the noun lexicon of a language, each entry as a set of lower-case words."""
    data: dict[str, Any] = load_yaml(LEXICON / language / "nouns.yaml")
    return {key: words_of(value) for key, value in data.items()}


def without_brackets(text: str) -> str:
    """Return the text without what stands in brackets of any kind."""
    out: list[str] = []
    closing: list[str] = []
    for char in text:
        if char in _OPENERS:
            closing.append(_OPENERS[char])
        elif closing and char == closing[-1]:
            closing.pop()
        elif not closing:
            out.append(char)
    return "".join(out)


def set_aside(text: str) -> tuple[str, dict[str, str]]:
    """Replace what stands in brackets, brackets and all, by a letter of no alphabet; return both."""
    out: list[str] = []
    asides: dict[str, str] = {}
    rest = text
    while rest and len(asides) < _MOST_ASIDES:
        before, opening, after = rest.partition("(")
        inside, closing, rest_after = after.partition(")")
        if not closing:
            break
        mark = chr(_PRIVATE + len(asides))
        asides[mark] = f"{opening}{inside}{closing}"
        out += [before, mark]
        rest = rest_after
    return "".join([*out, rest]), asides


def put_back(text: str, asides: Mapping[str, str]) -> str:
    """Return a text with what was set aside in its place."""
    return "".join(asides.get(char, char) for char in text)


def group_word(language: str, head: str) -> str:
    """Return the word for a group by what its members are (`la manada`), with its article."""
    data: Any = load_yaml(LEXICON / language / "groups.yaml")
    return next((g["word"] for g in data["groups"] if head in g["members"].split()), data["band"])


def first_sentence(text: str) -> str:
    """Return the text up to its first sentence end, without what stands in brackets."""
    return " ".join(cut_at(without_brackets(text).strip(), _SENTENCE_ENDS).split())


def is_word(token: str) -> bool:
    """Tell whether a token is letters alone; hyphens and apostrophes inside and quotes around are allowed."""
    token = token.strip("«»“”")
    return (
        bool(token)
        and token[0].isalpha()
        and token[-1].isalpha()
        and all(char.isalpha() or char in _INNER for char in token)
    )


def plain_words(text: str) -> list[str] | None:
    """Return the words of a phrase that is nothing but words, else None."""
    tokens = text.strip(" .,:;!?¡¿\"'—–-").split()
    return tokens if tokens and all(map(is_word, tokens)) else None


def phrases(text: str, joint: str) -> list[str]:
    """Cut an enumeration into its items: what follows a colon, parted by commas and the joint (` y `).

    Where semicolons part the items, what follows a comma is said of one (`the slot, nailed shut`).
    """
    pieces: list[str] = []
    plain = without_brackets(text)
    for sentence in plain.replace("\n", ";").replace(".", ";").split(";"):
        _, colon, after = sentence.partition(":")
        items = (after if colon else sentence).split(",")
        for item in items[:1] if ";" in plain else items:
            pieces += item.strip(" -*•").split(joint)
    return [" ".join(piece.split()) for piece in pieces]


def cut_at(text: str, marks: str) -> str:
    """Return the text before the first of some characters."""
    ends = [position for mark in marks if (position := text.find(mark)) > 0]
    return text[: min(ends)] if ends else text


def until(tokens: Sequence[str], stops: Iterable[str]) -> list[str]:
    """Return the tokens before the first one that is a stop word."""
    stop_words = frozenset(stops)
    out: list[str] = []
    for token in tokens:
        if out and token.lower() in stop_words:
            break
        out.append(token)
    return out


def lower_first(text: str) -> str:
    """Return the text with a small first letter."""
    return text[:1].lower() + text[1:]


def upper_first(text: str) -> str:
    """Return the text with a capital first letter."""
    return text[:1].upper() + text[1:]


def enumerate_names(names: Sequence[str], joint: str) -> str:
    """Join names with commas and a joint before the last."""
    return f"{', '.join(names[:-1])}{joint}{names[-1]}" if len(names) > 1 else "".join(names)


def after_party(tokens: Sequence[str], nouns: dict[str, frozenset[str]]) -> list[str] | None:
    """Return what stands after `los personajes deben` and the like; None where it does not begin so."""
    low = [token.lower().strip(",") for token in tokens]
    if not any(token in nouns["party"] for token in low[:3]):
        return None
    for i, token in enumerate(low[:8]):
        if token in nouns["must"]:
            rest = list(tokens[i + 1 :])
            return rest[1:] if rest and rest[0].lower() in nouns["must_links"] else rest
    return None
