"""Writing adventures for tests."""

from pathlib import Path

import pytest

from concilio.adventure import AdventureErrors, Problem, load_adventure
from concilio.domain.adventure import Adventure, ChapterOutline

SHARED = Path(__file__).parents[3] / "shared"


def load_text(folder: Path, text: str, name: str = "trial.md") -> Adventure:
    """Write a text and load it."""
    file = folder / name
    file.write_text(text, encoding="utf-8")
    return load_adventure(file)


def only_chapter(folder: Path, text: str, name: str = "trial.md") -> ChapterOutline:
    """Write a text and load the one chapter that it must have."""
    (chapter,) = load_text(folder, text, name).chapters
    return chapter


def problems_of(path: Path) -> tuple[Problem, ...]:
    """Load what must fail, and return what is wrong with it."""
    with pytest.raises(AdventureErrors) as caught:
        load_adventure(path)
    return caught.value.problems


def problems_in(folder: Path, text: str | bytes, name: str = "trial.md") -> tuple[Problem, ...]:
    """Write a text that must fail, and return what is wrong with it."""
    file = folder / name
    file.write_bytes(text.encode() if isinstance(text, str) else text)
    return problems_of(file)
