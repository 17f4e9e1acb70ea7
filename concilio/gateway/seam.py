"""Join a cut reply and its continuation into one text.

A model that is asked to go on may go on to the letter, repeat the last words, begin the last scene or all
of it again, open a fence, or say first that it will gladly go on. All of these end in one text here.
"""

import json
import re
import tomllib
from functools import cache
from typing import Any

from concilio.catalogue import LANGUAGES, TEXTS
from concilio.gateway.errors import ReplyInvalid
from concilio.gateway.structured import JsonReply, find_json, merge_json

LONGEST_OVERLAP = 2_000
"""Characters of repeated text that are looked for."""
SHORTEST_OVERLAP = 12
"""Characters: a shorter repetition may be chance, unless it is whole words at the seam."""
SHORTEST_ANCHOR = 12
"""Characters of a first line that stands in the earlier text too: from there it was begun again."""
LONGEST_PREAMBLE = 200
"""Characters of a first line that may be chatter."""

_OPENING_FENCE = re.compile(r"\s*`{3,}[^\n`]*\n")
_CLOSING_FENCE = re.compile(r"\n[ \t]*`{3,}[ \t]*\s*\Z")
_LEADING_DOTS = re.compile(r"\A\s*(?:…|\.{3})(?=\s?\w)")
"""How writers show that they go on."""
_MARKER = re.compile(r"[ \t]{0,12}(?:[-*•]\s|#{1,6}\s|`{3})")
"""What begins a line in Markdown, and hardly anything else."""
_NUMBER_MARKER = re.compile(r"[ \t]{0,12}\d{1,2}[.)]\s")
"""What begins a line only where the one before is at its end: a cut may fall within a number."""
_ENDS = frozenset(".:;!?…»”)")
_WORD = re.compile(r"\w+")
_LAST_WORD = re.compile(r"\w{1,60}\Z")
_FIRST_WORD = re.compile(r"\w{1,60}")


def join(cut: str, rest: str, context: str = "") -> str:
    """Return a cut text and its continuation as one.

    Args:
        cut: all that arrived before, white space at its end included.
        rest: the continuation as it came.
        context: the conversation before; its words tell whether the cut went through a word.
    """
    if not rest.strip():
        return cut
    as_json = _join_json(cut, rest, context)
    if as_json is not None:
        return as_json
    body = _unwrapped(rest, cut)
    anchored = _begun_again(cut, body)
    if anchored is not None:
        return anchored
    return _glued(cut, body, context)


def _glued(cut: str, body: str, context: str) -> str:
    body = _LEADING_DOTS.sub(" " if cut[-1:].isalnum() else "", _without_break(body))
    overlap = _overlap(cut, body)
    if overlap:
        return cut + body[overlap:]
    if not cut.endswith("\n") and _begins_line(cut, body):
        return f"{cut}\n{body}"
    if _needs_space(cut, body, context):
        return f"{cut} {body}"
    return cut + body


def _without_break(body: str) -> str:
    """Return a continuation without a line break that reasoning left: no line begins in lower case."""
    text = body.lstrip()
    return text if text[:1].islower() and "\n" in body[: len(body) - len(text)] else body


def _begins_line(cut: str, body: str) -> bool:
    ended = cut.rstrip()[-1:] in _ENDS
    return _MARKER.match(body) is not None or (ended and _NUMBER_MARKER.match(body) is not None)


# -- JSON


def _join_json(cut: str, rest: str, context: str) -> str | None:
    """Return the joined JSON; None where the earlier text is not cut JSON."""
    before = _json_or_none(cut)
    if before is None or before.complete:
        return None
    start = cut[before.start :]
    body = _unwrapped(rest, start)
    candidates = [start + body[_overlap(start, body) :], _glued(start, body, context)]
    whole = next((c for c in candidates if _is_valid(c)), None)
    if whole is not None:
        return whole
    after = _json_or_none(rest)
    if after is not None and (after.complete or _same_beginning(start, rest[after.start :])):
        return (
            json.dumps(merge_json(before.value, after.value), ensure_ascii=False)
            if after.complete
            else (max(start, rest[after.start :], key=len))
        )
    return candidates[1]


def _json_or_none(text: str) -> JsonReply | None:
    try:
        return find_json(text)
    except ReplyInvalid:
        return None


def _is_valid(text: str) -> bool:
    found = _json_or_none(text)
    return found is not None and found.complete and not found.repaired and found.start == 0


def _same_beginning(first: str, second: str) -> bool:
    one, other = ("".join(text[:200].split())[:24] for text in (first, second))
    return one == other and len(one) > 8


# -- Markdown and prose


def _unwrapped(rest: str, cut: str) -> str:
    """Return a continuation without chatter before it and without a fence around it."""
    body = _without_preamble(rest)
    fence = _OPENING_FENCE.match(body)
    if not fence:
        return body
    inner = body[fence.end() :]
    if _has_open_fence(cut):
        return inner  # the fence of the earlier text goes on: its end is the end of both
    return _CLOSING_FENCE.sub("", inner)


def _has_open_fence(text: str) -> bool:
    return sum(line.lstrip().startswith("```") for line in text.split("\n")) % 2 == 1


@cache
def _words(name: str) -> tuple[str, ...]:
    """Return a list of words of `[chatter]`, of all languages: models mix them."""
    words: list[str] = []
    for language in LANGUAGES:
        data: dict[str, Any] = tomllib.loads((TEXTS / language / "gateway.toml").read_text(encoding="utf-8"))
        words += data["chatter"][name]
    return tuple(word.casefold() for word in words)


def _without_preamble(rest: str) -> str:
    """Return a continuation without a first line that only announces it."""
    first, newline, after = rest.lstrip().partition("\n")
    if not newline or not after.strip() or len(first) > LONGEST_PREAMBLE:
        return rest
    line = first.strip().strip("*_ ").casefold()
    if line.startswith(_words("openers")) and line.endswith((":", ".", "!", "…")):
        return after.lstrip("\n")
    return rest


def _begun_again(cut: str, body: str) -> str | None:
    """Return the text where the continuation began again from an earlier line, None where it did not."""
    first = next((line.strip() for line in body.split("\n") if line.strip()), "")
    if len(first) < SHORTEST_ANCHOR:
        return None
    place = _line_start(cut, first)
    if place is None:
        return None
    kept, again = cut[place:], body.lstrip()
    return cut if len(again) < len(kept) and kept.startswith(again) else cut[:place] + again


def _line_start(text: str, line: str) -> int | None:
    """Return where a line last stands in a text, whose own last line may be no more than its beginning."""
    start = len(text)
    for candidate in reversed(text.split("\n")):
        start -= len(candidate)
        stripped = candidate.strip()
        last = start + len(candidate) == len(text)
        if stripped == line or (last and len(stripped) >= SHORTEST_ANCHOR and line.startswith(stripped)):
            return start + (len(candidate) - len(candidate.lstrip()))
        start -= 1
    return None


def _overlap(cut: str, body: str) -> int:
    """Return how many characters at the continuation's start repeat the end of the earlier text."""
    lead = len(body) - len(body.lstrip())
    head = body[lead : lead + LONGEST_OVERLAP]
    tail = cut[-LONGEST_OVERLAP:]
    length = _longest_border(head, tail)
    if length >= SHORTEST_OVERLAP or _is_whole_words(cut, head, length):
        return lead + length
    return 0


def _is_whole_words(cut: str, head: str, length: int) -> bool:
    """Tell whether a short repetition is two words or more, neither of them cut at its start."""
    repeated = head[:length]
    before = cut[len(cut) - length - 1 : len(cut) - length]
    return len(repeated.split()) >= 2 and not before.isalnum() and len(repeated) >= 5


def _longest_border(head: str, tail: str) -> int:
    """Return the length of the longest start of `head` that is an end of `tail` (Knuth-Morris-Pratt)."""
    if not head:
        return 0
    border = [0] * len(head)
    length = 0
    for i in range(1, len(head)):
        while length and head[i] != head[length]:
            length = border[length - 1]
        length += head[i] == head[length]
        border[i] = length
    length = 0
    for character in tail:
        while length and (length == len(head) or character != head[length]):
            length = border[length - 1]
        length += character == head[length]
    return length


def _needs_space(cut: str, body: str, context: str) -> bool:
    """Tell whether the cut fell between two words, so that the continuation lacks the space before it."""
    last, first = _LAST_WORD.search(cut[-60:]), _FIRST_WORD.match(body)
    if not first:
        return False
    if not last:
        return cut[-1:] in ",;:.!?»”)…" and not cut.endswith(("...",)) and first[0][0].isalpha()
    if first[0][0].isupper() or last[0].isdigit() != first[0].isdigit():
        return first[0][0].isupper() or not first[0].isdigit()
    known = {word.casefold() for word in _WORD.findall(f"{context} {cut[: len(cut) - len(last[0])]}")}
    known |= {word.casefold() for word in _WORD.findall(body[len(first[0]) :])}
    if (last[0] + first[0]).casefold() in known:
        return False
    return last[0].casefold() in known or last[0].casefold() in _words("little_words")
