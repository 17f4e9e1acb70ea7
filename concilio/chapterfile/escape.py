r"""The escape by which any text travels through Markdown unharmed, and comes back the same.

Ordinary prose is left as it is. A backslash goes before what a Markdown reader or ours would act on: raw HTML
(`\<script>`), code fences, `[[references]]`, links, entities, and the backslash itself, which makes it
reversible. What a backslash cannot protect (control characters, edges of white space) is written `\u{1b}`.
"""

import re
from collections.abc import Callable
from functools import cache

_CONTROL = r"\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ud800-\udfff"
_SPECIAL = re.compile(
    r"\\"
    r"|<(?=[A-Za-z/!?]|\Z)|(?<=<)!"
    r"|`{3,}|~{3,}"
    r"|\[{2,}|\](?=\()"
    r"|&(?=#?\w{1,32};)"
    rf"|[{_CONTROL}]"
)
_ESCAPED = re.compile(r"\\(?:u\{([0-9a-f]{1,6})\}|([!-/:-@\[-`{-~]))")
_HEADING = re.compile(r"[ \t]{0,8}(#{1,6})(?=[ \t]|\Z)")
_DEFINITION = re.compile(r"[ \t>]{0,12}\[(?:[^\\\[\]]|\\.)*\]:")
_UNDERLINE = re.compile(r"[ \t]{0,8}=+[ \t]*\Z")


def code(char: str) -> str:
    """Return the `\\u{…}` form of a character."""
    return f"\\u{{{ord(char):x}}}"


def _one(match: re.Match[str]) -> str:
    found = match.group()
    if found[0].isprintable():
        return "".join("\\" + char for char in found)
    return code(found)


def escape(text: str) -> str:
    """Escape a text that is written inside a line or a block; line ends other than LF become codes."""
    return _SPECIAL.sub(_one, text)


def escape_line(text: str, also: str = "") -> str:
    """Escape a text that must stay in one line; each character of `also` gets a backslash too.

    White space at its edges becomes codes, so that a reader may trim.
    """
    return keep_edges(_with(also).sub(_one, text).replace("\n", code("\n")))


@cache
def _with(also: str) -> re.Pattern[str]:
    return re.compile(f"{_SPECIAL.pattern}|[{re.escape(also)}]") if also else _SPECIAL


def keep_edges(text: str, keep: str = "") -> str:
    """Replace white space at both ends by its codes, but for the characters of `keep`."""
    core = text.strip()
    at = text.index(core) if core else len(text)
    before, after = (
        "".join(c if c in keep else code(c) for c in edge) for edge in (text[:at], text[at + len(core) :])
    )
    return before + core + after


def escape_block(text: str, is_structure: Callable[[str], bool]) -> str:
    """Escape a text of several lines; a line that is structure, or defines a link, gets a backslash.

    Line ends at its edges stay as they are; other white space there becomes codes.
    """
    lines = (_guarded(line, is_structure) for line in escape(text).split("\n"))
    return keep_edges("\n".join(lines), keep="\n")


def _guarded(line: str, is_structure: Callable[[str], bool]) -> str:
    return _guard(line) if is_structure(line) or _DEFINITION.match(line) else line


def _guard(line: str) -> str:
    bare = line.lstrip()
    lead = line[: len(line) - len(bare)]
    return lead + ("\\" + bare if not bare[0].isalnum() else code(bare[0]) + bare[1:])


def heading_level(line: str) -> int:
    """Return the level of the ATX heading that a line is, 1 for a line of `=`, else 0."""
    match = _HEADING.match(line)
    if match:
        return len(match[1])
    return 1 if _UNDERLINE.match(line) else 0


def _back(match: re.Match[str]) -> str:
    if match[2]:
        return match[2]
    number = int(match[1], 16)
    return chr(number) if number <= 0x10FFFF else match[0]


def unescape(text: str) -> str:
    """Undo `escape`; in other people's Markdown, resolve backslash escapes as Markdown does."""
    return _ESCAPED.sub(_back, text) if "\\" in text else text
