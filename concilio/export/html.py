"""A book as one HTML file: no script, nothing loaded from anywhere, for a phone and for paper."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import groupby, pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from markupsafe import Markup, escape

from concilio.export.book import Block, Book, Point, Run
from concilio.export.outcomes import ending_of
from concilio.export.sheet import Printer

if TYPE_CHECKING:
    from jinja2 import Environment

    from rules.ruleset import Ruleset

TEMPLATES = Path(__file__).parent / "templates"
DEEPEST = 6
HEADING = 3
"""Level above the headings inside a scene's prose."""


def to_html(book: Book, ruleset: "Ruleset") -> str:
    """Return the page. Every text is escaped where it is put in; only we write tags."""
    template = _environment().get_template("book.html")
    css = Markup((TEMPLATES / "book.css").read_text(encoding="utf-8"))  # noqa: S704 - a file of ours
    printer = Printer(book, ruleset)
    return template.render(
        book=book,
        p=printer,
        css=css,
        sheets=[printer.sheet(monster) for monster in book.monsters],
        prose=blocks_html,
        ending_of=ending_of,
        points_html=points_html,
        picture=Markup(book.picture.replace('role="img"', 'role="img" aria-labelledby="map"', 1)),  # noqa: S704 - our renderer's, escaped
    )


@cache
def _environment() -> "Environment":
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    return Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def blocks_html(blocks: Sequence[Block], printer: Printer) -> Markup:
    """Return blocks as HTML of the page."""
    return _PAGE.blocks(blocks, printer)


@dataclass(frozen=True, slots=True)
class Setter:
    """Sets blocks as HTML: boxes around what is read aloud, lists well nested, headings without a gap."""

    inline: Callable[[Block, Printer], Markup]
    """Returns the text of a block."""
    aloud: Markup
    """Box around what is read aloud: its name, its content."""
    aside: Markup
    heading: int
    """Level above the headings inside a text."""

    def blocks(self, blocks: Sequence[Block], printer: Printer) -> Markup:
        """Return blocks as HTML."""
        parts: list[Markup] = []
        for aloud, group in groupby(blocks, key=lambda block: block.aloud):
            inner = Markup("\n").join(self._parts(list(group), printer))
            parts.append(self.aloud.format(printer.say("aloud"), inner) if aloud else inner)
        return Markup("\n").join(parts)

    def _parts(self, blocks: Sequence[Block], printer: Printer) -> Iterator[Markup]:
        level = self.heading
        for kind, group in groupby(blocks, key=lambda block: block.kind):
            if kind == "item":
                yield self._list(list(group), printer)
                continue
            if kind == "row":
                yield from (self._table(rows, printer) for rows in tables(list(group)))
                continue
            for block in group:
                if block.kind == "heading":
                    level = min(level + 1, self.heading + block.depth, DEEPEST)
                    yield Markup("<h{0}>{1}</h{0}>").format(level, self.inline(block, printer))
                else:
                    yield self._single(block, printer)

    def _single(self, block: Block, printer: Printer) -> Markup:
        if block.kind == "rule":
            return Markup("<hr>")
        text = self.inline(block, printer)
        if block.kind == "code":
            return Markup("<pre>{}</pre>").format(text)
        if block.aside:
            return self.aside.format(printer.say("aside"), text)
        return Markup("<p>{}</p>").format(text)

    def _table(self, rows: Sequence[Block], printer: Printer) -> Markup:
        """Return the rows of one table; the first one names the columns where it is a head."""
        head, body = Markup(""), Markup("")
        for row in rows:
            cell = Markup('<th scope="col">{}</th>' if row.head else "<td>{}</td>")  # noqa: S704 - one of two
            cells = Markup("").join(cell.format(self.inline(each, printer)) for each in row.cells)
            line = Markup("<tr>{}</tr>").format(cells)
            head, body = (head + line, body) if row.head else (head, body + line)
        shown = Markup("<thead>{}</thead>").format(head) if head else head
        shown += Markup("<tbody>{}</tbody>").format(body) if body else body
        return Markup('<div class="wide" tabindex="0"><table>{}</table></div>').format(shown)

    def _list(self, items: Sequence[Block], printer: Printer) -> Markup:
        """Return items of one list; deeper ones are set in, each inside the item that it belongs to."""
        tag = Markup("ul" if items[0].number is None else "ol")  # noqa: S704 - one of two
        base = items[0].depth
        parts: list[Markup] = []
        place = 0
        while place < len(items):
            end = place + 1
            while end < len(items) and items[end].depth > base:
                end += 1
            inner = self._list(items[place + 1 : end], printer) if end > place + 1 else ""
            numbered = tag == "ol" and items[place].number is not None
            value = Markup(' value="{}"').format(items[place].number) if numbered else ""
            parts.append(Markup("<li{}>{}{}</li>").format(value, self.inline(items[place], printer), inner))
            place = end
        return Markup("<{0}>{1}</{0}>").format(tag, Markup("").join(parts))


def tables(rows: Sequence[Block]) -> Iterator[Sequence[Block]]:
    """Yield the tables that rows are of: each head begins one."""
    starts = [0, *(place for place, row in enumerate(rows) if row.head and place), len(rows)]
    yield from (rows[first:last] for first, last in pairwise(starts))


def points_html(points: Sequence[Point], text: Callable[[str], Markup] = escape) -> Markup:
    """Return a list; `text` makes HTML of a point's text. Without points, nothing."""
    if not points:
        return Markup("")
    tag = Markup("ul" if points[0].number is None else "ol")  # noqa: S704 - one of two
    rows = (
        Markup("<li>{}</li>").format(text(one.text))
        if tag == "ul" or one.number is None
        else Markup('<li value="{}">{}</li>').format(one.number, text(one.text))
        for one in points
    )
    return Markup("<{0}>{1}</{0}>").format(tag, Markup("").join(rows))


def runs_html(runs: Sequence[Run]) -> Markup:
    """Return runs of text as HTML."""
    return Markup("").join(run_html(run, run.text) for run in runs)


def run_html(run: Run, text: str | Markup) -> Markup:
    """Return a text in the look of a run."""
    shown = Markup("<br>").join(escape(line) for line in text.split("\n"))
    for wanted, tag in ((run.code, "code"), (run.italic, "em"), (run.bold, "strong")):
        if wanted:
            shown = Markup("<{0}>{1}</{0}>").format(Markup(tag), shown)  # noqa: S704 - one of three
    return shown


_PAGE = Setter(
    inline=lambda block, _: runs_html(block.runs),
    aloud=Markup('<div class="aloud" role="note" aria-label="{}">{}</div>'),
    aside=Markup('<p class="aside" role="note" aria-label="{}">{}</p>'),
    heading=HEADING,
)
