"""The findings of `concilio doctor` as data. Keys are never in it, only whether they are there."""

from typing import Literal

from pydantic import BaseModel, ConfigDict

from concilio.settings import Layer

ProblemKind = Literal["missing", "advice"]


class Report(BaseModel):
    """Base of all parts: frozen and closed. Field names are the public JSON of `doctor --format json`."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Package(Report):
    """An installed distribution that the program rests on."""

    name: str
    version: str | None
    """None where it is not installed."""


class Seat(Report):
    """An agent and the model that is configured for it."""

    agent: str
    model: str
    layer: Layer
    where: str
    """Flag, variable or `file:line` that says so; empty for a default."""
    key_variable: str | None
    """Variable that would hold the key and is not set; None where nothing is missing."""
    answers: bool | None
    """None where nobody asked (`--probe` asks)."""
    detail: str = ""
    """Why it does not answer, in the user's language."""


class Setting(Report):
    """One setting as it stands."""

    name: str
    value: str
    layer: Layer
    where: str


class Folder(Report):
    """The folder where runs land."""

    path: str
    exists: bool
    writable: bool


class Problem(Report):
    """What is missing (the exit status is then 1), or what could be better."""

    kind: ProblemKind
    message: str
    """In the user's language."""
    remedy: str
    """What to do, in the user's language."""


class Diagnosis(Report):
    """Everything that `doctor` tells."""

    concilio: str
    python: str
    executable: str
    packages: tuple[Package, ...]
    seats: tuple[Seat, ...]
    settings: tuple[Setting, ...]
    out: Folder
    problems: tuple[Problem, ...]

    @property
    def complete(self) -> bool:
        """Tell whether nothing is missing."""
        return not any(problem.kind == "missing" for problem in self.problems)
