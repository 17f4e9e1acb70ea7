"""The user's own chapters, read in place; a test that needs them skips where they are absent."""

from pathlib import Path

import pytest

SEEDS = Path(__file__).parents[3] / "shared" / "seeds"


def seed(name: str) -> str:
    """Return a seed's text; skip the test where the folder is not there."""
    path = SEEDS / name
    if not path.is_file():
        pytest.skip(f"{path} is not there: the user's texts are no part of the project")
    return path.read_text(encoding="utf-8")
