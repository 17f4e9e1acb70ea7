"""The words around dice, of all languages at once: data in `rules/texts/<language>/dice.toml`."""

from collections.abc import Mapping
from functools import cache
from typing import cast

from rules.folding import split_words
from rules.wording import LANGUAGES, texts

ROLES = (
    "plus",
    "minus",
    "times",
    "advantage",
    "disadvantage",
    "keep",
    "drop",
    "high",
    "low",
    "half",
    "double",
    "explode",
    "filler",
)


@cache
def roles() -> Mapping[str, frozenset[str]]:
    """Return the roles of each folded word; some have two (`más` adds, and stands before `altos`)."""
    found: dict[str, set[str]] = {}
    for language in LANGUAGES:
        words = texts(language, "dice")
        for role in ROLES:
            for word in cast("list[str]", words[role]):
                found.setdefault(word, set()).add(role)
    return {word: frozenset(kinds) for word, kinds in found.items()}


@cache
def numbers() -> Mapping[str, int]:
    """Return the small numbers that are written as words."""
    return {word: n for language in LANGUAGES for word, n in texts(language, "dice")["numbers"].items()}


@cache
def named(table: str) -> Mapping[str, str]:
    """Return what each word of a table (`side`, `takes`) stands for."""
    return {
        word: name
        for language in LANGUAGES
        for name, words in texts(language, "dice")[table].items()
        for word in words
    }


def unsupported(text: str) -> str:
    """Return the kind of dice that a word or sign asks for and that are not computed; empty for any other."""
    folded = " ".join(split_words(text)) or text.strip()
    for kind, words in ((k, w) for each in LANGUAGES for k, w in texts(each, "dice")["unsupported"].items()):
        if folded in words:
            return str(kind)
    return ""


@cache
def damage_words() -> frozenset[str]:
    """Return the words of the damage types, which say what the dice are for and change no number."""
    from rules.ruleset import load_ruleset  # here: only some texts need it

    entries = load_ruleset().entries("damage_type").values()
    names = [n for entry in entries for n in entry.names.values()]
    return frozenset(word for n in names for name in (n.word, *n.also, *n.abbr) for word in split_words(name))
