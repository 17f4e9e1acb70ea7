"""The log of a fight: what happened, in order, and what each event changed.

A state changes by events alone, so that a log without its dice leads to the same end.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, cast

VERSION = 1
MOST_BYTES = 20_000_000
"""Size of a log above which it is not read."""
DEEPEST = 40
"""Brackets within brackets of an event; ours have seven."""
Values = Mapping[str, Any]
Changes = Mapping[str, Values]
"""By name of a fighter (`@`: the world): the fields that are other from now on."""


class LogError(ValueError):
    """A log that cannot be read: `line` says where (from 1), `code` why."""

    def __init__(self, code: str, line: int) -> None:
        super().__init__(f"line {line}: {code}")
        self.code = code
        self.line = line


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that happened."""

    number: int
    """From 1."""
    round: int
    """0 before the first."""
    at_s: float
    """Seconds on the clock of the table."""
    kind: str
    values: Values
    changes: Changes

    def line(self) -> str:
        """Return it as one line of JSON; the same event gives the same bytes."""
        whole = {
            "n": self.number,
            "round": self.round,
            "t": self.at_s,
            "event": self.kind,
            **({"values": dict(self.values)} if self.values else {}),
            **({"changes": dict(self.changes)} if self.changes else {}),
        }
        return json.dumps(whole, ensure_ascii=False, separators=(",", ":"), sort_keys=False)


Log = tuple[Event, ...]


def dump_log(log: Iterable[Event]) -> str:
    """Return a log as JSON lines."""
    return "".join(event.line() + "\n" for event in log)


def load_log(text: str) -> Log:
    """Return the log that lines of JSON hold.

    Raises:
        LogError: a line is no event, or they are not in order.
    """
    if len(text) > MOST_BYTES:
        raise LogError("too_large", 1)
    log = tuple(_event(line, number) for number, line in enumerate(text.split("\n"), 1) if line.strip())
    for place, event in enumerate(log, 1):
        if event.number != place:
            raise LogError("not_in_order", place)
    if not log or log[0].kind != "scenario":
        raise LogError("no_scenario", 1)
    return log


def _depth(line: str) -> int:
    """Return how deep brackets go, those within texts included."""
    depth = most = 0
    for sign in line:
        depth += (sign in "[{") - (sign in "]}")
        most = max(most, depth)
    return most


def _event(line: str, number: int) -> Event:
    if _depth(line) > DEEPEST:
        raise LogError("no_event", number)
    try:
        raw: Any = json.loads(line)
    except (ValueError, RecursionError):
        raise LogError("no_json", number) from None
    if not isinstance(raw, dict):
        raise LogError("no_event", number)
    found = cast("dict[str, Any]", raw)
    values, changes = found.get("values", {}), found.get("changes", {})
    whole = isinstance(values, dict) and isinstance(changes, dict)
    kinds = ((found.get("n"), int), (found.get("round"), int), (found.get("event"), str))
    is_change = whole and all(isinstance(each, dict) for each in cast("dict[str, Any]", changes).values())
    if not is_change or not all(isinstance(value, kind) for value, kind in kinds):
        raise LogError("no_event", number)
    at_s = found.get("t", 0)
    if not isinstance(at_s, int | float):
        raise LogError("no_event", number)
    return Event(
        cast(int, found["n"]),
        cast(int, found["round"]),
        at_s,
        cast(str, found["event"]),
        cast(Values, values),
        cast(Changes, changes),
    )
