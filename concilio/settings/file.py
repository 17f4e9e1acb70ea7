"""The file `concilio.toml`: where it is, what it says, and on which line."""

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from concilio.catalogue import say
from concilio.settings.problems import SettingsError, SettingsProblem

FILE_NAME = "concilio.toml"
MOST_BYTES = 1_000_000


@dataclass(frozen=True, slots=True)
class SettingsFile:
    """A settings file that was read."""

    path: Path
    text: str
    table: dict[str, Any]

    def place(self, key: str) -> str:
        """Return `path:line` of a key (`rounds`, `agents.iris`), or the path where the line is not known."""
        line = line_of(self.text, key)
        return f"{self.path}:{line}" if line else str(self.path)


def find_file(cwd: Path, beside: Path | None) -> Path | None:
    """Return the nearest settings file: beside the adventure, else in the current folder."""
    folders = [] if beside is None else [beside if beside.is_dir() else beside.parent]
    return next((f / FILE_NAME for f in (*folders, cwd) if is_in(f)), None)


def is_in(folder: Path) -> bool:
    """Tell whether a folder has a settings file; one that may not be looked into has none."""
    try:
        return (folder / FILE_NAME).is_file()
    except OSError:
        return False


def read_file(path: Path) -> SettingsFile:
    """Read a settings file.

    Raises:
        SettingsError: it cannot be read or is no TOML.
    """
    try:
        with path.open("rb") as stream:
            data = stream.read(MOST_BYTES + 1)
        if len(data) > MOST_BYTES:
            raise ValueError(say("settings.too_large"))
        text = data.decode("utf-8-sig")
        return SettingsFile(path, text, tomllib.loads(text))
    except OSError as error:
        message = say("settings.unreadable", problem=error.strerror or error)
    except (ValueError, RecursionError) as error:
        message = say("settings.no_toml", problem=str(error) or type(error).__name__)
    raise SettingsError([SettingsProblem(str(path), message)])


def line_of(text: str, key: str) -> int | None:
    """Return the line, from 1, on which a key is set; None where a plain scan does not find it."""
    table, _, name = key.rpartition(".")
    current = ""
    for number, line in enumerate(text.splitlines(), start=1):
        stripped = line.strip()
        if stripped.startswith("["):
            current = stripped.strip("[]").strip()
            if current == key:
                return number
            continue
        left = _plain(stripped.partition("=")[0])
        if left and ((current, left) == (table, name) or (current == "" and left in (key, table))):
            return number
    return None


def _plain(key: str) -> str:
    return ".".join(part.strip().strip("\"'") for part in key.split("."))
