"""The block of a scene's outcomes, cut into labelled outcomes, and what one of them says."""

import re
from collections.abc import Iterator

from concilio.chapterfile.escape import unescape
from concilio.chapterfile.labels import MARK
from concilio.chapterfile.lines import TextLine, lines_of, passage
from concilio.chapterfile.words import folded, read_words
from rules.document import Passage, PlanOutcome

LABEL_LIMIT = 100
"""Characters in which the label of an outcome must end, unless it is bold."""
_COLON = re.compile(r"(?<!\\)[:：](?=[\s*_]|\Z)")
_SENTENCE_END = re.compile(r"[.!?…](?=\s)")
_DASH = re.compile(r"[ \t]+[—–][ \t]+|[ \t]+-[ \t]+")
_AFTER_BOLD = re.compile(r"[ \t]*(?:[:：]|[—–-](?=[ \t]))?[ \t]*")
_BULLET_INSIDE = re.compile(r"(?:(?<=\s)|\A)(?:[•▪‣●]|[-*–—](?=[ \t])|\(?\d{1,2}[.)](?=[ \t]))[ \t]*")
_AFTER_SENTENCE = re.compile(r"[.;!?…»”\")][ \t]+(?=[*_\"«“¡¿]{0,3}[^\W\d_])")
_ARROW = ("→", "->", "=>")
_TARGET = re.compile(r"\d{1,3}(?:\.\d{1,3})?\Z")
_LABEL_MARKS = (":", "：", " —", " –", "*", "_")
"""One of these ends the label of an outcome that stands in a line with others."""
_TARGET_LIMIT = 60
_QUOTED = re.compile(r'"((?:\\u\{[0-9a-f]{1,6}\})*)"\Z')
"""A destination that is no scene, as our own files write it."""


def read_outcomes(block: Passage) -> tuple[PlanOutcome, ...]:
    """Cut a block of outcomes: nested bullets, one a line, or all in one line."""
    items = tuple(_items(block))
    if len(items) == 1:
        items = tuple(_inline(items[0]))
    elif items and items[0].start == block.start and items[0].text.endswith(":"):
        items = items[1:]  # `POSIBLES RESULTADOS: Según la tirada:` announces the list
    return tuple(split_outcome(item) for item in items if item.text)


def _items(block: Passage) -> Iterator[Passage]:
    """Yield one passage an outcome: a bullet or a labelled line, with the deeper lines that belong to it."""
    start = end = -1
    first_indent: int | None = None
    for line in lines_of(block.text, block.start):
        if line.blank:
            continue
        indent = line.indent if line.start > block.start else first_indent or 0
        if start < 0 or _opens(line, indent, first_indent):
            if start >= 0:
                yield passage(block.text, block.start, start, end)
            mark = MARK.match(line.text)
            bulleted = mark is not None and bool(mark["bullet"])
            if bulleted and first_indent is None and line.start > block.start:
                first_indent = indent
            start = line.start + (mark.end("bullet") if mark and bulleted else 0)
        end = line.end
    if start >= 0:
        yield passage(block.text, block.start, start, end)


def _opens(line: TextLine, indent: int, first_indent: int | None) -> bool:
    mark = MARK.match(line.text)
    if mark and mark["bullet"]:
        return first_indent is None or indent <= first_indent
    label = split_outcome(passage(line.text, line.start, line.start, line.end)).label.text
    return bool(label) and (degree_of(label) != "choice" or label.isupper())


def _inline(item: Passage) -> Iterator[Passage]:
    """Yield the outcomes that stand in one line: `• Éxito: … • Fallo: …`, `Éxito: …; Fallo: …`."""
    starts = sorted({item.start, *_bullets_inside(item), *_degrees_inside(item)})
    for start, end in zip(starts, [*starts[1:], item.end], strict=True):
        piece = item.text[start - item.start : end - item.start]
        mark = _BULLET_INSIDE.match(piece)
        piece = piece[mark.end() :] if mark else piece
        begin = start + (mark.end() if mark else 0)
        bare = piece.rstrip().rstrip(";").rstrip()
        yield Passage(bare, begin)


def _bullets_inside(item: Passage) -> Iterator[int]:
    if "\n" in item.text:
        return
    for match in _BULLET_INSIDE.finditer(item.text):
        rest = item.text[match.end() : match.end() + LABEL_LIMIT * 2]
        if any(mark in rest for mark in _LABEL_MARKS) and split_outcome(Passage(rest, 0)).label.text:
            yield item.start + match.start()


def _degrees_inside(item: Passage) -> Iterator[int]:
    for match in _AFTER_SENTENCE.finditer(item.text):
        rest = item.text[match.end() : match.end() + LABEL_LIMIT * 2]
        if not any(mark in rest for mark in _LABEL_MARKS):
            continue
        label = split_outcome(Passage(rest, 0)).label.text
        if label and degree_of(label) != "choice":
            yield item.start + match.end()


def split_outcome(item: Passage) -> PlanOutcome:
    """Split `**Label**: text`, `Label: text` or `**Label** — text`; an absent label is empty."""
    label_start, label_end, text_start = _label_span(item.text)
    return PlanOutcome(
        Passage(item.text[label_start:label_end], item.start + label_start),
        passage(item.text, item.start, item.start + text_start, item.end),
    )


def _label_span(text: str) -> tuple[int, int, int]:
    bold = next((b for b in ("***", "**", "__", "*", "_") if text.startswith(b)), "")
    if bold:
        close = text.find(bold, len(bold))
        label = text[len(bold) : close] if close > 0 else ""
        if label.strip():
            end = len(bold) + len(label.rstrip(" \t:："))
            after = _AFTER_BOLD.match(text, close + len(bold))
            separated = after is not None and (after.group().strip() or label.rstrip().endswith((":", "：")))
            if after and (separated or after.end() == len(text)):
                return len(bold), end, after.end()
    head = text[:LABEL_LIMIT]
    colon = _COLON.search(head)
    if colon and not _SENTENCE_END.search(head[: colon.start()]) and "\n" not in head[: colon.start()]:
        return 0, len(head[: colon.start()].rstrip(" \t*_")), colon.end()
    dash = _DASH.search(head)
    if dash and degree_of(head[: dash.start()]) != "choice":
        return 0, dash.start(), dash.end()
    return 0, 0, 0


def degree_of(label: str) -> str:
    """Return the degree that a label's first words state (`Fallo parcial` -> `partial`), else `choice`."""
    words = read_words()
    name = folded(label).strip('¡!¿?«»"“”[]() ')
    for prefix in words.degree_prefixes:
        if name.startswith(prefix + " "):
            name = name[len(prefix) + 1 :]
            break
    for start, degree in words.degrees:
        if name.startswith(start) and (len(name) == len(start) or not name[len(start)].isalnum()):
            return degree
    return "choice"


def split_destination(text: str, chapter: str) -> tuple[str, str | None]:
    """Split `… (→ 5.3)` or `… → Escena 5.3` into the text and where it leads (`5.3`, `end`, or None).

    `chapter` completes a bare scene number (`→ Escena 3`).
    """
    arrow_at, arrow = max((text.rfind(a), a) for a in _ARROW)
    if arrow_at < 0:
        return text, None
    full_stop = "." if text.rstrip().endswith(".") else ""
    target = text[arrow_at + len(arrow) :].strip().rstrip(".").strip()
    before = text[:arrow_at].rstrip()
    if target.endswith((")", "]")) and before.endswith(("(", "[")):
        target, before = target[:-1].strip(), before[:-1].rstrip()
    leads_to = _destination(target, chapter)
    if leads_to is None:
        return text, None
    return before + (full_stop if before and before[-1] not in ".!?…" else ""), leads_to


def _destination(target: str, chapter: str) -> str | None:
    words = read_words()
    quoted = _QUOTED.match(target)
    if quoted:
        return unescape(quoted[1])
    if len(target) > _TARGET_LIMIT:
        return None
    name = folded(target)
    if name in words.end:
        return "end"
    first, _, rest = name.partition(" ")
    if first in words.scene:
        name = rest.strip()
        if _TARGET.match(name):
            return name if "." in name else f"{chapter}.{name}"
    return name if _TARGET.match(name) and "." in name else None
