"""Reading aids for the rules: folded words, phrases, sentences and clauses. All linear in the text."""

import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import accumulate, compress, count, repeat
from operator import itemgetter
from typing import Generic, NamedTuple, TypeVar

from rules.document import Passage

T = TypeVar("T")

_WORD = re.compile(r"([^\W_]+)")
_PHRASE_WORD = re.compile(r"[^\W_]+\*?")
_MARKS = re.compile(r"[\u0300-\u036f]")
_BREAK = re.compile(r"[.!?…]+[\"»”’)\]*_]*(?=\s|$)|\n[ \t\r]*\n|\n(?=[ \t]*(?:[-*•|#>]|\d{1,3}[.)]))")
_CLAUSE_ENDS = frozenset('.;:!?…—«»“”"()\n')
_QUOTE_LIMIT = 240
_LONGEST = 250
"""Words after which a text without an end is cut: what is no language must not cost quadratic time."""
_STEM = 5
_MOST_KEPT = 50_000
"""Words of which a list of phrases remembers what they begin; then it forgets them all."""
_HEAD = 3
"""Letters by which a phrase's first word is looked up: no phrase begins with fewer and an asterisk."""


def _folded(code: int) -> str:
    base = _MARKS.sub("", unicodedata.normalize("NFD", chr(code))).lower()
    return base if len(base) == 1 else chr(code)


_FOLD = {code: _folded(code) for code in range(0x250)}


def fold(text: str) -> str:
    """Return the text in lower case and without accents, character for character: offsets stay valid."""
    return text.translate(_FOLD)


def flat(text: str) -> str:
    """Return a text on one line."""
    return " ".join(text.split())


class Word(NamedTuple):
    """A folded word with its offsets in the source."""

    text: str
    start: int
    end: int


_text_of: Callable[[Word], str] = itemgetter(0)
_start_of: Callable[[Word], int] = itemgetter(1)
_end_of: Callable[[Word], int] = itemgetter(2)


class Sentence(NamedTuple):
    """A sentence with its offsets in the source and its words."""

    start: int
    end: int
    words: tuple[Word, ...]

    def before(self, offset: int) -> tuple[Word, ...]:
        """Return its words that end at an offset or before."""
        return self.words[: bisect_right(self.words, offset, key=_end_of)]

    def around(self, start: int, end: int, most: int) -> tuple[Word, ...]:
        """Return its words between two offsets, and at most so many on either side of them."""
        first = bisect_right(self.words, start, key=_end_of)
        last = bisect_left(self.words, end, key=_start_of)
        return self.words[max(0, first - most) : last + most]

    def just_before(self, offset: int, most: int) -> tuple[Word, ...]:
        """Return the last of its words that end at an offset or before, at most so many."""
        end = bisect_right(self.words, offset, key=_end_of)
        return self.words[max(0, end - most) : end]

    def after(self, offset: int) -> tuple[Word, ...]:
        """Return its words that begin at an offset or after."""
        return self.words[bisect_left(self.words, offset, key=_start_of) :]


_new_tuple: Callable[[type[Word], tuple[str, int, int]], Word] = tuple.__new__  # pyright: ignore
"""A named tuple's own constructor costs one call more for each word."""


def words_of(passage: Passage) -> tuple[Word, ...]:
    """Return the words and numbers of a passage in order.

    The text falls into gaps and words by turns; their lengths add up to the places. No step of it is a
    step of Python for each word: a chapter has thousands, and every rule reads them.
    """
    parts = _WORD.split(fold(passage.text))
    places = list(accumulate(map(len, parts), initial=passage.start))
    return tuple(map(_new_tuple, repeat(Word), zip(parts[1::2], places[1::2], places[2::2], strict=False)))


def _ends_sentence(text: str, match: re.Match[str]) -> bool:
    """Tell a full stop from the dot of an abbreviation: after that one the text goes on in lower case."""
    if match.group()[0] != ".":
        return True
    rest = text[match.end() : match.end() + 3].lstrip()
    return not rest[:1].islower()


def lines_of(passage: Passage) -> list[Passage]:
    """Return the lines of a passage that hold a letter or a digit."""
    found: list[Passage] = []
    at = passage.start
    for line in passage.text.split("\n"):
        if _WORD.search(line):
            found.append(Passage(line, at))
        at += len(line) + 1
    return found


def sentences_of(passage: Passage) -> tuple[Sentence, ...]:
    """Return the sentences, list items and table rows of a passage in order."""
    text = passage.text
    ends = [m.end() for m in _BREAK.finditer(text) if _ends_sentence(text, m)]
    words = words_of(passage)
    word_ends = list(map(_end_of, words))
    found: list[Sentence] = []
    first, index = 0, 0
    for end in [*ends, len(text)]:
        limit = passage.start + end
        last = bisect_right(word_ends, limit, index)
        while last - index > _LONGEST:
            middle = words[index + _LONGEST].start
            found.append(Sentence(passage.start + first, middle, words[index : index + _LONGEST]))
            first, index = middle - passage.start, index + _LONGEST
        if last > index:
            found.append(Sentence(passage.start + first, limit, words[index:last]))
        first, index = end, last
    return tuple(found)


def stem(word: str) -> str:
    """Return the part of a folded word that its inflections share, about."""
    return word[:_STEM]


def clause_around(source: str, lowest: int, highest: int, start: int, end: int) -> tuple[int, int]:
    """Widen a span to its clause, inside the bounds; brackets that hold nothing else are taken along."""
    left = start
    while left > lowest and not _breaks(source, left - 1) and start - left < _QUOTE_LIMIT // 2:
        left -= 1
    right = end
    while right < highest and not _breaks(source, right) and right - end < _QUOTE_LIMIT // 2:
        right += 1
    left, right = _whole_words(source, left, right, start, end)
    if left > lowest and right < highest and source[left - 1] == "(" and source[right] == ")":
        return left - 1, right + 1
    if source.count("(", left, right) > source.count(")", left, right) and source[right : right + 1] == ")":
        return left, right + 1
    return left, right


def _whole_words(source: str, left: int, right: int, start: int, end: int) -> tuple[int, int]:
    while left < start and (
        source[left].isspace() or (left > 0 and source[left - 1].isalnum() and source[left].isalnum())
    ):
        left += 1
    while right > end and (
        source[right - 1].isspace()
        or (right < len(source) and source[right - 1].isalnum() and source[right].isalnum())
    ):
        right -= 1
    return left, right


def _breaks(source: str, at: int) -> bool:
    char = source[at]
    if char not in _CLAUSE_ENDS and char != ",":
        return False
    return char not in ".,:" or source[at + 1 : at + 2].isspace() or at + 1 >= len(source)


def clip(source: str, start: int, end: int) -> tuple[int, int]:
    """Return the last part of a span that is short enough to quote, from a sentence's start if possible."""
    while end > start and source[end - 1].isspace():
        end -= 1
    low = max(start, end - _QUOTE_LIMIT)
    wanted = [m.end() for m in re.finditer(r"[.!?…][\"»”)*_]*\s", source[low : max(low, end - 50)])]
    begin = low + wanted[-1] if wanted else low
    while begin < end and (source[begin].isspace() or (begin > start and _inside_word(source, begin))):
        begin += 1
    return begin, end


def _inside_word(source: str, at: int) -> bool:
    return source[at - 1].isalnum() and source[at].isalnum()


def contains(parts: Sequence[str], words: Sequence[str]) -> bool:
    """Tell whether words stand side by side in other words."""
    wanted = list(parts)
    return any(list(words[i : i + len(wanted)]) == wanted for i in range(len(words) - len(wanted) + 1))


Parts = tuple[tuple[str, bool], ...]
"""Words of a phrase; whether any ending may follow each."""


class _Led(NamedTuple, Generic[T]):
    """The phrases whose first word is a given one, by how they go on."""

    alone: tuple[tuple[int, T], ...]
    """Length (1) and value of those that are that word only."""
    exact: Mapping[str, Sequence[tuple[Parts, T]]]
    """Those with a second word, by it."""
    begun: Sequence[tuple[str, Parts, T]]
    """Those whose second word may have any ending, with its beginning."""


class _Known(dict[str, _Led[T] | None]):
    """The phrases that begin with a word, by the word; fills itself, since a text repeats its words."""

    def __init__(self, look_up: Callable[[str], _Led[T] | None]) -> None:
        super().__init__()
        self._look_up = look_up

    def __missing__(self, text: str) -> _Led[T] | None:
        if len(self) > _MOST_KEPT:
            self.clear()
        found = self[text] = self._look_up(text)
        return found


class _Heads(Generic[T]):
    """Phrases by their first word: whole, or by its first letters where any ending may follow."""

    def __init__(self) -> None:
        self._whole: dict[str, list[tuple[Parts, T]]] = {}
        self._begun: dict[str, list[tuple[Parts, T]]] = {}
        self.led_by = _Known(self._led_by)
        """The phrases whose first word is that one; None where there are none."""

    def add(self, phrase: str, value: T) -> None:
        parts = tuple((w.rstrip("*"), w.endswith("*")) for w in _PHRASE_WORD.findall(fold(phrase)))
        text, prefix = parts[0]
        group = self._begun.setdefault(text[:_HEAD], []) if prefix else self._whole.setdefault(text, [])
        group.append((parts, value))
        self.led_by.clear()

    def _led_by(self, text: str) -> _Led[T] | None:
        group = [e for e in self._begun.get(text[:_HEAD], ()) if text.startswith(e[0][0][0])]
        group += self._whole.get(text, ())
        if not group:
            return None
        exact: dict[str, list[tuple[Parts, T]]] = {}
        for parts, value in group:
            if len(parts) > 1 and not parts[1][1]:
                exact.setdefault(parts[1][0], []).append((parts, value))
        return _Led(
            tuple((1, value) for parts, value in group if len(parts) == 1),
            exact,
            [(parts[1][0], parts, value) for parts, value in group if len(parts) > 1 and parts[1][1]],
        )

    def openings(self, words: Sequence[Word]) -> list[int]:
        """Return the indexes of the words with which a phrase may begin."""
        return list(compress(count(), map(self.led_by.__getitem__, map(_text_of, words))))

    def at(self, words: Sequence[Word], index: int) -> Sequence[tuple[int, T]]:
        """Return the lengths and values of the phrases that begin there, longer ones first."""
        led = self.led_by[words[index][0]]
        if led is None:
            return ()
        alone, exact, begun = led
        following = words[index + 1][0] if index + 1 < len(words) else ""
        # Most phrases that begin alike go on otherwise: that is told here, without a call.
        near = exact.get(following)
        longer = list(near) if near else []
        for beginning, parts, value in begun:
            if following.startswith(beginning):
                longer.append((parts, value))
        if not longer:
            return alone
        found = [(len(parts), value) for parts, value in longer if _stands_at(parts, words, index)]
        found.sort(key=_size, reverse=True)
        return [*found, *alone]


def _size(found: tuple[int, object]) -> int:
    return found[0]


def _stands_at(parts: Parts, words: Sequence[Word], index: int) -> bool:
    if index + len(parts) > len(words):
        return False
    for text, prefix in parts:
        word = words[index].text
        if word != text and not (prefix and word.startswith(text)):
            return False
        index += 1
    return True


class Marks:
    """Several lists of phrases that are found in words in one pass, each under its name."""

    def __init__(self, lists: Mapping[str, Iterable[str]]) -> None:
        self._heads = _Heads[str]()
        for name, phrases in lists.items():
            for phrase in phrases:
                self._heads.add(phrase, name)

    def find(self, words: Sequence[Word]) -> dict[str, list[tuple[int, int]]]:
        """Return the index ranges of all phrases by the names of their lists; one list's do not overlap."""
        found: dict[str, list[tuple[int, int]]] = {}
        for index in self._heads.openings(words):
            for length, name in self._heads.at(words, index):
                spans = found.get(name)
                if spans is None:
                    found[name] = [(index, index + length)]
                elif spans[-1][1] <= index:
                    spans.append((index, index + length))
        return found


class Phrases:
    """A set of phrases that is found in words in one pass.

    A phrase is written in plain words; `*` at a word's end stands for any ending (`fall* la`).
    """

    def __init__(self, phrases: Iterable[str]) -> None:
        self._heads = _Heads[None]()
        for phrase in phrases:
            self._heads.add(phrase, None)

    def length_at(self, words: Sequence[Word], index: int) -> int:
        """Return how many words the longest phrase that starts there has; 0 where none does."""
        return max((length for length, _ in self._heads.at(words, index)), default=0)

    def find(self, words: Sequence[Word]) -> Iterator[tuple[int, int]]:
        """Give the index ranges of all phrases, from the left, without overlap."""
        after = 0
        for index in self._heads.openings(words):
            length = self.length_at(words, index) if index >= after else 0
            if length:
                after = index + length
                yield index, after

    def first(self, words: Sequence[Word]) -> tuple[int, int] | None:
        """Return the index range of the first phrase, or None."""
        return next(self.find(words), None)

    def any(self, words: Sequence[Word]) -> bool:
        """Tell whether one of the phrases stands there."""
        return self.first(words) is not None
