"""From a path to texts: which files make an adventure, and what each says, within sane bounds."""

import re
import stat
from dataclasses import dataclass
from pathlib import Path

from concilio.adventure.problems import Problems

MAX_FILE_BYTES = 2_000_000
"""An outline of a thousand pages; more is a mistake."""
MAX_LINES = 20_000
MAX_FILES = 200
YAML_SUFFIXES = frozenset({".yaml", ".yml", ".json"})
MARKDOWN_SUFFIXES = frozenset({".md", ".markdown"})
_NOT_ADVENTURES = re.compile(r"(readme|leeme|léeme|changelog|license|licencia)\b", re.IGNORECASE)
_UTF16 = (b"\xff\xfe", b"\xfe\xff")
_UNPRINTABLE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff\ufffe\uffff\ud800-\udfff]"
)
"""Control characters, stray line ends, and marks that make a text look other than it is: read as spaces."""


@dataclass(frozen=True, slots=True)
class Source:
    """One file's text."""

    name: str
    """Path as shown in problems."""
    stem: str
    """File name without suffixes (`banquete` of `banquete.adventure.md`)."""
    text: str
    """With Unix newlines and without control characters; places in it are places in the file."""
    is_yaml: bool


def clean(text: str) -> str:
    """Return the text with control characters as spaces, so that it is safe to print and to store."""
    return _UNPRINTABLE.sub(" ", text)


def stem_of(path: Path) -> str:
    """Return a file's name without its suffixes, or a folder's name."""
    return path.name.split(".")[0] if path.name.strip(".") else path.resolve().name


def natural_key(name: str) -> tuple[tuple[int, int, str], ...]:
    """Return the sort key by which `capitulo_10` comes after `capitulo_9`."""
    parts = re.findall(r"([0-9]+)|([^0-9]+)", name.casefold())
    return tuple((0, int(number), "") if number else (1, 0, other) for number, other in parts)


def read_sources(path: Path, problems: Problems) -> tuple[Source, ...]:
    """Return the texts of the file, or of the folder's files in natural order; notes what cannot be read."""
    try:
        mode = path.stat().st_mode
        files = _files_of(path) if stat.S_ISDIR(mode) else (path,)
        usable = stat.S_ISDIR(mode) or stat.S_ISREG(mode)
    except (OSError, ValueError) as error:
        problems.add("not_found" if _is_missing(error) else "unreadable", reason=_reason(error))
        return ()
    if not usable:
        problems.add("not_a_file")
    elif not files:
        problems.add("empty_folder")
    elif len(files) > MAX_FILES:
        problems.add("too_many_files", count=len(files), limit=MAX_FILES)
    else:
        return tuple(s for s in (_read(file, problems) for file in files) if s is not None)
    return ()


def _files_of(folder: Path) -> tuple[Path, ...]:
    suffixes = MARKDOWN_SUFFIXES | (YAML_SUFFIXES - {".json"})
    found = [
        file
        for file in folder.iterdir()
        if file.suffix.casefold() in suffixes
        and not file.name.startswith((".", "_"))
        and not _NOT_ADVENTURES.match(file.name)
        and file.is_file()
    ]
    return tuple(sorted(found, key=lambda file: natural_key(file.name)))


def _read(path: Path, problems: Problems) -> Source | None:
    own = Problems(str(path))
    text = _text_of(path, own)
    problems.found.extend(own.found)
    if text is None:
        return None
    return Source(str(path), stem_of(path), text, path.suffix.casefold() in YAML_SUFFIXES)


def _text_of(path: Path, problems: Problems) -> str | None:
    try:
        with path.open("rb") as file:
            data = file.read(MAX_FILE_BYTES + 1)
    except OSError as error:
        problems.add("unreadable", reason=_reason(error))
        return None
    if len(data) > MAX_FILE_BYTES:
        problems.add("too_large", limit_mb=MAX_FILE_BYTES // 1_000_000)
        return None
    return _decode(data, problems)


def _decode(data: bytes, problems: Problems) -> str | None:
    if data.startswith(_UTF16):
        problems.add("not_utf8", 1, 1)
        return None
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = error.object[: error.start].decode("utf-8", "replace")
        before = before.replace("\r\n", "\n").replace("\r", "\n")
        problems.add("not_utf8", before.count("\n") + 1, len(before) - before.rfind("\n"))
        return None
    if "\x00" in text:
        problems.add("not_text")
        return None
    text = clean(text.replace("\r\n", "\n").replace("\r", "\n"))
    if text.count("\n") > MAX_LINES:
        problems.add("too_many_lines", limit=MAX_LINES)
        return None
    if not text.strip():
        problems.add("empty_file")
        return None
    return text


def _is_missing(error: Exception) -> bool:
    return isinstance(error, FileNotFoundError | NotADirectoryError)


def _reason(error: Exception) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or type(error).__name__
