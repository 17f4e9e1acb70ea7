"""The labels of an outline: what is one, what it stands for, and what its text says in figures."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache

from rapidfuzz import fuzz, process

from concilio.adventure.slips import slip_of
from concilio.adventure.words import fold, listed, numbers, table, words_of
from concilio.catalogue import LANGUAGES

MAX_LABEL_CHARACTERS = 70
MAX_LABEL_WORDS = 9
_WEAK_LABEL_WORDS = 5
_SLIP = 90
"""Similarity, 0 to 100, from which an unknown label is a known one with a slip of the pen."""
_SHORTEST_SLIP = 6
_LEAST_CAPITALS = 3
_MOST_SCENES = 40
_CONSEQUENCES_CHARACTERS = 20_000
_COLON = re.compile(r"[:：](?=[\s*_]|$)")
_DASH = re.compile(r"\s[—–-]\s")
_EMPHASIS = "*_ "
_NO_LABEL = re.compile(r"[<>{}\[\]|!?¡¿;\"«“]")
_NEGATIVE = re.compile(r"(?:\D*\s)?[-−](\d{1,6})")
"""A minus directly before the first figure, and nothing directly before the minus."""
_TOKEN = re.compile(r"\d{1,6}|[^\W\d_]+|[-–—/]")
_WORD = re.compile(r"[^\W\d_]{4,40}")
_KIND_CHARACTERS = 60
"""Of a dominant type: what goes on longer is prose, and its words are its own."""
MARKER = re.compile(r"(?P<bullet>[-*+•–—‣▪●])(?=\s)\s*|(?P<number>\d{1,3}[.)]|[a-zA-Z]\))(?=\s)\s*")
"""What begins an item of a list."""


@dataclass(frozen=True, slots=True)
class Label:
    """The labelled start of a line."""

    text: str
    """As written, without emphasis and colon."""
    key: str
    """What it stands for (`place`, `scenes`, …); empty where it is not known."""
    rest: str
    """What stands after the colon."""
    certain: bool
    """Known, in capitals or in bold: a label wherever it stands. Others are labels only in lists of them."""


def label_of(content: str) -> Label | None:
    """Return the label with which a line without its list marker begins, or None."""
    head = content[: MAX_LABEL_CHARACTERS + 10]
    colon = _COLON.search(head)
    if colon:
        return _labelled(content, colon.start(), colon.end())
    dash = _DASH.search(head)
    if dash and label_key(_bare(content[: dash.start()])):
        return _labelled(content, dash.start(), dash.end())
    return None


def lone_label(content: str) -> Label | None:
    """Return the known label that a whole line in capitals or in bold is, without a colon; else None."""
    text = _bare(content[: MAX_LABEL_CHARACTERS + 1])
    stands_out = _in_capitals(text) or content.startswith(("**", "__"))
    known = table("labels").get(fold(text)) if stands_out and len(content) <= MAX_LABEL_CHARACTERS else None
    return Label(text, known[0].key, "", True) if known else None


def _labelled(content: str, end: int, start: int) -> Label | None:
    text, rest = _bare(content[:end]), content[start:]
    if not text or len(text) > MAX_LABEL_CHARACTERS or _NO_LABEL.search(text):
        return None
    words = len(text.split())
    bold = content.startswith(("**", "__"))
    key = label_key(text)
    certain = bool(key) or ((bold or _in_capitals(text)) and words <= MAX_LABEL_WORDS)
    if not certain and (words > _WEAK_LABEL_WORDS or not any(c.isalpha() for c in text)):
        return None
    return Label(text, key, _without_closing(rest) if bold else rest.strip(), certain)


def _bare(text: str) -> str:
    return " ".join(text.strip(_EMPHASIS).split())


def _without_closing(rest: str) -> str:
    for mark in ("**", "__"):
        if rest.startswith(mark):
            return rest[len(mark) :].strip()
    return rest.strip()


def _in_capitals(text: str) -> bool:
    outside = text.partition("(")[0]
    return outside.isupper() and sum(c.isalpha() for c in outside) >= _LEAST_CAPITALS


@cache
def _label_words() -> tuple[str, ...]:
    return tuple(word for word in table("labels") if len(word) >= _SHORTEST_SLIP)


@lru_cache(maxsize=4096)
def label_key(text: str) -> str:
    """Return what a label stands for (`place`), or empty; what follows it in brackets does not matter."""
    folded = fold(text.partition("(")[0])
    known = table("labels")
    if folded in known:
        return known[folded][0].key
    if len(folded) < _SHORTEST_SLIP:
        return ""
    best = process.extractOne(folded, _label_words(), scorer=fuzz.ratio, score_cutoff=_SLIP)
    return known[best[0]][0].key if best else ""


def misspelt_label(text: str) -> str | None:
    """Return the label, as we write it, that an unknown one is with a slip of the pen; else None."""
    bare = text.partition("(")[0]
    right = slip_of(bare, table("labels"))
    if right is None:
        return None
    known = table("labels")[right][0]
    return str(next(w for w in words_of(known.language)["labels"][known.key] if fold(str(w)) == right))


def misspelt_kinds(text: str) -> Iterator[tuple[str, str]]:
    """Yield each word of a dominant type that is a misspelt kind of scene, and the right one."""
    kinds = _kinds()
    for word in _WORD.findall(text[:_KIND_CHARACTERS]):
        right = slip_of(word, kinds)
        if right is not None:
            yield word, kinds[right]


@cache
def _kinds() -> dict[str, str]:
    """Return the kinds of scenes of all languages: folded to as they are written."""
    return {fold(word): word for language in LANGUAGES for word in words_of(language)["kinds"]}


def label_languages(text: str) -> tuple[str, ...]:
    """Return the languages in which a label is known."""
    found = table("labels").get(fold(text.partition("(")[0]), ())
    return tuple(known.language for known in found)


def canonical_label(key: str, language: str) -> str:
    """Return the label that we write for a key."""
    return str(words_of(language)["labels"][key][0])


def is_degree(label: str) -> bool:
    """Tell whether a label names a degree of outcome (`Fallo parcial`, `Success at a cost`)."""
    folded = f"{fold(label)} "
    return any(folded.startswith(f"{word} ") for word in listed("degrees"))


def scene_count(text: str) -> int | None:
    """Return the number of scenes that a text states, the upper bound of a range; None where it states none.

    `2`, `unas tres`, `2-3` (3), `dos o tres` (3), `between 2 and 4` (4), `-4` (-4: no chapter has that).
    """
    negative = _NEGATIVE.match(text[:200])
    if negative:
        return -int(negative[1])
    tokens = [token.casefold() for token in _TOKEN.findall(text[:200])]
    values = [_number(token) for token in tokens]
    joins = _joins()
    for i, value in enumerate(values):
        if value is None:
            continue
        follows = values[i + 2] if i + 2 < len(values) and fold_token(tokens[i + 1]) in joins else None
        return max(value, follows or 0)
    return None


def scenes_in_range(count: int) -> bool:
    """Tell whether a chapter may have so many scenes."""
    return 1 <= count <= _MOST_SCENES


def number_of(text: str) -> int | None:
    """Return the number that a whole text is: digits, Roman numerals or a number word; None if it is none."""
    return _number(text) if _number(text) is not None else _roman(text)


def _number(token: str) -> int | None:
    return int(token) if token.isdecimal() and len(token) <= 6 else numbers().get(fold(token))


def fold_token(token: str) -> str:
    """Return a word or a dash for comparison: all dashes and the slash are one sign."""
    return fold(token) or "-"


@cache
def _joins() -> frozenset[str]:
    return frozenset({"-", *table("ranges")})


_ROMAN = re.compile(r"(?=[ivxl])x{0,3}(ix|iv|v?i{0,3})", re.IGNORECASE)
_ROMAN_VALUES = {"i": 1, "v": 5, "x": 10}


def _roman(text: str) -> int | None:
    if not _ROMAN.fullmatch(text):
        return None
    values = [_ROMAN_VALUES[c] for c in text.casefold()]
    after = [*values[1:], 0]
    return sum(-v if v < following else v for v, following in zip(values, after, strict=True)) or None


def consequences_of(text: str) -> tuple[str, ...]:
    """Return the graded consequences of a label's text, best first as written.

    Items of a list; else lines that begin with a degree; else the degrees of one running line
    (`Éxito: … Fallo: …`); else the whole text as one.
    """
    lines = [line for line in text[:_CONSEQUENCES_CHARACTERS].split("\n") if line.strip()]
    items = _items(lines) or [part for piece in _pieces(lines) for part in _running(piece)]
    return tuple(" ".join(item.split()) for item in items if item.strip())


def _items(lines: list[str]) -> list[str]:
    items: list[str] = []
    outer: int | None = None
    for line in lines:
        content = line.lstrip()
        indent = len(line) - len(content)
        marker = MARKER.match(content)
        if marker and (outer is None or indent <= outer):
            outer = indent if outer is None else min(outer, indent)
            items.append(_plain_label(content[marker.end() :]))
        elif items:
            items[-1] += f" {content[marker.end() :] if marker else content}"
    return items


def _plain_label(item: str) -> str:
    label = label_of(item)
    return f"{label.text}: {label.rest}" if label and item.startswith(("**", "__")) else item


def _pieces(lines: list[str]) -> list[str]:
    """Return the lines where each begins with a degree, else all of them as one."""
    stripped = [line.strip() for line in lines]
    return stripped if all(_degree_line(line) for line in stripped) else [" ".join(stripped)]


def _degree_line(line: str) -> bool:
    label = label_of(line.strip())
    return label is not None and is_degree(label.text)


def _running(line: str) -> list[str]:
    """Split after a full stop or semicolon wherever a degree's label follows."""
    parts: list[str] = []
    for piece in re.split(r"(?<=[.;])\s", line):
        if not parts or _degree_line(piece):
            parts.append(piece)
        else:
            parts[-1] += f" {piece}"
    return [part.rstrip("; ") for part in parts]
