"""How everybody is at one moment, and the table at which events change it."""

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from typing import Any

from rules.fights.clock import Clock
from rules.fights.events import Changes, Event, Log, Values
from rules.fights.model import Fighter, Scenario
from rules.fights.rolling import Source
from rules.ruleset import Ruleset

MOST_EVENTS = 10_000
"""Events after which no other turn begins: a second or two of work."""
WORLD = "@"
"""The name under which events change the world; no fighter may bear it."""


@dataclass(frozen=True, slots=True)
class Status:
    """How one fighter is. Only plain values: it goes through JSON."""

    hp: float
    max_hp: float
    ac: int = 0
    place: str = ""
    x: float = 0
    height: float = 0
    present: bool = True
    """Whether it has come, and has not gone."""
    came: bool = False
    """Whether it came after the beginning."""
    dead: bool = False
    unconscious: bool = False
    stable: bool = False
    successes: int = 0
    failures: int = 0
    """Death saving throws."""
    wakes_at_h: float | None = None
    """Hour of the story at which it comes to."""
    tied: bool = False
    hidden: bool = False
    calm: bool = False
    prone: bool = False
    surprised: bool = False
    burning: bool = False
    underwater: bool = False
    breath_s: float | None = None
    """Seconds of breath left; None: it breathes."""
    hostile_to: tuple[str, ...] = ()
    """Names of those whom it fights."""
    in_fight: bool = False
    acted: bool = False
    """Whether it had its turn."""
    windows: int = 0
    """Decisive windows that it opened in this fight."""
    window_barred: bool = False
    """Whether a window for it must wait for a success or a turn between."""
    wronged: tuple[str, ...] = ()
    """Whom it attacked first, with no reason."""
    infamy: int = 0
    xp: int = 0
    loot: tuple[str, ...] = ()
    ammunition: Mapping[str, int] = field(default_factory=dict[str, int])
    thrown: tuple[str, ...] = ()
    """Weapons of its own that lie somewhere."""
    slots: Mapping[str, int] = field(default_factory=dict[str, int])
    resists: tuple[str, ...] = ()
    """Damage types, by what it took."""
    shield_ac: int = 0
    """Armour class that a spell adds until its next turn."""
    under: tuple[str, ...] = ()
    """Ids of spells that it is under and that do not add up."""
    asleep_until: int = 0
    """Turn at which a spell's sleep is over; 0: none."""
    held_save: str = ""
    """Ability of the saving throw that frees it of a spell."""
    held_dc: int = 0
    held_until: int = 0
    """Turn at which the spell that paralyses it is over; 0: none."""
    limbs: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """By part: `disabled_s` left, `crippled`, `severed`, `permanent`, `infected`."""
    bleeding: bool = False
    reaction: bool = True
    """Whether the reaction of this round is left."""
    flying: bool = False
    int_lost: float = 0
    """Intelligence lost for good."""
    falling_m: float = 0
    """Metres that are left to fall."""
    fell_m: float = 0
    """Metres fallen so far."""
    fall_since: int = 0
    """Turn after which it goes on falling."""

    @property
    def is_up(self) -> bool:
        """Whether it stands, in the fight or beside it."""
        return self.present and not self.dead and not self.unconscious and self.hp > 0

    @property
    def is_free(self) -> bool:
        """Whether it can act."""
        return self.is_up and not self.tied and not self.held_until


@dataclass(frozen=True, slots=True)
class World:
    """What belongs to nobody."""

    fight: int = 0
    """Which fight it is; 0 before the first."""
    fighting: bool = False
    hour: float = 0
    """Hours of the story since the beginning."""
    ground: tuple[tuple[str, str, int], ...] = ()
    """What lies somewhere: place, thing, how many."""
    crimes: int = 0
    last_window: str = ""
    """Whom the last decisive window was for."""
    held: int = 0
    """Rounds for which a goal was held."""
    taken: str = ""
    """What was taken, if that is what the fight is about."""
    target: str = ""
    """Whom it is about, since it was told."""


@dataclass(slots=True)
class Table:
    """Where a fight is fought: the only thing that changes, and only by `tell`."""

    scenario: Scenario
    rules: Ruleset
    sheets: Mapping[str, Fighter]
    dice: Source
    clock: Clock
    status: dict[str, Status]
    world: World = World()
    turn: int = 0
    """Turns since the beginning, in and out of fights."""
    round: int = 0
    """Rounds of this fight; 0: there is none."""
    events: list[Event] = field(default_factory=list[Event])

    def tell(self, kind: str, changes: Changes | None = None, /, **values: Any) -> None:
        """Write down an event and change what it changes."""
        changes = changes or {}
        at_s = round(self.clock.now(), 3)
        self.events.append(Event(len(self.events) + 1, self.round, at_s, kind, values, changes))
        self.world = apply(self.status, self.world, changes)

    def __getitem__(self, name: str) -> Status:
        return self.status[name]

    def others(self, name: str) -> Iterator[str]:
        """Give all other names in the order of the scenario."""
        return (other for other in self.status if other != name)

    @property
    def goes_on(self) -> bool:
        """Whether another turn may begin."""
        return self.turn < self.scenario.rounds and len(self.events) < MOST_EVENTS

    @property
    def characters(self) -> tuple[str, ...]:
        """Names of the players' characters."""
        return tuple(name for name, sheet in self.sheets.items() if sheet.kind == "character")

    def is_character(self, name: str) -> bool:
        """Tell whether a player plays it."""
        return self.sheets[name].kind == "character"


_STATUS_FIELDS = frozenset(f.name for f in fields(Status))
_WORLD_FIELDS = frozenset(f.name for f in fields(World))


class UnknownChangeError(ValueError):
    """An event changes somebody or something that does not exist."""


def apply(status: dict[str, Status], world: World, changes: Changes) -> World:
    """Change statuses in place, and return the world as it is then.

    Raises:
        UnknownChangeError: a name or a field does not exist.
    """
    for name, values in changes.items():
        known = _WORLD_FIELDS if name == WORLD else _STATUS_FIELDS
        if (name != WORLD and name not in status) or not known >= values.keys():
            raise UnknownChangeError(name)
        plain = {key: _plain(value) for key, value in values.items()}
        if name == WORLD:
            world = replace(world, **plain)
        else:
            status[name] = replace(status[name], **plain)
    return world


def _plain(value: Any) -> Any:
    """Return lists as tuples: what was read from a file equals what was never written."""
    if isinstance(value, list | tuple):
        return tuple(_plain(each) for each in value)  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
    return value


def end_of(status: Mapping[str, Status]) -> dict[str, Values]:
    """Return all that is known of everybody, as an event tells it at the end."""
    return {name: as_values(each) for name, each in status.items()}


def as_values(status: Status) -> Values:
    """Return one status in plain values."""
    return asdict(status)


def folded(log: Log, status: Mapping[str, Status]) -> tuple[dict[str, Status], World]:
    """Return how everybody is after the changes of a log, without its dice.

    Raises:
        UnknownChangeError: the log changes what does not exist.
    """
    now, world = dict(status), World()
    for event in log:
        try:
            world = apply(now, world, event.changes)
        except (TypeError, AttributeError):
            raise UnknownChangeError(event.kind) from None
    return now, world
