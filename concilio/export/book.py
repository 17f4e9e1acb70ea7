"""A chapter as a book has it: plain values that every export is made from. Nothing in it is markup."""

from dataclasses import dataclass, field
from typing import Literal

from concilio.domain.base import Language
from concilio.domain.debate import Objection
from concilio.domain.plan import Outcome
from rules.claims.model import Claim
from rules.findings import Finding
from rules.odds.checks import RollMode

BlockKind = Literal["text", "heading", "item", "row", "code", "rule"]


@dataclass(frozen=True, slots=True)
class Run:
    """A stretch of text of one look; a newline in it is a line break."""

    text: str
    bold: bool = False
    italic: bool = False
    code: bool = False


@dataclass(frozen=True, slots=True)
class Block:
    """A paragraph, heading, item of a list or row of a table."""

    kind: BlockKind
    runs: tuple[Run, ...] = ()
    depth: int = 1
    """Of an item: 1 for the outermost list. Of a heading: its level in the text."""
    number: int | None = None
    """Of an item of a numbered list."""
    aloud: bool = False
    """To be read to the players as it stands."""
    aside: bool = False
    """A remark to whoever runs the game, in brackets in the text."""
    claims: tuple[Claim, ...] = ()
    """Mechanical statements; their offsets count in `plain`. Of a row: those of its cells."""
    cells: tuple["Block", ...] = ()
    """Of a row: its cells, from the left. Rows that follow each other are of one table."""
    head: bool = False
    """Of a row: whether a table begins with it, and it names the columns."""

    @property
    def plain(self) -> str:
        """The text without its looks; empty for a row."""
        return "".join(run.text for run in self.runs)


@dataclass(frozen=True, slots=True)
class Roll:
    """A check or saving throw that a scene calls for."""

    kind: Literal["check", "save"]
    name: str
    """In the canonical words of the rules (`Sabiduría (Perspicacia)`)."""
    dcs: tuple[int, ...]
    """The base DC first."""
    skill: str | None = None
    ability: str | None = None
    mode: RollMode = "normal"
    """How it is rolled whoever does it."""


@dataclass(frozen=True, slots=True)
class Scene:
    """A scene of the chapter."""

    id: str
    title: str
    fields: tuple[tuple[str, str], ...] = ()
    """Keys of the plan (`place`, `present`, …) and their texts."""
    outcomes: tuple[Outcome, ...] = ()
    prose: tuple[Block, ...] = ()
    """Empty where it is not written."""
    rolls: tuple[Roll, ...] = ()
    edges: tuple[str, ...] = ()
    """Sentences that tell by what somebody rolls with advantage or disadvantage."""
    findings: tuple[Finding, ...] = ()

    def text_of(self, key: str) -> str:
        """Return the text of a field of the plan; empty where it has none."""
        return next((text for name, text in self.fields if name == key), "")


@dataclass(frozen=True, slots=True)
class Deed:
    """What a creature can do: an action of its stat block."""

    name: str
    attack: int | None = None
    count: int = 1
    damage: tuple[tuple[str, str], ...] = ()
    """Dice, and the type's id or word; empty where none is given."""
    reach: str = ""
    range: str = ""
    save_dc: int | None = None
    save_ability: str | None = None
    """Canonical id."""
    text: str = ""


@dataclass(frozen=True, slots=True)
class Monster:
    """A stat block in figures; what it does not state is None or empty."""

    name: str
    count: int = 1
    size: str = ""
    """`large`; an id, as `type` and all keys below."""
    type: str = ""
    note: str = ""
    ac: int | None = None
    hp: int | None = None
    hit_dice: str = ""
    cr: str = ""
    xp: int | None = None
    abilities: dict[str, int] = field(default_factory=dict[str, int])
    """Scores by id."""
    saves: dict[str, int] = field(default_factory=dict[str, int])
    skills: dict[str, int] = field(default_factory=dict[str, int])
    speeds: dict[str, str] = field(default_factory=dict[str, str])
    """As printed (`9 m`), by way of moving."""
    senses: dict[str, str] = field(default_factory=dict[str, str])
    vulnerabilities: tuple[str, ...] = ()
    resistances: tuple[str, ...] = ()
    immunities: tuple[str, ...] = ()
    condition_immunities: tuple[str, ...] = ()
    deeds: tuple[Deed, ...] = ()


@dataclass(frozen=True, slots=True)
class Point:
    """One of several that a text lists."""

    text: str
    number: int | None = None
    """None where the list has no numbers."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A labelled line of the outline; its text, its points or both are filled."""

    label: str
    text: str = ""
    points: tuple[Point, ...] = ()


@dataclass(frozen=True, slots=True)
class Book:
    """A chapter, ready to be set."""

    language: Language
    adventure: str
    """Empty where it is not known."""
    number: int
    title: str
    ruleset: str
    header: tuple[Entry, ...] = ()
    notes: str = ""
    scenes: tuple[Scene, ...] = ()
    monsters: tuple[Monster, ...] = ()
    objections: tuple[Objection, ...] = ()
    """Those that are still open."""
    findings: tuple[Finding, ...] = ()
    """What stands against the plan."""
    picture: str = ""
    """The scenes as an SVG document; empty where the plan cannot be played."""
