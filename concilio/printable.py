"""Names of files and texts of others as they may be shown on a terminal, and as programs read them."""

import os
from pathlib import Path
from urllib.parse import quote_from_bytes


def printable(name: str | Path) -> str:
    """Return a name without anything that a terminal would obey: a `?` stands for each such character."""
    return "".join(c if c.isprintable() else "?" for c in str(name))


def shown_text(text: str) -> str:
    """Return somebody's text for a terminal: its lines and tabs, and nothing else that would be obeyed."""
    return "".join(c if c.isprintable() or c in "\n\t" else "?" for c in text)


def shell_word(name: str | Path) -> str:
    r"""Return a name as a word of a shell: what a command that is printed needs to work as it stands.

    What a terminal would obey, or is no text, is written by its code: `$'a\x0ab'` (bash, zsh).
    """
    text = str(name)
    text = f"./{text}" if text.startswith("-") else text
    if all(c.isprintable() for c in text):
        from shlex import quote  # here: help does not need it

        return quote(text)
    return "$'" + "".join(_in_quotes(c) for c in text) + "'"


def _in_quotes(char: str) -> str:
    if char in "\\'":
        return "\\" + char
    if char.isprintable():
        return char
    errors = "surrogateescape" if "\udc80" <= char <= "\udcff" else "surrogatepass"
    return "".join(f"\\x{byte:02x}" for byte in char.encode("utf-8", errors))


def as_text(name: str) -> str:
    r"""Return a name that any form can hold: a byte of it that is no UTF-8 is written out (`\xff`)."""
    return os.fsencode(name).decode("utf-8", "backslashreplace")


def as_uri(name: str) -> str:
    """Return the relative reference that names a file, byte for byte (RFC 3986); a colon opens no scheme."""
    return quote_from_bytes(os.fsencode(Path(name).as_posix()), safe="/")
