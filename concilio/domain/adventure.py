"""An adventure as its designer states it: party, cast, items and the outlines of its chapters."""

from typing import Any

from pydantic import Field

from concilio.domain.base import Block, Frozen, Language, Line


class PartyMember(Frozen):
    """A player's character. Missing figures are filled with a default sheet of its class and level."""

    name: Line
    class_: Line | None = Field(default=None, alias="class")
    """Class as the designer wrote it (`pícaro`, `rogue`)."""
    level: int = Field(default=1, ge=1, le=20)
    abilities: dict[str, int] = {}
    """Ability scores, 1 to 30, by canonical id (`str`, `dex`, `con`, `int`, `wis`, `cha`)."""
    skills: dict[str, int] = {}
    """Total bonus to the check, by canonical skill id (`stealth`); wins over what abilities give."""
    hp: int | None = Field(default=None, ge=1)
    """Maximum hit points."""
    ac: int | None = Field(default=None, ge=1)


class Action(Frozen):
    """One line of a stat block's actions; figures that are not stated stay None."""

    name: Line
    attack: int | None = None
    """Attack bonus."""
    count: int = Field(default=1, ge=1)
    """Times a turn."""
    reach: Line | None = None
    range: Line | None = None
    damage: Line | None = None
    """Dice and type as written (`4d6 perforante`)."""
    save: dict[str, int | str] | None = None
    """`dc` and, if stated, `ability`."""
    text: Line | None = None


class StatBlock(Frozen):
    """The designer's own creature."""

    ac: int | None = Field(default=None, ge=1)
    hp: int | None = Field(default=None, ge=1)
    cr: float | str | None = None
    """Challenge rating; fractions may be written `1/4`."""
    speed: dict[str, str] = {}
    senses: dict[str, int | str] = {}
    abilities: dict[str, int] = {}
    saves: dict[str, int] = {}
    actions: tuple[Action, ...] = ()


class CastMember(Frozen):
    """Somebody who is not a player's character."""

    name: Line
    note: Line | None = None
    """Who it is, in a few words."""
    voice: Line | None = None
    """How it speaks."""
    count: int = Field(default=1, ge=1)
    """How many there are; a group when above 1."""
    stat_block: StatBlock | str | None = None
    """The designer's block, or the name of one in the ruleset."""


class OutlineField(Frozen):
    """One labelled line of a chapter's outline, kept as written."""

    label: Line
    """Label as written, without the colon (`DINÁMICA DE ROBO (Ajuste Rubén)`)."""
    text: Block
    """May hold several lines (numbered consequences)."""
    line: int = 0
    """Line in the adventure file, from 1; 0 when unknown."""


class ChapterOutline(Frozen):
    """What the designer wants of one chapter. Known labels are read into fields; all stay in `fields`."""

    number: int = Field(ge=0)
    title: Line
    arc: Line | None = None
    place: Line | None = None
    objective: Line | None = None
    scenes: int | None = Field(default=None, ge=1, le=40)
    """About how many scenes (ESCENAS APROX)."""
    kind: Line | None = None
    """Dominant type as written (`Combate / Caos`)."""
    tension: Line | None = None
    tactics: Block | None = None
    """Tactical elements, as written."""
    consequences: tuple[Line, ...] = ()
    """Graded consequences, best first, each as written (`Fallo parcial: …`)."""
    fields: tuple[OutlineField, ...] = ()
    """Every labelled line in order, known or not."""
    notes: Block = ""
    """Free text under the chapter's heading that carries no label."""
    line: int = 0


class AgentSetting(Frozen):
    """What an adventure changes of one seat at the table."""

    name: Line | None = None
    voice: Block | None = None
    model: str | None = None


class Adventure(Frozen):
    """A whole adventure file."""

    title: Line
    language: Language = "es"
    ruleset: str = "srd5e"
    level: int = Field(default=1, ge=1, le=20)
    party: tuple[PartyMember, ...] = ()
    cast: tuple[CastMember, ...] = ()
    items: tuple[Line, ...] = ()
    agents: dict[str, AgentSetting] = {}
    """Changes by agent id (`iris`, `damian`, `ruben`, `prose`, `reader`)."""
    prompts: str | None = None
    """Folder beside the adventure file whose prompt files replace the shipped ones of the same name."""
    chapters: tuple[ChapterOutline, ...] = ()
    notes: Block = ""
    """Free text before the first chapter: what the designer says of the whole."""
    extra: dict[str, Any] = {}
    """Reserved keys under `x-…`, kept and not read."""
