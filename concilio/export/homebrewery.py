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
from concilio.export.sheet import Printer, Sheet

if TYPE_CHECKING:
    from rules.ruleset import Ruleset

LINE = 52
"""Characters in a line of one of the two columns."""
PAGE_LINES = 96
"""Lines of both columns that are filled; the rest is left for how the browser breaks them."""
SHORT = 4
"""Lines of an end that does not stand alone on a page."""
_ACTIVE = re.compile(
    r"""[*\[\]{}|~^`\\]
    |(?<![^\W_])_|_(?![^\W_])          # emphasis, which never begins or ends within a word
    |\#(?=[\#\s]*\Z)                   # the end of a heading
    |<(?=[a-zA-Z/!?])                  # a tag
    |&(?=\#?\w+;)                      # an entity
    |(?<=\w)@(?=\w)|\b[wW](?=[wW]{2}\.) # an address
    |:(?=:|//|[a-zA-Z]\w*:)|(?<=:)[:>] # a definition, an address, a picture by its name, a space
    """,
    re.VERBOSE,
)
"""What acts anywhere in a line."""
_FIRST = re.compile(r"\A(?:([=:>#]|-(?=[\s:-]|\Z)|\+(?=\s|\Z))|(\d{1,9})([.)])(?=\s|\Z))")
"""What acts where a paragraph or an item begins."""
_BREAK = re.compile(r"\s*\n\s*")


def to_homebrewery(book: Book, ruleset: "Ruleset") -> str:
    """Return the document. What a text holds that Homebrewery would act on is written as an entity."""
    printer = Printer(book, ruleset)
    pages = _paged([*_head(book, printer), *_scenes(book, printer), *_tail(book, printer)])
    foot = f"{{{{pageNumber,auto}}}}\n{{{{footnote {inline(book.title)}}}}}"
    return "\n\n\\page\n\n".join("\n\n".join([*page, foot]) for page in pages) + "\n"


def plain(text: str) -> str:
    """Return a text that begins a paragraph, in which nothing is Markdown, HTML or a block of Homebrewery."""
    return _FIRST.sub(_as_entity, inline(text))


def inline(text: str) -> str:
    """Return a text that stands within a line, in which nothing acts."""
    return _ACTIVE.sub(lambda found: f"&#{ord(found[0])};", _BREAK.sub(" ", text.strip()))


def _as_entity(found: re.Match[str]) -> str:
    return f"&#{ord(found[1])};" if found[1] else f"{found[2]}&#{ord(found[3])};"


def _head(book: Book, p: Printer) -> Iterator[str]:
    kicker = f" {inline(book.adventure)} · " if book.adventure else " "
    yield f"#{kicker}{inline(p.say('chapter', number=book.number))}\n## {inline(book.title)}"
    if book.header:
        yield f"### {inline(p.say('header'))}"
        yield "\n\n".join("\n\n".join(_entry(entry)) for entry in book.header)
    if book.notes:
        yield _lines(book.notes)


def _entry(entry: Entry) -> Iterator[str]:
    yield f"**{inline(entry.label)}.** {_lines(entry.text, within=True)}".strip()
    if entry.points:
        yield "\n".join(_marked(one.number, _lines(one.text)) for one in entry.points)


def _marked(number: int | None, text: str) -> str:
    return f"- {text}" if number is None else f"{number}. {text}"


def _lines(text: str, *, within: bool = False) -> str:
    """Return lines as one paragraph, or as what follows `within` one."""
    first, *rest = text.split("\n")
    return "<br>".join([inline(first) if within else plain(first), *map(inline, rest)])


def _scenes(book: Book, p: Printer) -> Iterator[str]:
    for scene in book.scenes:
        ending = ending_of(book, scene)
        yield "\n\n".join(_top(scene, p))
        yield from _prose(scene.prose)
        if not scene.prose:
            yield from _plan(scene, p)
        if ending.rows:
            yield f"#### {inline(p.say(ending.title))}"
            yield "\n".join(_outcome(each.label, each.text, p.leads(each.leads_to)) for each in ending.rows)


def _top(scene: Scene, p: Printer) -> Iterator[str]:
    """Yield what stands above a scene's text: where it is, who is there, what is rolled."""
    yield f"## {inline(scene.id)} {inline(scene.title)}"
    for key in ("place", "present"):
        if text := scene.text_of(key):
            yield f"**{inline(p.say(f'field.{key}'))}.** {inline(text)}"
    yield from _box(scene, p)


def _outcome(label: str, text: str, leads: str) -> str:
    told = f"**{inline(label)}.** {inline(text)}" if text else f"**{inline(label)}**"
    return f"- {told}" + (f" *→ {inline(leads)}*" if leads else "")


def _plan(scene: Scene, p: Printer) -> Iterator[str]:
    for key in ("situation", "player_action", "state_change"):
        if text := scene.text_of(key):
            yield f"**{inline(p.say(f'field.{key}'))}.** {inline(text)}"


def _box(scene: Scene, p: Printer) -> Iterator[str]:
    """Yield the scene's rolls in a box."""
    if scene.rolls:
        rows = [f"- {inline(p.roll(roll))}: **{inline(p.dc(roll))}**" for roll in scene.rolls]
        edges = [f"\n*{inline(one)}*" for one in scene.edges]
        yield "\n".join(["{{note", f"##### {inline(p.say('rolls'))}", *rows, *edges, "}}"])


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
    return "|" + "".join(f" {_runs(cell.runs, within=True)} |" for cell in row.cells)


def _item(block: Block) -> str:
    return "    " * (block.depth - 1) + _marked(block.number, _runs(block.runs))


def _single(block: Block) -> str:
    if block.kind == "heading":
        return f"{'#' * min(5, 2 + block.depth)} {_runs(block.runs, within=True)}"
    if block.kind == "rule":
        return "___"
    if block.kind == "code":
        return _lines(block.plain)
    return _runs(block.runs)


def _runs(runs: Sequence[Run], *, within: bool = False) -> str:
    """Return runs as Markdown; Homebrewery's code has no look of its own here, and parts no text."""
    looks = groupby(runs, key=lambda run: (run.bold, run.italic))
    whole = [Run("".join(run.text for run in group), bold, italic) for (bold, italic), group in looks]
    parts = (_run(run, within=within or place > 0) for place, run in enumerate(whole))
    return "".join(parts).strip()


def _run(run: Run, *, within: bool) -> str:
    """Return a run as Markdown; its outer spaces stand outside of its marks, where marks need them."""
    body = run.text.strip(" ")
    if not body:
        return run.text
    start = run.text[: len(run.text) - len(run.text.lstrip(" "))]
    end = run.text[len(run.text.rstrip(" ")) :]
    mark = "**" * run.bold + "*" * run.italic
    return f"{start}{mark}{_lines(body, within=within or mark != '')}{mark[::-1]}{end}"


def _tail(book: Book, p: Printer) -> Iterator[str]:
    if book.monsters:
        yield f"## {inline(p.say('monsters'))}"
        yield from (_monster(p.sheet(monster), p) for monster in book.monsters)
    if book.objections or book.findings:
        yield f"## {inline(p.say('open'))}"
        rows = [f"- **{inline(o.id)} · {inline(o.scene)}.** {inline(o.text)}" for o in book.objections]
        yield "\n".join([*rows, *(f"- {plain(f.message)}" for f in book.findings)])
    yield f"*{inline(p.credits)}*"


def _monster(sheet: Sheet, p: Printer) -> str:
    parts = ["{{monster,frame", f"## {inline(sheet.name)}"]
    parts += [f"*{inline(sheet.kind)}*"] if sheet.kind else []
    parts += ["___", *_pairs(sheet.top)]
    if sheet.abilities:
        names, scores = zip(*sheet.abilities, strict=True)
        parts += ["___", _row(names), _row([":---:"] * len(names), raw=True), _row(scores)]
    parts += ["___", *_pairs(sheet.rest)]
    if sheet.deeds:
        parts += ["___", f"### {inline(p.say('stat.actions'))}"]
        parts += ["\n\n".join(f"***{inline(name)}.*** {inline(text)}" for name, text in sheet.deeds)]
    return "\n".join([*parts, "}}"])


def _pairs(pairs: Iterable[tuple[str, str]]) -> list[str]:
    return [f"**{inline(label)}** :: {inline(text)}" for label, text in pairs]


def _row(cells: Iterable[str], *, raw: bool = False) -> str:
    return "|" + "|".join(cell if raw else inline(cell) for cell in cells) + "|"


def _paged(parts: Sequence[str]) -> list[list[str]]:
    """Cut parts into pages, between what does not hang together; what is larger than a page is cut within."""
    pages: list[list[str]] = [[]]
    used = 0
    for group in _groups(parts):
        whole = sum(map(_cost, group))
        if pages[-1] and used + whole > PAGE_LINES:
            pages.append([])
            used = 0
        for part in group:
            needed = _cost(part)
            if pages[-1] and used + needed > PAGE_LINES:
                pages.append([])
                used = 0
            pages[-1].append(part)
            used += needed
    return pages


def _groups(parts: Sequence[str]) -> list[list[str]]:
    """Return parts that stand together.

    A heading, or what ends with a colon, with what follows it; a short end of a scene with what it ends.
    """
    groups: list[list[str]] = []
    for place, part in enumerate(parts):
        above = parts[place - 1] if place else ""
        leads = above.startswith("#") or above.rstrip("*").endswith(":")
        ends = _cost(part) <= SHORT and all(each.startswith("#") for each in parts[place + 1 : place + 2])
        if groups and (leads or ends):
            groups[-1].append(part)
        else:
            groups.append([part])
    return groups


def _cost(part: str) -> int:
    """Return about how many lines a part fills; what stands in a box or is a heading takes more room."""
    lines = sum(1 + len(line) // LINE for line in part.replace("<br>", "\n").split("\n"))
    return lines + (4 if part.startswith(("{{", "#")) else 1)
