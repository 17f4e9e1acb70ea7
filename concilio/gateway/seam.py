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
FEWEST_WORDS = 60
"""Different words of a conversation from which its ways to begin a word are taken."""
LONGEST_PREAMBLE = 200
"""Characters of a first line that may be chatter."""

_OPENING_FENCE = re.compile(r"\s*`{3,}[^\n`]*\n")
_CLOSING_FENCE = re.compile(r"\n[ \t]*`{3,}[ \t]*\s*\Z")
_LEADING_DOTS = re.compile(r"\A\s*(?:…|\.{3})(?=\s?\w)")
"""How writers show that they go on."""
_MARKER = re.compile(r"[ \t]{0,12}(?:[-*•]\s|#{1,6}\s|`{3})")
"""What begins a line in Markdown, and hardly anything else."""
_BARE_MARKER = re.compile(r"[ \t]{0,12}(?:[-*•]|#{1,6})[ \t]*\Z")
_SPLIT_HEADING = re.compile(r"(?:\A|\n)#{1,2}\Z")
_REST_OF_HEADING = re.compile(r"#{1,2}\s")
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
    if _SPLIT_HEADING.search(cut) and _REST_OF_HEADING.match(body):
        return cut + body
    cut = _without_bare_marker(cut, body)
    overlap = _overlap(cut, body)
    if overlap:
        return cut + body[overlap:]
    if not cut.endswith("\n") and _begins_line(cut, body):
        return f"{cut}\n{body}"
    if body[:1].isspace():
        return cut + body
    return _joined_words(cut, body, context)


def _without_break(body: str) -> str:
    """Return a continuation without a line break that reasoning left: no line begins in lower case."""
    text = body.lstrip()
    return text if text[:1].islower() and "\n" in body[: len(body) - len(text)] else body


def _without_bare_marker(cut: str, body: str) -> str:
    """Return the earlier text without a last line that is only a marker, where the rest brings its own."""
    before, newline, last = cut.rpartition("\n")
    return before + newline if _MARKER.match(body) and _BARE_MARKER.match(last) else cut


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
def _words(name: str, language: str) -> frozenset[str]:
    data: dict[str, Any] = tomllib.loads((TEXTS / language / "gateway.toml").read_text(encoding="utf-8"))
    return frozenset(word.casefold() for word in data["chatter"][name])


@cache
def _openers() -> tuple[str, ...]:
    """Return the openers of all languages: models mix them."""
    return tuple(frozenset[str]().union(*(_words("openers", language) for language in LANGUAGES)))


def _without_preamble(rest: str) -> str:
    """Return a continuation without a first line that only announces it."""
    first, newline, after = rest.lstrip().partition("\n")
    if not newline or not after.strip() or len(first) > LONGEST_PREAMBLE:
        return rest
    line = first.strip().strip("*_ ").casefold()
    if line.startswith(_openers()) and line.endswith((":", ".", "!", "…")):
        return after.lstrip("\n")
    return rest


def _begun_again(cut: str, body: str) -> str | None:
    """Return the text where the continuation began again from an earlier line, None where it did not."""
    again = body.lstrip()
    first = again.partition("\n")[0].strip()
    if len(first) < SHORTEST_ANCHOR:
        return None
    place = _line_start(cut, again)
    if place is None:
        return None
    kept = cut[place:]
    return cut if len(again) < len(kept) and kept.startswith(again) else cut[:place] + again


def _line_start(text: str, again: str) -> int | None:
    """Return where in a text the beginning of another stands, the last time: None where it does not.

    The text's last line may be cut. A heading is enough by itself; of other lines, which may stand in several
    scenes, the one that follows must agree too.
    """
    wanted = [line.strip() for line in again.split("\n", 2)[:2]]
    lines = text.split("\n")
    start = len(text) + 1
    for i in range(len(lines) - 1, -1, -1):
        start -= len(lines[i]) + 1
        if lines[i].strip() == wanted[0] and _follows(lines[i + 1 :], wanted):
            return start + len(lines[i]) - len(lines[i].lstrip())
    last = lines[-1].strip()
    if wanted[0].startswith(last) and (len(last) >= SHORTEST_ANCHOR or _MARKER.match(lines[-1])):
        return len(text) - len(lines[-1].lstrip())
    return None


def _follows(after: list[str], wanted: list[str]) -> bool:
    """Tell whether what follows a line in the earlier text agrees with what follows it in the other."""
    if not after or wanted[0].startswith("#"):
        return True
    last = len(after) == 1
    found, second = after[0].strip(), (wanted[1] if len(wanted) > 1 else "")
    return found == second or (last and second.startswith(found))


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
    """Tell whether a short repetition is two words or more, or a label, not cut at its start."""
    repeated = head[:length]
    before = cut[len(cut) - length - 1 : len(cut) - length]
    return (len(repeated.split()) >= 2 or ":" in repeated) and not before.isalnum() and len(repeated) >= 5


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


def _joined_words(cut: str, body: str, context: str) -> str:
    """Return two texts joined where one may end, and the other begin, in the middle of a word."""
    last, first = _LAST_WORD.search(cut[-60:].rstrip()), _FIRST_WORD.match(body)
    if not first or not last:
        return f"{cut} {body}" if first and _ends_sentence(cut) and first[0][0].isalpha() else cut + body
    known = _known_words(cut[: len(cut.rstrip()) - len(last[0])], body[len(first[0]) :], context)
    whole = (last[0] + first[0]).casefold()
    if whole not in known and _repeats(last[0], first[0]):
        return cut.rstrip()[: -len(last[0])] + body
    if cut[-1:].isspace():
        return cut + body
    return f"{cut} {body}" if _are_two_words(last[0], first[0], whole, known) else cut + body


def _ends_sentence(cut: str) -> bool:
    return cut[-1:] in ",;:.!?»”)…" and not cut.endswith("...")


def _known_words(*texts: str) -> frozenset[str]:
    return frozenset(word.casefold() for text in texts for word in _WORD.findall(text))


def _repeats(last: str, first: str) -> bool:
    """Tell whether the continuation says the last word, or what there was of it, again."""
    return len(last) >= 2 and last.isalpha() and (first == last or (len(last) > 2 and first.startswith(last)))


def _are_two_words(last: str, first: str, whole: str, known: frozenset[str]) -> bool:
    """Tell whether the cut fell between two words, so that the continuation lacks the space before it."""
    if first[0].isupper() and not last[-1].isupper():
        return True
    if last[-1].isdigit() != first[0].isdigit():
        return not first[0].isdigit()
    if whole in known or not _may_begin_word(first.casefold(), known):
        return False
    return last.casefold() in known or last.casefold() in _little_words(known)


def _may_begin_word(first: str, known: frozenset[str]) -> bool:
    """Tell whether words of this conversation begin like that; any may, where there are few."""
    return len(known) < FEWEST_WORDS or first[:2] in {word[:2] for word in known}


def _little_words(known: frozenset[str]) -> frozenset[str]:
    """Return the little words of the conversation's language: the one of which it holds most."""
    return max((_words("little_words", language) for language in LANGUAGES), key=lambda w: len(w & known))
