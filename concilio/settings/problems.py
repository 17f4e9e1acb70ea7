"""What is wrong with settings, told all at once: what, where, and what is right."""

from collections.abc import Sequence
from dataclasses import dataclass

from rapidfuzz import fuzz, process, utils

NEAR_ENOUGH = 60.0
"""Similarity, 0 to 100, from which a name is worth suggesting."""


@dataclass(frozen=True, slots=True)
class SettingsProblem:
    """One wrong key or value."""

    where: str
    """`concilio.toml:3`, `CONCILIO_ROUNDS`, `--rounds`."""
    message: str
    """In the user's language."""

    def __str__(self) -> str:
        """Return place and message in one line."""
        return f"{self.where}: {self.message}"


class SettingsError(Exception):
    """The settings cannot be used; nothing was done. `str()` gives one line a problem."""

    exit_code = 2

    def __init__(self, problems: Sequence[SettingsProblem]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(str(problem) for problem in self.problems))


def nearest(name: str, names: Sequence[str]) -> str | None:
    """Return the name that is most like the given one, or None where none is near."""
    found = process.extractOne(
        name, names, scorer=fuzz.ratio, processor=utils.default_process, score_cutoff=NEAR_ENOUGH
    )
    return found[0] if found else None
