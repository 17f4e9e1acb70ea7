"""Words made from one stem: an adjective and its noun (`nácar`, `nacarada`; `gold`, `golden`)."""

from functools import cache

from rules.checks import lexicon

_SHORTEST = 3
"""Letters that a stem must have."""


def is_derived(word: str, other: str, language: str) -> bool:
    """Tell whether one of two folded words is the adjective of the other, by the language's endings."""
    return _is_made_of(word, other, language) or _is_made_of(other, word, language)


def _is_made_of(adjective: str, noun: str, language: str) -> bool:
    stems = (adjective[: -len(e)] for e in _endings(language) if adjective.endswith(e))
    # A noun may lose its last letter before the ending: `plata`, `plateada`.
    return any(len(s) >= _SHORTEST and (noun == s or noun[:-1] == s) for s in stems)


@cache
def _endings(language: str) -> tuple[str, ...]:
    return lexicon.word_list("adjective_endings", language)
