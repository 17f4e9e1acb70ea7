"""What a player's words say of a blow: to kill, or to spare. The words are data, per language."""

from functools import cache
from typing import Literal

from rules.folding import split_words
from rules.wording import texts

Meaning = Literal["kill", "spare", ""]
NEGATION_REACHES = 3
"""Words that may stand between a negation and what it denies."""


def meaning_of(words: str, language: str) -> Meaning:
    """Return what the words mean; a wish to kill outweighs how the blow is told, a denied one spares.

    Source: Combate, Golpe no letal.
    """
    tokens = split_words(words)
    kills, spares, negations, _ = _lists(language)
    killing = [i for i, token in enumerate(tokens) if _is(token, kills, language)]
    denied = [i for i in killing if negations & set(tokens[max(0, i - NEGATION_REACHES) : i])]
    if len(killing) > len(denied):
        return "kill"
    if denied or any(_is(token, spares, language) for token in tokens):
        return "spare"
    return ""


def _is(token: str, known: frozenset[str], language: str) -> bool:
    if token in known:
        return True
    pronouns = _lists(language)[3]
    return any(token.endswith(p) and token[: -len(p)] in known for p in pronouns)


@cache
def _lists(language: str) -> tuple[frozenset[str], frozenset[str], frozenset[str], tuple[str, ...]]:
    words = texts(language, "fights")["meaning"]
    kill, spare, deny = (
        frozenset(split_words(" ".join(words[key]))) for key in ("kill", "spare", "negations")
    )
    return kill, spare, deny, tuple(words["pronouns"])
