"""Claims: mechanical statements found in a text, each with its exact place.

A claim's `start` and `end` are offsets in the source of the passage it was read from, and
`quote == source[start:end]` always holds. Distances are in metres, times in seconds.
"""

from dataclasses import dataclass
from typing import ClassVar, Literal

Status = Literal["canonical", "synonym", "wrong", "unknown"]
"""How a word stands to the ruleset: its own word, one in common use, a known error (the id says what is
meant), or no word of it at all (the id is None)."""

CheckForm = Literal["check", "contest", "passive"]
Joined = Literal["", "or", "and"]
Shape = Literal[
    "distance", "radius", "diameter", "square", "cube", "cone", "line", "height", "depth", "length", "width"
]
Applies = Literal["", "attacks", "checks", "saves"]
Change = Literal["", "gain", "lose"]


@dataclass(frozen=True, slots=True)
class Named:
    """A word that stands where a word of the ruleset belongs."""

    id: str | None
    """Canonical id (`stealth`), or None where the ruleset has no such word."""
    text: str
    """As written, emphasis left out."""
    start: int
    end: int
    status: Status = "canonical"


@dataclass(frozen=True, slots=True)
class Dice:
    """Dice to be rolled and added: `count`d`sides` + `bonus`."""

    count: int
    sides: int
    bonus: int = 0

    @property
    def average(self) -> float:
        """Expected value of the roll."""
        return self.count * (self.sides + 1) / 2 + self.bonus

    @property
    def highest(self) -> int:
        """Largest result."""
        return self.count * self.sides + self.bonus

    def __str__(self) -> str:
        return f"{self.count}d{self.sides}{self.bonus:+d}" if self.bonus else f"{self.count}d{self.sides}"


@dataclass(frozen=True, slots=True)
class Difficulty:
    """One DC with the place of its number."""

    value: int
    start: int
    end: int
    condition: str = ""
    """What must hold for it, as written (`si hubo éxito en la escena 4.2`); empty for the base DC."""


@dataclass(frozen=True, slots=True)
class CheckOption:
    """One way to make a check: a skill, an ability, or a skill with its ability. At least one is given."""

    skill: Named | None = None
    """Id None: an unknown word stands where a skill must stand."""
    ability: Named | None = None
    note: str = ""
    """What a bracket after the ability says where it names no skill (`herramientas de ladrón`)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """What all claims share."""

    kind: ClassVar[str] = ""
    start: int
    end: int
    quote: str
    """Exact text of the source from `start` to `end`."""
    in_speech: bool = False
    """Between dialogue marks: somebody says it in the story."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Check(Claim):
    """An ability check: `prueba de Fuerza (Atletismo) CD 15`, `DC 12 Perception`."""

    kind: ClassVar[str] = "check"
    options: tuple[CheckOption, ...]
    """At least one; the alternatives in the order of the text."""
    dcs: tuple[Difficulty, ...] = ()
    """Base DC first, then those that hold on a condition; empty where none is stated."""
    form: CheckForm = "check"
    joined: Joined = ""
    """How several options are joined."""
    against: tuple[CheckOption, ...] = ()
    """The other side of a contest."""
    named_as_check: bool = False
    """A word such as `prueba` or `check` introduces it; otherwise only its DC shows that it is one."""

    @property
    def dc(self) -> int | None:
        """Base DC, or None where none is stated."""
        return self.dcs[0].value if self.dcs else None

    @property
    def skills(self) -> tuple[str, ...]:
        """Ids of the known skills."""
        return tuple(o.skill.id for o in self.options if o.skill and o.skill.id)

    @property
    def abilities(self) -> tuple[str, ...]:
        """Ids of the abilities that are named."""
        return tuple(o.ability.id for o in self.options if o.ability and o.ability.id)

    @property
    def unknown(self) -> tuple[Named, ...]:
        """Words that stand where a skill must stand and are none of this ruleset."""
        return tuple(o.skill for o in self.options if o.skill and o.skill.status in ("wrong", "unknown"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Save(Claim):
    """A saving throw: `tirada de salvación de Constitución (CD 12)`, `DC 14 Wisdom save`."""

    kind: ClassVar[str] = "save"
    abilities: tuple[Named, ...] = ()
    """Alternatives in order; empty where the text names none."""
    dcs: tuple[Difficulty, ...] = ()
    death: bool = False
    """A death saving throw."""

    @property
    def dc(self) -> int | None:
        """Base DC, or None where none is stated."""
        return self.dcs[0].value if self.dcs else None


@dataclass(frozen=True, slots=True, kw_only=True)
class BareDC(Claim):
    """A DC with no check or save beside it: `un ataque contra la cadena (CD 15)`, `CD 13 para escapar`."""

    kind: ClassVar[str] = "dc"
    dcs: tuple[Difficulty, ...]
    escape: bool = False
    """It is the DC to get free."""

    @property
    def dc(self) -> int:
        """Base DC."""
        return self.dcs[0].value


@dataclass(frozen=True, slots=True, kw_only=True)
class DCChange(Claim):
    """A DC that goes up or down: `la CD baja 2`, `reduce la CD a 12 o 10 respectivamente`."""

    kind: ClassVar[str] = "dc_change"
    by: int | None = None
    """Signed change, or None where the text gives a new value."""
    to: tuple[int, ...] = ()
    """New values in order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Attack(Claim):
    """An attack roll, with its bonus where stated: `+5 a golpear`, `tirada de ataque`."""

    kind: ClassVar[str] = "attack"
    bonus: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ArmorClass(Claim):
    """An Armor Class: `CA 15`, `AC 13`."""

    kind: ClassVar[str] = "armor_class"
    value: int
    term: Named


@dataclass(frozen=True, slots=True, kw_only=True)
class ArmorBonus(Claim):
    """A change of Armor Class outside a statement of cover: `+2 a la CA`."""

    kind: ClassVar[str] = "armor_bonus"
    value: int
    term: Named


@dataclass(frozen=True, slots=True, kw_only=True)
class HitPoints(Claim):
    """Hit points: `20 PG`, `22 (4d8 + 4) hit points`, `recupera 1d8 puntos de golpe`."""

    kind: ClassVar[str] = "hit_points"
    value: int | None = None
    dice: Dice | None = None
    term: Named
    """The word for hit points as written (`PV`), with its status."""
    change: Change = ""
    """Gained or lost; empty where it is what something has."""
    temporary: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Damage(Claim):
    """Damage: `3d6 de daño contundente`, `7 (2d6) fire damage`."""

    kind: ClassVar[str] = "damage"
    dice: Dice | None = None
    amount: int | None = None
    """Flat or average number where stated."""
    types: tuple[Named, ...] = ()
    """Type words as written; id None where the word is no damage type; empty where none is given."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Roll(Claim):
    """Dice that are no damage, hit points or duration."""

    kind: ClassVar[str] = "roll"
    dice: Dice


@dataclass(frozen=True, slots=True, kw_only=True)
class Distance(Claim):
    """A length, with its shape where stated: `3 metros`, `30-foot radius`, `6x6 metros`, `1–4 m`."""

    kind: ClassVar[str] = "distance"
    metres: float
    """The (larger) value in metres."""
    low: float | None = None
    """Lower end in metres of a range."""
    value: float
    """The number as written, in the unit as written."""
    unit: str
    """Canonical id of the unit (`metre`, `foot`)."""
    unit_text: str
    """The unit as written (`metros`, `ft`)."""
    shape: Shape = "distance"
    converted: bool = False
    """It repeats the distance before it in another unit (`9 metros (30 pies)`)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Duration(Claim):
    """A time: `1 minuto`, `durante un turno`, `1d4 rounds`."""

    kind: ClassVar[str] = "duration"
    value: float | None = None
    low: float | None = None
    """Lower end of a range, in the unit as written."""
    dice: Dice | None = None
    unit: str
    """Canonical id of the unit (`round`, `turn`, `minute`, …)."""
    seconds: float | None = None
    """None with dice."""
    until: bool = False
    """It is a point in time (`hasta el final de su siguiente turno`), not a length."""
    every: bool = False
    """It repeats (`cada 2 turnos`)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Condition(Claim):
    """A condition word: `cae derribado`, `is restrained`."""

    kind: ClassVar[str] = "condition"
    condition: Named
    mechanical: bool
    """It states the condition of the rules; otherwise it may be mere description (`un destello cegador`)."""
    negated: bool = False
    """It denies or ends the condition (`deja de estar apresado`, `immune to being charmed`)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cover(Claim):
    """Cover: `cobertura media (+2 a la CA)`; degree id None where its word is no degree (`parcial`)."""

    kind: ClassVar[str] = "cover"
    degree: Named
    bonus: int | None = None
    """Bonus to AC where the text states it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Advantage(Claim):
    """Advantage or disadvantage on rolls."""

    kind: ClassVar[str] = "advantage"
    mode: Literal["advantage", "disadvantage"]
    applies: Applies = ""
    """On what, where stated."""
    ranged: bool = False
    """On ranged attacks, where stated."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ActionUse(Claim):
    """A part of the action economy, or an action by name: `acción adicional`, `the Dash action`."""

    kind: ClassVar[str] = "action"
    action: Named
    """Ids `action`, `bonus_action`, `reaction`, `opportunity_attack`, …, or of an action (`dash`);
    id None for an action that the rules lack (`acción completa`)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Critical(Claim):
    """Words for extreme results."""

    kind: ClassVar[str] = "critical"
    what: Literal["critical_hit", "critical_success", "critical_failure", "natural_1", "natural_20"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Fall(Claim):
    """Somebody or something falls from a height."""

    kind: ClassVar[str] = "fall"
    metres: float | None = None
    """Height where stated."""


@dataclass(frozen=True, slots=True, kw_only=True)
class UnsizedDie(Claim):
    """A die is to be rolled and the text does not say which."""

    kind: ClassVar[str] = "unsized_die"


@dataclass(frozen=True, slots=True, kw_only=True)
class Sense(Claim):
    """A special sense, with its range where stated: `visión en la oscuridad 18 m`."""

    kind: ClassVar[str] = "sense"
    sense: Named
    metres: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Spell(Claim):
    """A spell's name after a word such as `conjuro` or before `spell`."""

    kind: ClassVar[str] = "spell"
    spell: Named


@dataclass(frozen=True, slots=True, kw_only=True)
class TermUse(Claim):
    """Any other term of the rules (`descanso corto`, `terreno difícil`)."""

    kind: ClassVar[str] = "term"
    term: Named
