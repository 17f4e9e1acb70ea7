"""Where a text names somebody, and what stands around the name."""

from collections.abc import Iterable, Sequence

from agents.embedded.outline import deed_words, fold_tokens

REACH_OF_A_VERB = 8
REACH_OF_AN_ATTACK = 5
REACH_OF_A_TURN = 3
_REACH_OF_A_NAME = 2
_LETTERS_OF_A_MENTION = 4
_LETTERS_OF_A_STEM = 6


def _stems(words: Iterable[str]) -> set[str]:
    return {word[:_LETTERS_OF_A_STEM] for word in words if len(word) >= _LETTERS_OF_A_MENTION}


def mentions(name: str, tokens: Iterable[str]) -> bool:
    """Tell whether words name somebody: by the first telling word, endings left out, or by a further name."""
    known = set(tokens)
    words = [word for word in fold_tokens(name) if len(word) >= _LETTERS_OF_A_MENTION]
    named = [word.casefold() for word in name.split()[1:] if word[:1].isupper()]
    first = bool(words) and words[0][:_LETTERS_OF_A_STEM] in _stems(known)
    short = not words and bool(known & set(fold_tokens(name)))  # Pim, Nix: a whole name of three letters
    return first or short or any(word in known for word in named)


def is_addressed(name: str, goal: str, language: str) -> bool:
    """Tell whether an objective addresses somebody: `ante el juez`, `convince the duke`."""
    tokens = fold_tokens(goal)
    addressing = set(deed_words(language)["addressing"].split())
    places = (i for i, token in enumerate(tokens) if mentions(name, [token]))
    return any(addressing & set(tokens[max(0, i - _REACH_OF_A_NAME) : i]) for i in places)


def first_mention(name: str, text: str) -> int:
    """Return the place, in words, of the first that names somebody; the number of words where none does."""
    tokens = fold_tokens(text)
    return next((i for i, token in enumerate(tokens) if mentions(name, [token])), len(tokens))


def is_after_a_verb(
    name: str, tokens: Sequence[str], verbs: frozenset[str], stops: frozenset[str] = frozenset()
) -> bool:
    """Tell whether a name stands soon after one of the verbs, before a word that turns the sentence."""
    for i in (i for i, token in enumerate(tokens) if token in verbs):
        near = tokens[i + 1 : i + REACH_OF_A_VERB]
        end = next((k for k, token in enumerate(near) if token in stops), len(near))
        if mentions(name, near[:end]):
            return True
    return False


def is_before_a_verb(name: str, tokens: Sequence[str], verbs: frozenset[str]) -> bool:
    """Tell whether a name stands shortly before one of the verbs."""
    places = [i for i, token in enumerate(tokens) if token in verbs]
    return any(mentions(name, tokens[max(0, i - REACH_OF_AN_ATTACK) : i]) for i in places)


def holds_phrase(tokens: Sequence[str], phrases: Iterable[str]) -> bool:
    """Tell whether words hold one of some phrases."""
    told = f" {' '.join(tokens)} "
    return any(f" {phrase} " in told for phrase in phrases)


def sentences_of(text: str) -> list[list[str]]:
    """Return the words of each part of a text that ends with a mark."""
    marked = "".join("\n" if char in ".;:!?" else char for char in text)
    return [fold_tokens(line) for line in marked.split("\n") if line.strip()]
