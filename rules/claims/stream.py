"""A text as the grammar sees it: tagged items, phrases and number words already put together."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TypedDict

from rules.claims.lexicon import Lexicon, Meaning, Node, Tags
from rules.claims.model import Dice, Named
from rules.claims.speech import Stretch, is_inside, speech
from rules.claims.tokens import (
    DICE,
    MARK,
    NUMBER,
    STOP,
    WORD,
    Token,
    dice_value,
    number_value,
    tokens,
)
from rules.folding import fold_word

_NOTHING: Tags = {}
_NUMBER: Tags = {"number": Meaning("digits")}
_DICE: Tags = {"dice": Meaning()}
_STOP: Tags = {"stop": Meaning(), "end": Meaning()}
_BREAK: Tags = {"break": Meaning(), "end": Meaning()}
_MARKS: dict[str, Tags] = {
    **{mark: {mark: Meaning()} for mark in '()[]/,:=|«»“”"'},
    **{mark: {"sign": Meaning("-"), "dash": Meaning()} for mark in "-–−"},
    ";": {";": Meaning(), "end": Meaning()},
    "+": {"sign": Meaning("+")},
    "—": {"dash": Meaning()},
    "×": {"by_size": Meaning()},
}
THOUSAND = 1000
MOST_COMPOSED = 10**12
"""A number in words ends before it is larger: `one hundred and one hundred and …` has no end otherwise."""
_EMPHASIS = str.maketrans("", "", "*_`\\")


class Place(TypedDict):
    """The fields of a claim that say where it stands."""

    start: int
    end: int
    quote: str
    in_speech: bool


@dataclass(slots=True)
class Stream:
    """Items of one passage: item `i` is `text[starts[i]:ends[i]]`."""

    text: str
    base: int
    """Offset of the text in the source."""
    lexicon: Lexicon
    tags: list[Tags] = field(default_factory=list[Tags])
    starts: list[int] = field(default_factory=list[int])
    ends: list[int] = field(default_factory=list[int])
    numbers: dict[int, float] = field(default_factory=dict[int, float])
    dice: dict[int, Dice] = field(default_factory=dict[int, Dice])
    spoken: list[Stretch] = field(default_factory=list[Stretch])

    def has(self, i: int, tag: str) -> bool:
        """Tell whether item `i` exists and carries a tag."""
        return 0 <= i < len(self.tags) and tag in self.tags[i]

    def any(self, i: int, tags: Sequence[str]) -> bool:
        """Tell whether item `i` exists and carries one of the tags."""
        return 0 <= i < len(self.tags) and not self.tags[i].keys().isdisjoint(tags)

    def get(self, i: int, tag: str) -> Meaning | None:
        """Return what item `i` means under a tag, or None."""
        return self.tags[i].get(tag) if 0 <= i < len(self.tags) else None

    def written(self, i: int, j: int | None = None) -> str:
        """Return items `i` to `j` (one item without `j`) as written, emphasis left out."""
        end = self.ends[i if j is None else j - 1]
        return " ".join(self.text[self.starts[i] : end].translate(_EMPHASIS).split())

    def is_plain(self, i: int) -> bool:
        """Tell whether item `i` is a word that means nothing to the grammar."""
        return 0 <= i < len(self.tags) and not self.tags[i] and self.text[self.starts[i]].isalpha()

    def is_word(self, i: int) -> bool:
        """Tell whether item `i` begins with a letter."""
        return 0 <= i < len(self.tags) and self.text[self.starts[i]].isalpha()

    def is_capital(self, i: int) -> bool:
        """Tell whether item `i` begins with a capital letter."""
        return 0 <= i < len(self.tags) and self.text[self.starts[i]].isupper()

    def opens_sentence(self, i: int) -> bool:
        """Tell whether a capital at item `i` may be there only because a sentence begins."""
        while i > 0 and self.any(i - 1, ("«", "“", '"', "(", "dash")):
            i -= 1
        return i <= 0 or self.any(i - 1, ("end", ":", "|"))

    def skip(self, i: int, tags: Sequence[str], most: int = 4) -> int:
        """Return the first index from `i` on, at most `most` further, whose item carries none of the tags."""
        end = min(i + most, len(self.tags))
        while 0 <= i < end and not self.tags[i].keys().isdisjoint(tags):
            i += 1
        return i

    def find(self, i: int, most: int, wanted: Sequence[str], barred: Sequence[str] = ("end",)) -> int | None:
        """Return the first of `most` items from `i` that carries a wanted tag, before any barred one."""
        own = self.tags
        for k in range(max(i, 0), min(i + most, len(own))):
            if tags := own[k].keys():
                if not tags.isdisjoint(wanted):
                    return k
                if not tags.isdisjoint(barred):
                    return None
        return None

    def find_back(
        self, i: int, most: int, wanted: Sequence[str], barred: Sequence[str] = ("end",)
    ) -> int | None:
        """Return the nearest index at most `most` items before `i` that carries a wanted tag."""
        own = self.tags
        for k in range(min(i, len(own)) - 1, max(-1, i - 1 - most), -1):
            if tags := own[k].keys():
                if not tags.isdisjoint(wanted):
                    return k
                if not tags.isdisjoint(barred):
                    return None
        return None

    def place(self, i: int, j: int) -> Place:
        """Return where items `i` up to, not including, `j` stand in the source."""
        start, end = self.starts[i], self.ends[j - 1]
        return {
            "start": self.base + start,
            "end": self.base + end,
            "quote": self.text[start:end],
            "in_speech": is_inside(self.spoken, start),
        }

    def named(self, i: int, meaning: Meaning, j: int | None = None) -> Named:
        """Return items `i` to `j` (one item without `j`) as a word of the ruleset."""
        end = self.ends[i if j is None else j - 1]
        return Named(
            meaning.id, self.written(i, j), self.base + self.starts[i], self.base + end, meaning.status
        )

    def near(self, at: int, item: int) -> bool:
        """Tell whether item `item` starts right where text offset `at` ends, white space aside."""
        return item < len(self.starts) and not self.text[at : self.starts[item]].strip()

    def item_at(self, offset: int) -> int:
        """Return the item that covers or follows a text offset."""
        return max(0, bisect_right(self.starts, offset) - 1)


def make_stream(text: str, base: int, words: Lexicon) -> Stream:
    """Cut and tag a text."""
    stream = Stream(text, base, words, spoken=speech(text))
    cut = tokens(text)
    first = words.first
    nodes = [first[text[start:end]] if kind in (WORD, NUMBER) else None for kind, start, end in cut]
    append_tags, append_start, append_end = stream.tags.append, stream.starts.append, stream.ends.append
    i, count = 0, len(cut)
    while i < count:
        kind, start, end = cut[i]
        node = nodes[i]
        if node is None:
            tags = _NOTHING if kind == WORD else _tags_of(stream, kind, start, end)
            i += 1
        elif node.alone is not None:
            tags = node.alone
            i += 1
        else:
            tags, i = _phrase(stream, cut, nodes, i)
            end = cut[i - 1][2]
        append_tags(tags)
        append_start(start)
        append_end(end)
    return stream


def _phrase(stream: Stream, cut: list[Token], nodes: list[Node | None], i: int) -> tuple[Tags, int]:
    """Return the meanings of the longest phrase that begins at token `i`, and the token after it."""
    kind, start, end = cut[i]
    node = nodes[i]
    if node is None:
        return _NOTHING, i + 1
    if node.after and (longest := _longest(stream.text, cut, i, node)) is not None:
        return longest
    if node.number is not None:
        after, stream.numbers[len(stream.tags)] = _compose(stream, cut, nodes, i)
        return (node.tags or _NUMBER) if after == i + 1 else _NUMBER, after
    if node.tags is None:
        return (_NOTHING if kind == WORD else _tags_of(stream, kind, start, end)), i + 1
    return node.tags, i + 1


def _tags_of(stream: Stream, kind: int, start: int, end: int) -> Tags:
    """Return the meanings of a token that is no known word; numbers and dice are noted in the stream."""
    written = stream.text[start:end]
    if kind == MARK:
        return _MARKS.get(written, _NOTHING)
    if kind == NUMBER and (value := number_value(written)) is not None:
        stream.numbers[len(stream.tags)] = value
        return _NUMBER
    if kind == DICE and (dice := dice_value(written)) is not None:
        stream.dice[len(stream.tags)] = dice
        return _DICE
    if kind in (NUMBER, DICE):
        return _NOTHING
    return _STOP if kind == STOP else _BREAK


def _longest(text: str, cut: list[Token], i: int, node: Node) -> tuple[Tags, int] | None:
    """Return the meanings and the end of the longest phrase of several tokens that begins at token `i`."""
    best: tuple[Tags, int] | None = None
    k = i + 1
    while k < len(cut) and node.after:
        kind, start, end = cut[k]
        if kind == STOP and text[start] == ".":  # an abbreviation: `Conoc. Arcano`
            k += 1
            continue
        following = node.after.get(fold_word(text[start:end]))
        if following is None:
            break
        node, k = following, k + 1
        if node.tags is not None:
            best = (node.tags, k)
    return best


def _compose(stream: Stream, cut: list[Token], nodes: list[Node | None], i: int) -> tuple[int, float]:
    """Read a number in words (`treinta y cinco`, `one hundred and twenty`) that begins at token `i`."""
    multipliers = stream.lexicon.vocabulary.multipliers
    total, current, last, k, end = 0, 0, 0, i, i
    while k < len(cut) and (node := nodes[k]) is not None and node.number is not None:
        value = node.number
        if fold_word(stream.text[cut[k][1] : cut[k][2]]) in multipliers:
            if current * value > MOST_COMPOSED:
                break
            current = max(1, current) * value
            total, current = (total + current, 0) if value >= THOUSAND else (total, current)
        elif not last or (value < 10 <= last and last >= 20) or (value < 100 <= last):
            current += value
        else:
            break
        last, end = value, k + 1
        k = end + 1 if last >= 20 and end < len(nodes) and _is_glue(nodes[end]) else end
    return end, float(total + current)


def _is_glue(node: Node | None) -> bool:
    return node is not None and node.tags is not None and "number_glue" in node.tags
