"""A book as Markdown of the Homebrewery, version 3: `{{descriptive`, `{{note`, `{{monster,frame`, `\\page`.

Its pages have a fixed size, so the text is cut into pages here, by an estimate of the lines of each part.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from concilio.export.book import Block, Book, Entry, Run, Scene
from concilio.export.html import tables
from concilio.export.outcomes import ending_of
from concilio.export.sheet import OF_THE_SRD, Printer, Sheet

if TYPE_CHECKING:
    from rules.ruleset import Ruleset

LINE = 52
"""Characters in a line of one of the two columns."""
PAGE_LINES = 96
"""Lines of both columns that are filled; the rest is left for how the browser breaks them."""
_ACTIVE = re.compile(r"[\\`*_{}\[\]<>|~^$&@#]|:(?=[^\s])|(?<=:):")
_FIRST = re.compile(r"(?m)^[ \t]*(?:([=:-]|\+(?=\s|$))|(\d{1,9})([.)])(?=\s|$))")


def to_homebrewery(book: Book, ruleset: "Ruleset") -> str:
    """Return the document. What a text holds that Homebrewery would act on is written as an entity."""
    printer = Printer(book, ruleset)
    pages = _paged([*_head(book, printer), *_scenes(book, printer), *_tail(book, printer)])
    foot = f"{{{{pageNumber,auto}}}}\n{{{{footnote {plain(book.title)}}}}}"
    return "\n\n\\page\n\n".join("\n\n".join([*page, foot]) for page in pages) + "\n"


def plain(text: str) -> str:
    """Return a text in which nothing is Markdown, HTML or a block of Homebrewery."""
    escaped = _ACTIVE.sub(lambda found: f"&#{ord(found[0])};", text.strip())
    return _FIRST.sub(_as_entity, escaped)


def _as_entity(found: re.Match[str]) -> str:
    return f"&#{ord(found[1])};" if found[1] else f"{found[2]}&#{ord(found[3])};"


def _head(book: Book, p: Printer) -> Iterator[str]:
    kicker = f" {plain(book.adventure)} · " if book.adventure else " "
    yield f"#{kicker}{plain(p.say('chapter', number=book.number))}\n## {plain(book.title)}"
    if book.header:
        yield f"### {plain(p.say('header'))}"
        yield "\n\n".join("\n\n".join(_entry(entry)) for entry in book.header)
    if book.notes:
        yield _lines(book.notes)


def _entry(entry: Entry) -> Iterator[str]:
    yield f"**{plain(entry.label)}.** {_lines(entry.text)}".strip()
    if entry.points:
        yield "\n".join(_marked(one.number, _lines(one.text)) for one in entry.points)


def _marked(number: int | None, text: str) -> str:
    return f"- {text}" if number is None else f"{number}. {text}"


def _lines(text: str) -> str:
    return "<br>".join(plain(line) for line in text.split("\n"))


def _scenes(book: Book, p: Printer) -> Iterator[str]:
    for scene in book.scenes:
        ending = ending_of(book, scene)
        yield f"## {plain(scene.id)} {plain(scene.title)}"
        where = [(p.say(f"field.{key}"), scene.text_of(key)) for key in ("place", "present")]
        if any(text for _, text in where):
            yield "\n\n".join(f"**{plain(label)}.** {plain(text)}" for label, text in where if text)
        yield from _prose(scene.prose)
        if not scene.prose:
            yield from _plan(scene, p)
        yield from _box(scene, p)
        if ending.rows:
            yield f"#### {plain(p.say(ending.title))}"
            yield "\n".join(_outcome(each.label, each.text, p.leads(each.leads_to)) for each in ending.rows)


def _outcome(label: str, text: str, leads: str) -> str:
    told = f"**{plain(label)}.** {plain(text)}" if text else f"**{plain(label)}**"
    return f"- {told}" + (f" *→ {plain(leads)}*" if leads else "")


def _plan(scene: Scene, p: Printer) -> Iterator[str]:
    for key in ("situation", "player_action", "state_change"):
        if text := scene.text_of(key):
            yield f"**{plain(p.say(f'field.{key}'))}.** {plain(text)}"


def _box(scene: Scene, p: Printer) -> Iterator[str]:
    """Yield the scene's rolls in a box."""
    if scene.rolls:
        rows = [f"- {plain(p.roll(roll))}: **{plain(p.dc(roll))}**" for roll in scene.rolls]
        yield "\n".join(["{{note", f"##### {plain(p.say('rolls'))}", *rows, "}}"])


def _prose(blocks: Sequence[Block]) -> Iterator[str]:
    for (aloud, aside), group in groupby(blocks, key=lambda block: (block.aloud, block.aside)):
        parts = list(_blocks(list(group)))
        if aloud:
            yield "\n".join(["{{descriptive", "\n\n".join(parts), "}}"])
        elif aside:
            yield "\n".join(["{{note", "\n\n".join(parts), "}}"])
        else:
            yield from parts


def _blocks(blocks: Sequence[Block]) -> Iterator[str]:
    for kind, group in groupby(blocks, key=lambda block: block.kind):
        if kind == "item":
            yield "\n".join(_item(block) for block in group)
        elif kind == "row":
            yield from (_table(rows) for rows in tables(list(group)))
        else:
            yield from (_single(block) for block in group)


def _table(rows: Sequence[Block]) -> str:
    """Return a table; Homebrewery knows none without a head."""
    width = max((len(row.cells) for row in rows), default=0)
    head = rows[0] if rows[0].head else Block("row", cells=(Block("text"),) * width)
    lines = [_table_row(head), "|" + ":---|" * width, *(_table_row(row) for row in rows if not row.head)]
    return "\n".join(lines)


def _table_row(row: Block) -> str:
    return "|" + "".join(f" {_runs(cell.runs)} |" for cell in row.cells)


def _item(block: Block) -> str:
    return "    " * (block.depth - 1) + _marked(block.number, _runs(block.runs))


def _single(block: Block) -> str:
    if block.kind == "heading":
        return f"{'#' * min(5, 2 + block.depth)} {_runs(block.runs)}"
    if block.kind == "rule":
        return "___"
    if block.kind == "code":
        return _lines(block.plain)
    return _runs(block.runs)


def _runs(runs: Sequence[Run]) -> str:
    return "".join(_run(run) for run in runs).strip()


def _run(run: Run) -> str:
    """Return a run as Markdown; its outer spaces stand outside of its marks, where marks need them."""
    body = run.text.strip(" ")
    if not body:
        return run.text
    start = run.text[: len(run.text) - len(run.text.lstrip(" "))]
    end = run.text[len(run.text.rstrip(" ")) :]
    mark = "**" * run.bold + "*" * run.italic
    return f"{start}{mark}{_lines(body)}{mark[::-1]}{end}"


def _tail(book: Book, p: Printer) -> Iterator[str]:
    if book.monsters:
        yield f"## {plain(p.say('monsters'))}"
        yield from (_monster(p.sheet(monster), p) for monster in book.monsters)
    if book.objections or book.findings:
        yield f"## {plain(p.say('open'))}"
        rows = [f"- **{plain(o.id)} · {plain(o.scene)}.** {plain(o.text)}" for o in book.objections]
        yield "\n".join([*rows, *(f"- {plain(f.message)}" for f in book.findings)])
    yield f"*{plain(p.say('made_with'))}" + (f" {plain(p.say('srd'))}*" if _of_srd(p) else "*")


def _of_srd(p: Printer) -> bool:
    return p.ruleset.id == OF_THE_SRD


def _monster(sheet: Sheet, p: Printer) -> str:
    parts = ["{{monster,frame", f"## {plain(sheet.name)}"]
    parts += [f"*{plain(sheet.kind)}*"] if sheet.kind else []
    parts += ["___", *_pairs(sheet.top)]
    if sheet.abilities:
        names, scores = zip(*sheet.abilities, strict=True)
        parts += ["___", _row(names), _row([":---:"] * len(names), raw=True), _row(scores)]
    parts += ["___", *_pairs(sheet.rest)]
    if sheet.deeds:
        parts += ["___", f"### {plain(p.say('stat.actions'))}"]
        parts += ["\n\n".join(f"***{plain(name)}.*** {plain(text)}" for name, text in sheet.deeds)]
    return "\n".join([*parts, "}}"])


def _pairs(pairs: Iterable[tuple[str, str]]) -> list[str]:
    return [f"**{plain(label)}** :: {plain(text)}" for label, text in pairs]


def _row(cells: Iterable[str], *, raw: bool = False) -> str:
    return "|" + "|".join(cell if raw else plain(cell) for cell in cells) + "|"


def _paged(parts: Sequence[str]) -> list[list[str]]:
    """Cut parts into pages: a heading goes with what follows it, a part larger than a page has one alone."""
    pages: list[list[str]] = [[]]
    used = 0
    for place, part in enumerate(parts):
        follows = parts[place + 1 : place + 2] if part.startswith("#") else ()
        needed = _cost(part)
        if pages[-1] and used + needed + sum(map(_cost, follows)) > PAGE_LINES:
            pages.append([])
            used = 0
        pages[-1].append(part)
        used += needed
    return pages


def _cost(part: str) -> int:
    """Return about how many lines a part fills; what stands in a box or is a heading takes more room."""
    lines = sum(1 + len(line) // LINE for line in part.replace("<br>", "\n").split("\n"))
    return lines + (4 if part.startswith(("{{", "#")) else 1)
