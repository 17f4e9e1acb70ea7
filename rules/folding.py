"""Words made comparable: case, accents, punctuation and white space away."""

import re
import unicodedata

_WORDS = re.compile(r"[^\W_]+")


def fold_word(word: str) -> str:
    """Return a word in lower case without accents (`Percepción` → `percepcion`)."""
    if word.isascii():
        return word.lower()
    parts = unicodedata.normalize("NFKD", word.casefold())
    return "".join(c for c in parts if not unicodedata.combining(c)).replace("’", "'")


def split_words(text: str) -> tuple[str, ...]:
    """Return the folded words of a text; punctuation and hyphens only part them."""
    return tuple(_WORDS.findall(fold_word(text)))


def fold_words(text: str) -> str:
    """Return the folded words of a text, joined by single spaces."""
    return " ".join(split_words(text))
