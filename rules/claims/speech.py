"""What is said in the story: the stretches of a text between dialogue marks."""

import re
from bisect import bisect_right

Stretch = tuple[int, int]

_LINE_OF_SPEECH = re.compile(r"^[ \t]*(?:[>*+-][ \t]+)?[*_]{0,3}(?=[—―])", re.MULTILINE)
_QUOTED = re.compile(r"«[^«»]*»|“[^“”]*”|\"[^\"\n]*\"")
_ENDS_LIKE_SPEECH = re.compile(r"[.,;:!?…—-][*_]*$")
LEAST_WORDS = 5
"""Quoted words from which a quotation is taken as speech even without a stop at its end."""


def _dialogue_line(text: str, start: int) -> list[Stretch]:
    """Return the spoken stretches of a line that opens with a dash: speech and telling take turns."""
    end = text.find("\n", start)
    end = len(text) if end < 0 else end
    cuts = [i for i in range(start, end) if text[i] in "—―"]
    bounds = [*cuts, end]
    return [(bounds[k], bounds[k + 1]) for k in range(0, len(cuts), 2)]


def _is_speech(quoted: str) -> bool:
    inner = quoted[1:-1].strip()
    return bool(_ENDS_LIKE_SPEECH.search(inner[-4:])) or len(inner.split(maxsplit=LEAST_WORDS)) >= LEAST_WORDS


def speech(text: str) -> list[Stretch]:
    """Return the stretches that somebody says, in order and not overlapping.

    A term in quotation marks (`"punto ciego"`) is no speech; a quotation that ends with a stop or is long is.
    """
    found = [s for m in _LINE_OF_SPEECH.finditer(text) for s in _dialogue_line(text, m.end())]
    found += [m.span() for m in _QUOTED.finditer(text) if _is_speech(m.group())]
    merged: list[Stretch] = []
    for start, end in sorted(found):
        if merged and start < merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged


def quotations(text: str) -> list[Stretch]:
    """Return everything in quotation marks, terms and speech alike, in order."""
    return [m.span() for m in _QUOTED.finditer(text)]


def is_inside(stretches: list[Stretch], at: int) -> bool:
    """Tell whether an offset lies in one of the stretches."""
    k = bisect_right(stretches, (at, len(stretches) and stretches[-1][1] + 1)) - 1
    return k >= 0 and at < stretches[k][1]
