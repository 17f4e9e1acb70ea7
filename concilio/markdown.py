"""The one reader of models' Markdown: CommonMark and tables, no HTML, no images."""

from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from markdown_it import MarkdownIt


@cache
def markdown_parser() -> "MarkdownIt":
    """Return the parser; HTML in a text stays text.

    Raises:
        ImportError: neither the extra `view` nor the extra `export` is installed.
    """
    from markdown_it import MarkdownIt

    return MarkdownIt("commonmark", {"html": False, "linkify": False}).enable("table").disable("image")
