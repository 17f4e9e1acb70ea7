"""What a reviewer may ask the rules engine before claiming something: odds, dice, findings, a rule's meaning.

Each tool is a frozen model of its arguments and a function; what a model says it is for stands in
`prompts/<language>/tool.<name>.md`. A call that cannot be answered gets a line that says why, never an error.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache, cached_property
from typing import Annotated, Any, Generic, Literal, TypeVar, cast

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field
from pydantic_core import PydanticKnownError

from agents.prompting import PromptBook
from concilio.catalogue import say, speaking
from concilio.chapterfile.reader import read_document
from concilio.gateway.errors import ReplyInvalid
from concilio.gateway.structured import read_model
from rules.catalogue import RULES, explain
from rules.engine import check
from rules.facts import Facts
from rules.findings import Finding
from rules.odds import objects
from rules.odds.attacks import Attack, Target
from rules.odds.dice import spread
from rules.odds.errors import OddsError
from rules.odds.parser import parse
from rules.odds.rolls import Check, mode_of
from rules.odds.saves import Harm
from rules.odds.sides import parse_side
from rules.ruleset import Ruleset

MOST_FIGURE = 1_000
"""Bonuses, DCs, ACs and hit points at most."""
MOST_OUTCOMES = 60
"""Outcomes of a distribution that are told."""
MOST_FINDINGS = 20


def _no_truth(value: Any) -> Any:
    """Refuse `true` where a number is asked for: to Python it is 1, to nobody else."""
    if isinstance(value, bool):
        raise PydanticKnownError("int_type")
    return value


Whole = Annotated[int, BeforeValidator(_no_truth)]
"""A whole number; a number's text will do (`"15"`), a truth value will not."""
HitPoints = Annotated[int, Field(ge=1, le=MOST_FIGURE), BeforeValidator(_no_truth)]
Figure = Annotated[int, Field(ge=-MOST_FIGURE, le=MOST_FIGURE), BeforeValidator(_no_truth)]


class Arguments(BaseModel):
    """What a tool is given."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class CheckArguments(Arguments):
    """A check, or a group's with `group` (one bonus each)."""

    dc: Figure
    bonus: Figure = 0
    group: tuple[Figure, ...] = Field(default=(), max_length=50)
    advantage: bool = False
    disadvantage: bool = False


class AttackArguments(Arguments):
    """An attack, or several in one turn."""

    attack: Figure
    ac: Figure
    damage: str = Field(max_length=200)
    attacks: Whole = Field(default=1, ge=1, le=objects.MOST_ATTACKS)
    advantage: bool = False
    disadvantage: bool = False
    hp: HitPoints | None = None


class SaveArguments(Arguments):
    """A saving throw, and the damage that it protects from."""

    dc: Figure
    bonus: Figure
    advantage: bool = False
    disadvantage: bool = False
    damage: str | None = Field(default=None, max_length=200)
    on_success: Literal["half", "none"] = "half"
    hp: HitPoints | None = None


class DuelArguments(Arguments):
    """Two sides as `concilio odds duel` takes them (`hp=12 ac=18 attack=+5 damage=1d8+3`, or a creature)."""

    a: str = Field(max_length=300)
    b: str = Field(max_length=300)
    first: Literal["a", "b", "roll"] = "a"


class RollArguments(Arguments):
    """Dice."""

    dice: str = Field(max_length=200)


class TextArguments(Arguments):
    """A piece of text: a rule, an outcome, a paragraph."""

    text: str = Field(max_length=4_000)


class RuleArguments(Arguments):
    """The id of a rule of the engine."""

    rule: str = Field(max_length=60)


A = TypeVar("A", bound=Arguments)


@dataclass(frozen=True)
class Engine:
    """What the tools compute with."""

    ruleset: Ruleset
    facts: Facts
    language: str


@dataclass(frozen=True)
class Tool(Generic[A]):
    """One tool."""

    arguments: type[A]
    run: Callable[[Engine, A], Any]
    """Gives plain values; may raise OddsError or LookupError."""


def odds_check(engine: Engine, given: CheckArguments) -> Any:
    """Return the odds of a check, or of a group's."""
    mode = mode_of(given.advantage, given.disadvantage)
    checks = tuple(Check(bonus, mode) for bonus in given.group or (given.bonus,))
    return objects.check_object(checks, given.dc, bool(given.group))


def odds_attack(engine: Engine, given: AttackArguments) -> Any:
    """Return the odds of a turn of attacks."""
    attack = Attack(given.attack, parse(given.damage), mode_of(given.advantage, given.disadvantage))
    return _short(objects.attack_object(attack, Target(given.ac), given.attacks, given.hp))


def odds_save(engine: Engine, given: SaveArguments) -> Any:
    """Return the odds of a saving throw, and of its damage if there is any."""
    harm = Harm(parse(given.damage), given.on_success) if given.damage is not None else None
    save = Check(given.bonus, mode_of(given.advantage, given.disadvantage))
    return _short(objects.save_object(save, given.dc, harm, given.hp))


def odds_duel(engine: Engine, given: DuelArguments) -> Any:
    """Return who wins a duel, how often and how soon."""
    a, b = parse_side(given.a, "A"), parse_side(given.b, "B")
    return objects.duel_object(a, b, given.first, objects.play_duel(a, b, given.first, None, 0), 0)


def odds_roll(engine: Engine, given: RollArguments) -> Any:
    """Return the distribution of dice."""
    roll = parse(given.dice)
    return _short(objects.roll_object(roll, spread(roll)))


def _short(found: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return odds without a distribution that is too long to be read."""
    if len(found.get("outcomes", ())) <= MOST_OUTCOMES:
        return found
    return {name: value for name, value in found.items() if name != "outcomes"}


def check_text(engine: Engine, given: TextArguments) -> Any:
    """Return what the rules engine finds in a text."""
    document = read_document(given.text, "text", engine.language)
    found = check(document, engine.ruleset, engine.facts)
    return {"findings": [_finding(finding) for finding in found[:MOST_FINDINGS]]}


def _finding(finding: Finding) -> Mapping[str, str]:
    told = {
        "rule": finding.rule,
        "severity": finding.severity,
        "quote": finding.quote,
        "message": finding.message,
        "expected": finding.expected,
    }
    return {name: value for name, value in told.items() if value}


def explain_rule(engine: Engine, given: RuleArguments) -> Any:
    """Return what a rule asks and why.

    Raises:
        LookupError: there is no such rule.
    """
    if given.rule not in RULES:
        raise LookupError(given.rule)
    return {"rule": given.rule, **asdict(explain(given.rule, engine.language))}


TOOLS: Mapping[str, Tool[Any]] = {
    "odds_check": Tool(CheckArguments, odds_check),
    "odds_attack": Tool(AttackArguments, odds_attack),
    "odds_save": Tool(SaveArguments, odds_save),
    "odds_duel": Tool(DuelArguments, odds_duel),
    "odds_roll": Tool(RollArguments, odds_roll),
    "check_text": Tool(TextArguments, check_text),
    "explain_rule": Tool(RuleArguments, explain_rule),
}
"""The tools by the name under which a model calls them."""


@dataclass(frozen=True)
class EngineTools:
    """The rules engine as a seat's tools (`concilio.gateway.tools.Tools`)."""

    engine: Engine
    book: PromptBook

    @cached_property
    def specs(self) -> Sequence[Mapping[str, Any]]:
        """The tools as providers take them."""
        return tuple(
            {
                "type": "function",
                "function": {
                    "name": name,
                    "description": self.book.message(f"tool.{name}").content,
                    "parameters": parameters(tool.arguments),
                },
            }
            for name, tool in TOOLS.items()
        )

    def answer(self, name: str, arguments: str) -> str:
        """Return what a call comes to as JSON."""
        with speaking(self.book.language):
            return json.dumps(self._answer(name, arguments), ensure_ascii=False)

    def _answer(self, name: str, arguments: str) -> Any:
        tool = TOOLS.get(name)
        if tool is None:
            return {"error": say("tools.unknown", names=", ".join(TOOLS))}
        try:
            return tool.run(self.engine, read_model(arguments or "{}", tool.arguments))
        except OddsError as error:
            return {"error": say(f"odds.problem.{error.code}", **error.values)}
        except LookupError:
            return {"error": say("tools.no_rule", rules=", ".join(RULES))}
        except ReplyInvalid as error:
            return {"error": say("tools.wrong", problem=error.problem)}


@cache
def parameters(arguments: type[Arguments]) -> Mapping[str, Any]:
    """Return the JSON Schema of a tool's arguments, without what is said of them in this file."""
    return cast("Mapping[str, Any]", _bare(arguments.model_json_schema()))


def _bare(schema: Any) -> Any:
    if isinstance(schema, dict):
        pairs = cast("dict[str, Any]", schema).items()
        return {key: _bare(value) for key, value in pairs if key not in ("title", "description")}
    if isinstance(schema, list):
        return [_bare(item) for item in cast("list[Any]", schema)]
    return schema
