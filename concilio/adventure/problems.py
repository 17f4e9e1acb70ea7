"""What is wrong with an adventure: every problem has a place, and all of them are told at once."""

from dataclasses import dataclass, field

from concilio.catalogue import say

SHOWN_CHARACTERS = 120


@dataclass(frozen=True, slots=True, order=True)
class Problem:
    """One fault of an adventure's file."""

    file: str
    """Path as the user gave it."""
    line: int
    """From 1; 0 when the fault is of the whole file or folder."""
    column: int
    """From 1, in characters; 0 with line 0."""
    message: str
    """What is wrong and what to do, in the user's language."""

    def format(self) -> str:
        """Return `file:line:column: message`, the form that editors jump to."""
        place = f"{self.file}:{self.line}:{self.column}" if self.line else self.file
        return f"{place}: {self.message}"


class AdventureErrors(Exception):  # noqa: N818 - many errors in one, as its name says
    """An adventure cannot be used; `problems` holds all that was found, in order of place."""

    exit_code = 2
    """Exit status of a command that ends by it."""

    def __init__(self, problems: tuple[Problem, ...]) -> None:
        super().__init__("\n".join(problem.format() for problem in problems))
        self.problems = problems

    def format(self) -> str:
        """Return one line a problem."""
        return str(self)


@dataclass(slots=True)
class Problems:
    """The problems found so far in one file."""

    file: str
    found: list[Problem] = field(default_factory=list[Problem])

    def add(self, key: str, line: int = 0, column: int = 0, /, **values: object) -> None:
        """Note a problem whose words are `adventure.problem.<key>`; text values are shortened for display."""
        shown_values = {name: shown(v) if isinstance(v, str) else v for name, v in values.items()}
        message = say(f"adventure.problem.{key}", None, **shown_values)
        self.found.append(Problem(self.file, line, column if line else 0, message))


def shown(text: str) -> str:
    """Return a user's text as one short printable line, for use in a message."""
    line = "".join(c if c.isprintable() else " " for c in text)
    line = " ".join(line.split())
    return line if len(line) <= SHOWN_CHARACTERS else line[: SHOWN_CHARACTERS - 1] + "…"
