"""Files read up to a bound: a device or a pipe tells no size, and may have no end."""

from pathlib import Path


class TooLargeError(ValueError):
    """A file holds more than is read."""


def read_text(path: Path, most: int, encoding: str = "utf-8") -> str:
    """Return the text of a file of at most so many bytes; no more of it is ever read.

    Raises:
        TooLargeError: it holds more.
        UnicodeDecodeError: it is no such text.
        OSError: it cannot be read.
        ValueError: no file can have that name.
    """
    with path.open("rb") as stream:
        data = stream.read(most + 1)
    if len(data) > most:
        raise TooLargeError(str(path))
    return data.decode(encoding).replace("\r\n", "\n").replace("\r", "\n")
