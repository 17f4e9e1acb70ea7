"""The tutorials as steps: commands with the output that is shown, and texts that the reader adds."""

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

DOCS = Path(__file__).resolve().parents[1] / "docs"
TUTORIALS = {"es": DOCS / "tutorial.md", "en": DOCS / "tutorial.en.md"}
ELSEWHERE = "…"
"""Stands for output that is not shown."""
_FENCE = re.compile(r"^```(console|markdown)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Step:
    """A command with the lines of its output that are shown, or a text that the reader adds."""

    typed: str
    """As it stands in the tutorial, over several lines perhaps; empty for a text."""
    words: tuple[str, ...]
    shown: tuple[str, ...]
    added: str = ""


def steps(language: str) -> Iterator[Step]:
    """Give the steps of a language's tutorial in order."""
    for kind, block in _FENCE.findall(TUTORIALS[language].read_text(encoding="utf-8")):
        if kind == "markdown":
            yield Step("", (), (), block)
        else:
            yield from _commands(block)


def _commands(block: str) -> Iterator[Step]:
    for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
        lines = part.splitlines()
        last = next(i for i, line in enumerate(lines) if not line.endswith("\\"))
        words = shlex.split(" ".join(line.removesuffix("\\") for line in lines[: last + 1]))
        shown = tuple(line for line in lines[last + 1 :] if line and line != ELSEWHERE)
        yield Step("\n".join(lines[: last + 1]), tuple(words), shown)


def expanded(words: tuple[str, ...], folder: Path) -> list[str]:
    """Return a command's words with their patterns of files replaced by the files, as a shell does.

    Raises:
        LookupError: a pattern stands for no file.
    """
    found = [_files(word, folder) if "*" in word else [word] for word in words]
    return [word for some in found for word in some]


def _files(pattern: str, folder: Path) -> list[str]:
    files = sorted(str(file.relative_to(folder)) for file in folder.glob(pattern))
    if not files:
        raise LookupError(pattern)
    return files
