"""What a scenario of a fight says: who is there, with what, where, and what each means to do."""

from typing import Annotated, Literal

from pydantic import Field

from rules.entries import Mode, Model
from rules.odds.dice_tokens import LONGEST

MASTER = "master"
"""Who speaks for the game master in a script."""
MOST_FIGHTERS = 40
MOST_INTENTS = 400
MOST_ROUNDS = 200
MOST_ATTACKS = 10
QUICK_SPELLS = 5
"""Spells in the quick bar. Source: Combate, Lo que dice la spec y aún no está."""

Name = Annotated[str, Field(min_length=1, max_length=60)]
Dice = Annotated[str, Field(min_length=1, max_length=LONGEST)]
Figure = Annotated[int, Field(ge=-1_000, le=1_000)]
Count = Annotated[int, Field(ge=0, le=1_000)]
Metres = Annotated[float, Field(ge=-100_000, le=100_000)]
Score = Annotated[float, Field(ge=-1_000, le=100_000)]
Attitude = Literal["hostile", "unfriendly", "neutral", "friendly", "ally"]
Policy = Literal["nearest", "weakest", "strongest", "passive", "flee_when_hurt"]
"""How somebody chooses without a script: whom to attack, or to do nothing, or to flee below a quarter."""
Size = Literal["tiny", "small", "medium", "big", "large", "huge", "gargantuan"]
Deed = Literal[
    "attack", "cast", "move", "flee", "go", "hide", "wait", "silent",
    "steal", "struggle", "threaten", "resist", "apologise", "convince", "cow",
    "tie", "untie", "search", "finish", "heal", "collect", "drink",
    "through", "fly", "fall", "ignite", "put_out", "submerge", "surface", "drown", "prone", "stand",
    "mend", "rest", "parley", "hold", "take",
    "window", "ask_roll", "join", "hours", "disguise",
]  # fmt: skip
"""What somebody does; the last ones are the game master's."""
Objective = Literal["chase", "control", "last_team_standing", "survival", "very_important_target"]
Limb = Literal["arm", "leg", "tail", "wing"]
Degree = Literal["success", "partial", "failure"]


class Weapon(Model):
    """One weapon in hand, or a natural one."""

    name: Name
    damage: Dice
    damage_type: str = Field(default="", max_length=40)
    """Id of the ruleset (`bludgeoning`)."""
    kind: Literal["melee", "reach", "thrown", "ranged"] = "melee"
    attack: Figure | None = None
    """Whole bonus, as a stat block prints it; None: by ability, proficiency and magic."""
    ability: str = Field(default="", max_length=20)
    proficient: bool = True
    magic: Figure = 0
    reach_m: Annotated[float, Field(ge=0, le=1_000)] | None = None
    range_m: Annotated[float, Field(ge=0, le=10_000)] | None = None
    long_m: Annotated[float, Field(ge=0, le=10_000)] | None = None
    """Metres up to which it reaches with disadvantage."""
    light: bool = False
    hands: Annotated[int, Field(ge=1, le=2)] = 1
    ammunition: str = Field(default="", max_length=60)
    """What it shoots; the fighter carries it."""
    size: Literal["small", "medium", "large", "polearm"] = "medium"
    """Class of melee weapons in I&A."""
    family: Literal["", "archery", "firearm", "hammerlock", "blunderbuss", "firelance", "flamethrower"] = ""
    proficiency: Annotated[float, Field(ge=0, le=100)] = 0
    """The bearer's proficiency with it, in I&A."""
    once: bool = False
    """Used once a turn, however many attacks there are (a block's multiattack does not name it)."""
    actions: Annotated[int, Field(ge=1, le=10)] = 1
    """Actions that an attack with it costs, in I&A."""
    needs_str: Annotated[float, Field(ge=0, le=100)] = 0
    """Strength that it asks for, in I&A."""


class Ammunition(Model):
    """What a ranged weapon shoots."""

    name: Name
    count: Count
    magic: Figure = 0


class PlanB(Model):
    """What carries the plot on when somebody dies."""

    heir: str = Field(default="", max_length=60)
    """Who takes over."""
    leaves: str = Field(default="", max_length=200)
    """What is found in their place."""


class Scores(Model):
    """What I&A says of a creature."""

    m_def: Score = 0
    r_def: Score = 0
    natural_armor: Score = 0
    armor: Score = 0
    hinders_dex: bool = False
    """Whether its armour or shield hinders Dexterity."""
    max_actions: Annotated[int, Field(ge=1, le=10)] = 1
    """Actions a turn; Part 6 says that Dexterity gives them, and not how many."""
    fall_die: Dice = "1d6"
    """Die of a fall; Part 6 says that it goes by size, and not which."""
    checks: dict[str, Dice] = {}
    """Dice of a check by ability; where it is not said: a d20 and the score."""
    space_m: Annotated[float, Field(gt=0, le=100)] = 1
    """Metres that it takes up; Part 6 says that its size gives them, and not how many."""
    aquatic: bool = False
    prosthetic: bool = False
    """A makeshift one in the place of a leg."""
    wings: Annotated[int, Field(ge=0, le=20)] = 0
    swim: Score = 0
    """Proficiency."""
    initiative_by: Literal["agi", "dex", ""] = ""
    """The score that it chose; empty: the better one."""
    group: str = Field(default="", max_length=60)
    """Those of one group act on one turn."""
    grips: tuple[str, ...] = Field(default=(), max_length=2)
    """Names of the weapons in both hands; empty: the first one alone."""


class Fighter(Model):
    """Somebody who may come to fight."""

    name: Name
    kind: Literal["character", "npc"] = "npc"
    """Whose it is: a player's, or the game master's."""
    team: str = Field(default="", max_length=60)
    """Who is together; empty: characters on one side, everybody else on the other."""
    creature: str = Field(default="", max_length=60)
    """Whose block of the SRD it has."""
    role: str = Field(default="", max_length=60)
    """Whose block of the house rules it has."""
    hp: Annotated[float, Field(ge=1, le=100_000)] | None = None
    ac: Annotated[int, Field(ge=0, le=100)] | None = None
    abilities: dict[str, Score] = {}
    """Modifiers, or scores in I&A, by ability id."""
    proficiency: Annotated[int, Field(ge=0, le=20)] = 2
    skills: dict[str, Figure] = {}
    saves: dict[str, Figure] = {}
    initiative: Figure | None = None
    weapons: tuple[Weapon, ...] = Field(default=(), max_length=20)
    attacks: Annotated[int, Field(ge=0, le=MOST_ATTACKS)] | None = None
    """Attacks a turn."""
    ammunition: tuple[Ammunition, ...] = Field(default=(), max_length=20)
    equipment_mode: Mode = "normal"
    """What its equipment gives its attacks."""
    resistances: tuple[str, ...] = Field(default=(), max_length=20)
    vulnerabilities: tuple[str, ...] = Field(default=(), max_length=20)
    immunities: tuple[str, ...] = Field(default=(), max_length=20)
    potions: dict[str, str] = {}
    """Damage type to which each drink gives resistance."""
    spells: tuple[str, ...] = Field(default=(), max_length=100)
    quick_bar: tuple[str, ...] = Field(default=(), max_length=QUICK_SPELLS)
    slots: dict[int, Count] = {}
    """Spell slots by level."""
    spell_attack: Figure = 0
    spell_dc: Figure = 10
    spell_ability: str = Field(default="", max_length=20)
    place: str = Field(default="", max_length=60)
    x: Metres = 0
    """Metres along the place."""
    height: Metres = 0
    speed_m: Annotated[float, Field(ge=0, le=1_000)] = 9
    """Metres a turn."""
    attitude: Attitude = "neutral"
    attitudes: dict[str, Attitude] = {}
    """Towards single characters."""
    friends: tuple[str, ...] = Field(default=(), max_length=MOST_FIGHTERS)
    authority: bool = False
    steps_in: bool = False
    """Whether it throws itself into a fight over a crime that it sees."""
    schedule: str = Field(default="", max_length=200)
    """What it would be doing at this hour."""
    loot: tuple[str, ...] = Field(default=(), max_length=100)
    xp: Annotated[int, Field(ge=0, le=1_000_000)] | None = None
    plan_b: PlanB | None = None
    quests: tuple[str, ...] = Field(default=(), max_length=20)
    policy: Policy = "nearest"
    hidden: bool = False
    behind: Literal["", "half", "three_quarters", "partial", "total"] = ""
    """Cover."""
    shielded_by: str = Field(default="", max_length=60)
    """The creature behind which it stands."""
    surprised: bool = False
    joins_round: Annotated[int, Field(ge=1, le=MOST_ROUNDS)] | None = None
    """Round in which it comes; None: it is there from the start."""
    prone: bool = False
    underwater: bool = False
    size: Size = "medium"
    scores: Scores = Scores()
    """I&A alone."""


class Intent(Model):
    """What somebody means to do, once."""

    who: Name
    do: Deed
    turn: Annotated[int, Field(ge=1, le=MOST_ROUNDS)] | None = None
    """Not before that turn, and in it; None: in its next one."""
    after_s: Annotated[float, Field(ge=0, le=86_400)] = 0
    """Seconds that the answer takes."""
    target: str = Field(default="", max_length=60)
    weapon: str = Field(default="", max_length=60)
    off_hand: bool = False
    words: str = Field(default="", max_length=500)
    """What the player writes: it decides between a blow that kills and one that spares."""
    spell: str = Field(default="", max_length=60)
    quick: Annotated[int, Field(ge=1, le=QUICK_SPELLS)] | None = None
    """Place in the quick bar, in the place of a spell's name."""
    slot: Annotated[int, Field(ge=1, le=9)] | None = None
    to: str = Field(default="", max_length=60)
    metres: Metres = 0
    height: Metres | None = None
    """To what height it flies; None: it keeps its own. I&A alone."""
    reaction: bool = False
    """Done with the reaction of a turn, not with an action; in I&A, to stop a fall."""
    hours: Annotated[float, Field(ge=0, le=10_000)] = 0
    skill: str = Field(default="", max_length=40)
    dc: Figure = 10
    item: str = Field(default="", max_length=60)
    amount: Annotated[float, Field(ge=0, le=100_000)] = 0
    risk: tuple[Literal["real", "immediate"], ...] = ()
    suggested: tuple[str, ...] = Field(default=(), max_length=10)
    limb: Limb | None = None
    """Part that a called shot aims at."""
    sever: bool = False
    """Whether a blow hard enough is to sever, not to cripple."""
    enemy: str = Field(default="", max_length=60)
    """Who threatens, in a decisive window."""
    damage: str = Field(default="", max_length=LONGEST)
    """Dice of a threat that is nobody's, or of a hurt."""
    save: str = Field(default="", max_length=20)
    """Ability of the saving throw against it."""
    overflow_to: str = Field(default="", max_length=60)
    by_surprise: bool = False


class Goal(Model):
    """What a fight in I&A is about."""

    kind: Objective = "last_team_standing"
    team: str = Field(default="", max_length=60)
    """Who holds, survives or flees; empty: the characters."""
    rounds: Annotated[int, Field(ge=1, le=MOST_ROUNDS)] = 10
    """Rounds to hold, or to survive."""
    target: str = Field(default="", max_length=60)
    """Who must fall, or be taken."""
    place: str = Field(default="", max_length=60)
    """What is held."""
    metres: Annotated[float, Field(ge=0, le=100_000)] = 60
    """Lead by which a chase is over."""
    then: str = Field(default="", max_length=60)
    """Who arrives when a group has survived so long, and is from then on the target."""


class Scenario(Model):
    """A fight before it is fought."""

    title: str = Field(default="", max_length=200)
    ruleset: Literal["combate", "ia"] = "combate"
    language: Literal["es", "en"] = "es"
    fighters: tuple[Fighter, ...] = Field(min_length=1, max_length=MOST_FIGHTERS)
    script: tuple[Intent, ...] = Field(default=(), max_length=MOST_INTENTS)
    rounds: Annotated[int, Field(ge=1, le=MOST_ROUNDS)] = 50
    """Turns after which it is broken off."""
    written_for: Annotated[int, Field(ge=1, le=20)] | None = None
    """Players that the opposition is meant for; with more or fewer it is scaled."""
    tense: bool = False
    """Whether the story makes the place tense: that alone makes no rounds."""
    goal: Goal | None = None
    """I&A alone."""
    bleeding: str = Field(default="", max_length=LONGEST)
    """Dice of what External Bleeding takes each round in I&A; empty: Part 6 does not say it, and nothing."""
    partial_within: Annotated[int, Field(ge=0, le=20)] = 5
    """By how much a check may miss and be a partial success; Part 6 does not say it."""
