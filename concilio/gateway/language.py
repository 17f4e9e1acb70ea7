"""Is a reply in the adventure's language? Judged only where there is enough text to tell."""

import re
import threading
import tomllib
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, Protocol, cast

from concilio.domain.base import Language
from concilio.gateway.errors import ReplyInvalid
from concilio.gateway.structured import find_json

CANDIDATES = ("es", "en", "fr", "pt", "it", "de")
"""Languages that are told apart: with all of the library's, short texts are taken for rare ones."""
FEWEST_WORDS = 12
"""Words that are judged at least: with fewer, a plain `accept` with a name is taken for anything."""
LONGEST = 2_000
"""Characters that are judged; more adds nothing but time."""
SURE = 0.98
"""Probability, 0 to 1, at which another language is taken as found."""

PLAIN = 0.08
"""Share of the words, 0 to 1, that are small words which no other language has."""
STRAY = 0.01
"""Share of another language's small words that a name or a quotation may bring in."""

_WORD = re.compile(r"[^\W\d_]+")
_MARKUP = re.compile(r"`[^`\n]*`|\[\[[^\]\n]{0,40}\]\]|[#*_>|`\d]+|https?://\S+")
_PROSE = re.compile(r"\S+\s+\S+\s+\S+")
_loading = threading.Lock()


class _Identifier(Protocol):
    def set_languages(self, langs: list[str]) -> None: ...

    def classify(self, instance: str) -> tuple[str, float]: ...


@cache
def _identifier() -> _Identifier:
    from py3langid import langid  # numpy and a model: 0.5 s

    library: Any = langid
    identifier = library.LanguageIdentifier.from_model_file(library.MODEL_FILE, norm_probs=True)
    identifier.set_languages(list(CANDIDATES))
    return cast(_Identifier, identifier)


def start_loading() -> None:
    """Begin to load the model in a thread, so that it is there when the first reply is."""
    if not is_loaded():
        threading.Thread(target=_load_quietly, name="concilio-language", daemon=True).start()


def _load_quietly() -> None:
    """Load the model; where it cannot be loaded, whoever needs it is told, not the terminal from a thread."""
    with suppress(Exception):
        load()


def load() -> None:
    """Load the model; returns when it is there."""
    with _loading:
        _identifier()


def is_loaded() -> bool:
    """Tell whether judging a text needs no loading."""
    return _identifier.cache_info().currsize > 0


def is_other_language(text: str, expected: Language) -> bool:
    """Tell whether a reply is surely in another language than the expected one; short texts never are."""
    sample = " ".join(_MARKUP.sub(" ", _judged(text)).split())[:LONGEST]
    if len(sample.split()) < FEWEST_WORDS or is_plainly(sample, expected):
        return False
    with _loading:
        found, probability = _identifier().classify(sample)
    return found != expected and float(probability) >= SURE


def is_plainly(text: str, language: Language) -> bool:
    """Tell whether the small words of a text are those of one language and of no other that we write.

    It only spares the model's judgement: a text that is not plainly anything is no worse for it.
    """
    words = _WORD.findall(text.lower())
    known = _small_words()
    shares = {
        name: sum(word in small for word in words) / max(1, len(words)) for name, small in known.items()
    }
    own = shares.pop(language)
    return own >= PLAIN and all(other <= STRAY for other in shares.values())


@cache
def _small_words() -> dict[str, frozenset[str]]:
    words = tomllib.loads(Path(__file__).with_name("small_words.toml").read_text(encoding="utf-8"))
    return {language: frozenset(found) for language, found in words.items()}


def _judged(text: str) -> str:
    """Return what of a reply is language: the values of its JSON, else all of it."""
    try:
        found = find_json(text)
    except ReplyInvalid:
        return text
    if found is None or (found.end - found.start) * 2 < len(text):
        return text
    values: list[str] = []
    _collect(found.value, values)
    return " ".join(value for value in values if _PROSE.search(value))


def _collect(value: Any, into: list[str]) -> None:
    if isinstance(value, str):
        into.append(value)
    elif isinstance(value, dict):
        for item in value.values():  # pyright: ignore[reportUnknownVariableType]
            _collect(item, into)
    elif isinstance(value, list):
        for item in value:  # pyright: ignore[reportUnknownVariableType]
            _collect(item, into)
