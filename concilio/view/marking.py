"""Markdown of models as safe HTML, with every finding underlined at its place.

What is untrusted passes markdown-it with HTML off, and then nh3. The marks are put in afterwards, by us: a
character of the private use area stands in the text for where each begins and ends.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from markupsafe import Markup, escape

from concilio.markdown import markdown_parser
from rules.findings import Finding

if TYPE_CHECKING:
    from markdown_it.token import Token

LONGEST = 400_000
"""Characters of one text that are formatted; a longer one is shown as it is."""
_FIRST = 0xE000
_MOST = 3000
"""Marks in one text; each needs two characters of the private use area."""
_PRIVATE = re.compile("[\ue000-\uf8ff]")
_PARTS = re.compile(r"""<(?:[^"'<>]|"[^"]*"|'[^']*')*>|[^<]+|<""")
_TAGS = frozenset(
    ("p", "h2", "h3", "h4", "h5", "h6", "em", "strong", "s", "ul", "ol", "li", "blockquote", "code", "pre")
) | {"hr", "br", "a", "table", "thead", "tbody", "tr", "th", "td"}
_LINKS = frozenset({"http", "https", "mailto"})


@dataclass(frozen=True, slots=True)
class Placed:
    """A finding with its number on the page, and whether its quote was found in the text."""

    number: int
    finding: Finding
    found: bool


def to_html(text: str, heading: int = 4) -> Markup:
    """Return Markdown as safe HTML whose headings begin at a level."""
    return _safe(_PRIVATE.sub("", text), heading)


def _safe(text: str, heading: int, opens: bool = False) -> Markup:
    import nh3

    if len(text) > LONGEST:
        return Markup("<pre>{}</pre>").format(text)
    formatter = markdown_parser()
    tokens = formatter.parse(text)
    if opens:
        tokens = _opening_quoted(tokens)
    for token in tokens:
        if token.type in ("heading_open", "heading_close"):
            token.tag = f"h{min(6, heading)}"
    html = formatter.renderer.render(tokens, formatter.options, {})
    clean = nh3.clean(
        html,
        tags=set(_TAGS),
        attributes={"a": {"href"}, "ol": {"start"}},
        url_schemes=set(_LINKS),
        link_rel="noopener noreferrer nofollow",
    )
    return Markup(clean)  # noqa: S704 - this is what cleaning is for


def place(findings: Sequence[Finding], text: str, first: int) -> tuple[Placed, ...]:
    """Number findings from `first`, and tell which of them have their quote in a text."""
    return tuple(
        Placed(first + i, f, bool(f.quote.strip()) and f.quote in text) for i, f in enumerate(findings)
    )


def _opening_quoted(tokens: "list[Token]") -> "list[Token]":
    """Put a scene's first paragraph into a quotation, into the one that follows it where one does."""
    from markdown_it.token import Token

    end = next((place for place, token in enumerate(tokens) if token.type == "paragraph_close"), None)
    if end is None or tokens[0].type != "paragraph_open":
        return tokens
    first, rest = tokens[: end + 1], tokens[end + 1 :]
    if rest and rest[0].type == "blockquote_open":
        return [rest[0], *first, *rest[1:]]
    opened, closed = Token("blockquote_open", "blockquote", 1), Token("blockquote_close", "blockquote", -1)
    opened.block = closed.block = True
    return [opened, *first, closed, *rest]


def marked(
    text: str, placed: Sequence[Placed], heading: int = 4, *, aloud: str = "", opens: bool = False
) -> Markup:
    """Return prose as safe HTML with each finding underlined; `aria-describedby` names its explanation.

    Args:
        text: Markdown.
        placed: findings against it.
        heading: level of its highest headings.
        aloud: what boxes of text to be read to the players are called; empty for no boxes.
        opens: whether the first paragraph is to be read to them, too.
    """
    text = _PRIVATE.sub("", text)
    kept = [one for one in placed if one.found][:_MOST]
    html = Markup("").join(_marks(_safe(_with_signs(text, kept), heading, opens and bool(aloud)), kept))
    # nh3 leaves a quotation no attributes, and writes a "<" of the text as an entity: these are tags.
    box = Markup('<blockquote class="aloud" role="note" aria-label="{}">').format(aloud)
    return html.replace("<blockquote>", box) if aloud else html


def _with_signs(text: str, placed: Sequence[Placed]) -> str:
    """Put a sign before and after each quote; several findings on one quote take its next places in turn."""
    signs: list[tuple[int, int, str]] = []
    after: dict[str, int] = {}
    for index, one in enumerate(placed):
        quote = one.finding.quote
        at = text.find(quote, after.get(quote, 0))
        at = text.find(quote) if at < 0 else at
        if at < 0:
            continue
        after[quote] = at + len(quote)
        signs.append((at, 1, chr(_FIRST + 2 * index)))
        signs.append((at + len(quote), 0, chr(_FIRST + 2 * index + 1)))
    parts: list[str] = []
    last = 0
    for at, _, sign in sorted(signs):
        parts += [text[last:at], sign]
        last = at
    return "".join([*parts, text[last:]])


def _marks(html: str, placed: Sequence[Placed]) -> Iterator[Markup]:
    """Turn signs into marks, closed before every tag and opened again after it: always well nested."""
    open_now: list[int] = []
    told: set[int] = set()
    for part in _PARTS.findall(html):
        if part.startswith("<") and len(part) > 1:
            yield Markup(_PRIVATE.sub("", part))  # noqa: S704 - a tag that nh3 let through
            continue
        for piece in re.split("([\ue000-\uf8ff])", part):
            if _PRIVATE.fullmatch(piece):
                index, ends = divmod(ord(piece) - _FIRST, 2)
                open_now = [i for i in open_now if i != index] if ends else [*open_now, index]
            elif piece:
                yield _mark(Markup(piece), [placed[i] for i in open_now], told)  # noqa: S704 - text of nh3


def _mark(text: Markup, around: Sequence[Placed], told: set[int]) -> Markup:
    if not around or not text.strip():
        return text
    worst = min(around, key=lambda one: ("error", "warning", "note").index(one.finding.severity))
    ids = " ".join(f"finding-{one.number}" for one in around)
    new = [one for one in around if one.number not in told]
    told.update(one.number for one in new)
    tips = Markup("").join(_tip(one) for one in around)
    stop = Markup(' tabindex="0"') if new else ""
    return Markup(
        '<span class="spot"><mark class="{}"{} aria-describedby="{}">{}</mark>'
        '<span class="tip" aria-hidden="true">{}</span></span>'
    ).format(worst.finding.severity, stop, ids, text, tips)


def _tip(one: Placed) -> Markup:
    expected = Markup("<span>{}</span>").format(one.finding.expected) if one.finding.expected else ""
    return Markup("<span><b>{}</b> {}{}</span>").format(
        one.finding.rule, escape(one.finding.message), expected
    )
