"""A book as the values that the Typst template reads: plain texts for JSON, nothing that is markup."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from itertools import pairwise
from typing import TYPE_CHECKING, Any, cast

from concilio.export.book import Block, Book, Entry, Run, Scene
from concilio.export.drawing import drawing_of
from concilio.export.outcomes import Ending, ending_of
from concilio.export.sheet import Printer, Sheet

if TYPE_CHECKING:
    from rules.ruleset import Ruleset

Values = dict[str, Any]
FONT = "Libertinus Serif"
"""Font that Typst brings along: the drawing looks the same on every machine."""
UNBROKEN = "\u00a0"
"""Space at which no line ends."""
ROLLS = frozenset(("check", "save", "damage", "dc"))


LONGEST_WORD = 20
"""Letters of a word that a line holds everywhere, in a cell too; a longer one may break anywhere."""
PART = 8
"""Letters of such a word between which no line ends."""
_NO_TEXTS = ("graph", "unbroken")
BREAK = "\u200b"
"""Space of no width, at which a line may end."""
_LONG = re.compile(rf"[^\s{BREAK}]{{{LONGEST_WORD + 1},}}")
_PARTS = re.compile(rf"[^/?&=_.,;:#-]{{0,{PART - 1}}}.")


def values_of(book: Book, ruleset: "Ruleset") -> Values:
    """Return what `templates/chapter.typ` reads: long words may break, but for those of no text's."""
    values = _values_of(book, ruleset)
    return {name: value if name in _NO_TEXTS else _breakable(value) for name, value in values.items()}


def _breakable(value: Any) -> Any:
    """Return a value whose texts hold no word that is wider than a column."""
    if isinstance(value, str):
        return _LONG.sub(lambda word: BREAK.join(_PARTS.findall(word[0])), value)
    if isinstance(value, dict):
        return {key: _breakable(inner) for key, inner in cast("Values", value).items()}
    if isinstance(value, list):
        return [_breakable(inner) for inner in cast("list[Any]", value)]
    return value


def _values_of(book: Book, ruleset: "Ruleset") -> Values:
    p = Printer(book, ruleset)
    drawing = drawing_of(book.picture, FONT)
    return {
        "language": book.language,
        "unbroken": unbroken(p),
        "adventure": book.adventure,
        "kicker": p.say("chapter", number=book.number),
        "title": book.title,
        "note": "",
        "header": [_entry(each) for each in book.header] + _notes(book, p),
        "scenes": [_scene(scene, ending_of(book, scene), p) for scene in book.scenes],
        "creatures": [_creature(p.sheet(monster)) for monster in book.monsters],
        "open": [_row(f"{o.id} · {o.scene}", o.text) for o in book.objections]
        + [_row(f.rule, f.message) for f in book.findings],
        "labels": {
            "actions": p.say("stat.actions"),
            "creatures": p.say("monsters"),
            "open": p.say("open"),
            "graph": p.say("picture"),
        },
        "graph": {**asdict(drawing), "font": FONT},
        "colophon": p.credits,
    }


def unbroken(p: Printer) -> str:
    """Return the pattern of what no line ends within: `CD 15`, `2d6 + 3`, `+2 a la CD`, `18 m`, `40 %`."""
    figures, units = ("|".join(p.say(f"unbroken.{name}").split()) for name in ("before", "after"))
    return (
        rf"\b(?:{figures}) [0-9]+|[+−-][0-9]+ \p{{L}}{{1,2}}\b|[0-9]+d[0-9]+ ?[+−-] ?[0-9]+"
        rf"|[0-9]+(?:[.,][0-9]+)? (?:{units})(?:\b|$)|[0-9]+ %"
    )


def _row(label: str, text: str, points: Sequence[Values] = (), notes: Sequence[str] = ()) -> Values:
    return {"label": label, "text": text, "points": list(points), "notes": list(notes)}


def _entry(entry: Entry) -> Values:
    marks = ("•" if one.number is None else f"{one.number}." for one in entry.points)
    return _row(
        entry.label,
        entry.text,
        [{"mark": mark, "text": one.text} for mark, one in zip(marks, entry.points, strict=True)],
    )


def _notes(book: Book, p: Printer) -> list[Values]:
    return [_row(p.say("notes"), book.notes)] if book.notes else []


def _scene(scene: Scene, ending: Ending, p: Printer) -> Values:
    facts = [
        _row(p.say(f"field.{key}"), scene.text_of(key)) for key in ("place", "present") if scene.text_of(key)
    ]
    if scene.rolls:
        told = "; ".join(f"{p.roll(roll)} {p.dc(roll).replace(' ', UNBROKEN, 1)}" for roll in scene.rolls)
        facts.append(_row(p.say("rolls"), told, notes=scene.edges))
    pieces = [_piece(block) for block in scene.prose] or list(_plan(scene, p))
    return {"id": scene.id, "title": scene.title, "facts": facts, "pieces": [*pieces, *_outcomes(ending, p)]}


def _plan(scene: Scene, p: Printer) -> Iterator[Values]:
    for key in ("situation", "player_action", "state_change"):
        if text := scene.text_of(key):
            yield _made("paragraph", [_run(f"{p.say(f'field.{key}')}. ", strong=True), _run(text)])


def _outcomes(ending: Ending, p: Printer) -> Iterator[Values]:
    if ending.rows:
        yield _made("heading", [_run(p.say(ending.title))])
    for each in ending.rows:
        leads = [_run(f" → {p.leads(each.leads_to)}", emphasis=True)] if each.leads_to else []
        told = [_run(". ", strong=True), _run(each.text)] if each.text else []
        yield _made("item", [_run(each.label, strong=True), *told, *leads])


def _piece(block: Block) -> Values:
    if block.kind == "row":
        cells = [_runs(cell) for cell in block.cells]
        return {**_made("row", [], 0, "head" if block.head else ""), "cells": cells}
    kind = "quote" if block.aloud else "paragraph" if block.kind == "text" else block.kind
    mark = "" if block.number is None else f"{block.number}."
    return _made(kind, _runs(block), block.depth - 1 if block.kind == "item" else 0, mark)


def _made(kind: str, runs: Sequence[Values], level: int = 0, mark: str = "") -> Values:
    return {"kind": kind, "runs": list(runs), "level": level, "mark": mark, "cells": []}


def _run(
    text: str, *, strong: bool = False, emphasis: bool = False, code: bool = False, roll: bool = False
) -> Values:
    return {"text": text, "strong": strong, "emphasis": emphasis, "code": code, "roll": roll}


def _runs(block: Block) -> list[Values]:
    """Return a block's runs, cut where a roll begins or ends."""
    spots = [(c.start, c.end) for c in block.claims if c.kind in ROLLS and not c.in_speech]
    cuts = sorted({place for spot in spots for place in spot})
    found: list[Values] = []
    at = 0
    for run in block.runs:
        end = at + len(run.text)
        edges = [at, *(cut for cut in cuts if at < cut < end), end]
        for first, last in pairwise(edges):
            inside = any(start <= first and last <= stop for start, stop in spots)
            found.append(_styled(run, run.text[first - at : last - at], inside))
        at = end
    return found


def _styled(run: Run, text: str, roll: bool) -> Values:
    return _run(text, strong=run.bold, emphasis=run.italic, code=run.code, roll=roll)


def _creature(sheet: Sheet) -> Values:
    return {
        "name": sheet.name,
        "note": sheet.kind,
        "rows": [_row(*each) for each in (*sheet.top, *sheet.rest)],
        "abilities": [{"name": name, "value": value} for name, value in sheet.abilities],
        "actions": [_row(*each) for each in sheet.deeds],
    }
