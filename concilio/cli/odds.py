"""`concilio odds`: exact odds of checks, saves, attacks and duels, and the distribution of any dice."""

import re
from collections.abc import Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from concilio.catalogue import has_text, say, user_language
from concilio.cli.form import text_or_json

if TYPE_CHECKING:
    from rules.odds.combatants import First
    from rules.odds.dice import Roll
    from rules.odds.errors import OddsError
    from rules.odds.rolls import Check

WRONG_USE = 2
MOST_FIGURE = 1_000
"""Bonuses, DCs and ACs at most."""
LARGEST_GROUP = 50
MOST_HP, MOST_ATTACKS = 5_000, 10
"""As of a duel's side (`rules.odds.combatants`, which is not loaded for the help)."""
LARGEST_SEED = 999_999_999
MOST_SAMPLES = 100_000_000


_OF_KEYS = ("keys", "near")
"""Values of a problem that list keys of a side."""
_OF_DICE = ("unexpected", "unknown_word")
_OF_DAMAGE = ("negates", "evasion", "resistance", "vulnerability", "immunity", "hp")
"""Options of a saving throw that say nothing where there is no damage."""
_OPTION = re.compile(r"--[^\W\d_]{2}[^\s=]*")
"""What is an option and no dice: `--d6` has two minuses."""


class BadOddsError(Exception):
    """Odds cannot be computed of what was given; the message is one line for people."""

    exit_code = WRONG_USE


class _WholeNumber(click.ParamType[int]):
    """A whole number as designers write it: `7`, `+7`, `−1`."""

    name = "integer"

    def __init__(self, least: int, most: int) -> None:
        self._least, self._most = least, most

    def get_metavar(self, param: click.Parameter, ctx: click.Context) -> str:
        return "N"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        from rules.odds.errors import shown
        from rules.odds.sides import integer

        number = value if isinstance(value, int) else integer(str(value))
        if number is None or not self._least <= number <= self._most:
            values = {"found": shown(str(value)), "least": self._least, "most": self._most}
            problem = say("odds.problem.no_number", **values)
            raise BadOddsError(say("odds.wrong", option=param.opts[0] if param else "", problem=problem))
        return number


NUMBER = _WholeNumber(-MOST_FIGURE, MOST_FIGURE)

_format_option = text_or_json("odds.opt_format")
_advantage = click.option("--advantage", is_flag=True, help=say("odds.opt_advantage"))
_disadvantage = click.option("--disadvantage", is_flag=True, help=say("odds.opt_disadvantage"))
_dice = click.option("--dice", metavar=say("odds.meta_dice"), help=say("odds.opt_dice"))

_resistance = click.option("--resistance", is_flag=True, help=say("odds.attack.opt_resistance"))
_vulnerability = click.option("--vulnerability", is_flag=True, help=say("odds.attack.opt_vulnerability"))
_immunity = click.option("--immunity", is_flag=True, help=say("odds.attack.opt_immunity"))


@contextmanager
def _told(option: str) -> Generator[None]:
    """Tell what is wrong with the value of an option.

    Raises:
        BadOddsError: it is.
    """
    from rules.odds.errors import OddsError

    try:
        yield
    except OddsError as error:
        raise BadOddsError(say("odds.wrong", option=option, problem=problem_of(error))) from None


def problem_of(error: "OddsError") -> str:
    """Return what is wrong, in the user's language."""
    values = {**error.values, **{key: _keys(error.values[key]) for key in _OF_KEYS if key in error.values}}
    text = " ".join(filter(None, (say(f"odds.problem.{error.code}", **values), _hint(error))))
    column = error.values.get("column")
    return text if column is None else say("odds.at_column", column=column, problem=text)


def _keys(text: object) -> str:
    """Return the keys of a side that a text lists, as the user's language writes them."""
    names = str(text).split(", ")
    known = [f"odds.key.{name}" for name in names]
    return ", ".join(
        say(key) if has_text(key, user_language()) else name for key, name in zip(known, names, strict=True)
    )


def _hint(error: "OddsError") -> str:
    """Return how to write something else, where dice are of a kind that has no exact odds; else nothing."""
    from rules.odds.dice_words import unsupported

    kind = unsupported(str(error.values.get("found", ""))) if error.code in _OF_DICE else ""
    return say(f"odds.hint.{kind}") if kind else ""


def _roll(text: str | None, option: str) -> "Roll":
    from rules.odds.attacks import NO_DICE
    from rules.odds.parser import parse

    if text is None:
        return NO_DICE
    with _told(option):
        return parse(text)


@click.group(name="odds", help=say("odds.help"), no_args_is_help=True)
def command() -> None:
    """Hold the five kinds of odds."""


@command.command(name="check", help=say("odds.check.help"), short_help=say("odds.check.short"))
@click.option("--bonus", type=NUMBER, help=say("odds.check.opt_bonus"))
@click.option("--dc", type=NUMBER, help=say("odds.check.opt_dc"))
@_advantage
@_disadvantage
@click.option("--helped", is_flag=True, help=say("odds.check.opt_helped"))
@_dice
@click.option("--group", metavar=say("odds.check.meta_group"), help=say("odds.check.opt_group"))
@click.option("--against", type=NUMBER, help=say("odds.check.opt_against"))
@_format_option
def check(
    bonus: int | None,
    dc: int | None,
    advantage: bool,
    disadvantage: bool,
    helped: bool,
    dice: str | None,
    group: str | None,
    against: int | None,
    form: str,
) -> None:
    """Print the odds of a check, a group check or a contest."""
    from rules.odds.rolls import Check, mode_of

    if (bonus is None) == (group is None):
        raise BadOddsError(say("odds.check.bonus_or_group"))
    if (dc is None) == (against is None):
        raise BadOddsError(say("odds.check.dc_or_against"))
    if group is not None and against is not None:
        raise BadOddsError(say("odds.check.group_and_against"))
    mode = mode_of(advantage or helped, disadvantage)
    extra = _roll(dice, "--dice")
    bonuses = _group(group) if group is not None else (bonus or 0,)
    checks = tuple(Check(each, mode, extra) for each in bonuses)
    if against is not None:
        _print_contest(checks[0], against, form)
    else:
        _print_check(checks, dc or 0, group is not None, form)


def _group(text: str) -> tuple[int, ...]:
    from rules.odds.errors import shown
    from rules.odds.sides import integer

    parts = text[:1000].replace(",", " ").split()
    numbers = [number for number in map(integer, parts) if number is not None and abs(number) <= MOST_FIGURE]
    if not numbers or len(numbers) < len(parts) or len(numbers) > LARGEST_GROUP:
        raise BadOddsError(say("odds.check.bad_group", found=shown(text), most=LARGEST_GROUP))
    return tuple(numbers)


def _print_contest(check: "Check", against: int, form: str) -> None:
    from concilio.cli import odds_output
    from rules.odds import objects
    from rules.odds.rolls import Check, contest

    found = contest(check, Check(against))
    odds_output.show(objects.contest_object(check, against, found), odds_output.contest_text, form)


def _print_check(checks: "tuple[Check, ...]", dc: int, is_group: bool, form: str) -> None:
    from concilio.cli import odds_output
    from rules.odds import objects

    odds_output.show(objects.check_object(checks, dc, is_group), odds_output.check_text, form)


@command.command(name="attack", help=say("odds.attack.help"), short_help=say("odds.attack.short"))
@click.option("--attack", "bonus", type=NUMBER, required=True, help=say("odds.attack.opt_attack"))
@click.option("--ac", type=NUMBER, required=True, help=say("odds.attack.opt_ac"))
@click.option("--damage", metavar=say("odds.meta_dice"), required=True, help=say("odds.attack.opt_damage"))
@click.option("--attacks", type=_WholeNumber(1, MOST_ATTACKS), default=1, help=say("odds.attack.opt_attacks"))
@_advantage
@_disadvantage
@_dice
@click.option("--critical", type=_WholeNumber(2, 20), default=20, help=say("odds.attack.opt_critical"))
@click.option(
    "--cover", default="none", metavar=say("odds.attack.meta_cover"), help=say("odds.attack.opt_cover")
)
@_resistance
@_vulnerability
@_immunity
@click.option("--hp", type=_WholeNumber(1, MOST_HP), help=say("odds.attack.opt_hp"))
@_format_option
def attack(
    bonus: int,
    ac: int,
    damage: str,
    attacks: int,
    advantage: bool,
    disadvantage: bool,
    dice: str | None,
    critical: int,
    cover: str,
    resistance: bool,
    vulnerability: bool,
    immunity: bool,
    hp: int | None,
    form: str,
) -> None:
    """Print the odds of an attack, or of several in one turn."""
    from concilio.cli import odds_output
    from rules.odds import objects
    from rules.odds.attacks import Attack, Target, takes_of
    from rules.odds.rolls import mode_of

    damage_roll, extra = _roll(damage, "--damage"), _roll(dice, "--dice")
    made = Attack(bonus, damage_roll, mode_of(advantage, disadvantage), critical, extra)
    target = Target(ac, _cover(cover), takes_of(resistance, vulnerability, immunity))
    with _told("odds attack"):
        found = objects.attack_object(made, target, attacks, hp)
    odds_output.show(found, odds_output.attack_text, form)


def _cover(word: str) -> int:
    """Return what a degree of cover adds to the AC, by the ruleset."""
    from rules.folding import fold_word
    from rules.odds.dice_words import named
    from rules.odds.errors import shown

    degree = named("cover").get(fold_word(word))
    if degree is None:
        words = ", ".join(named("cover"))
        raise BadOddsError(say("odds.attack.bad_cover", found=shown(word), words=words))
    if degree == "none":
        return 0
    from rules.ruleset import load_ruleset  # here: it costs more than the odds

    entry = load_ruleset().cover[degree]
    if not entry.targetable:
        raise BadOddsError(say("odds.attack.total_cover"))
    return entry.armor_class


@command.command(name="save", help=say("odds.save.help"), short_help=say("odds.save.short"))
@click.option("--dc", type=NUMBER, required=True, help=say("odds.check.opt_dc"))
@click.option("--bonus", type=NUMBER, required=True, help=say("odds.save.opt_bonus"))
@_advantage
@_disadvantage
@_dice
@click.option("--damage", metavar=say("odds.meta_dice"), help=say("odds.save.opt_damage"))
@click.option("--negates", is_flag=True, help=say("odds.save.opt_negates"))
@click.option("--evasion", is_flag=True, help=say("odds.save.opt_evasion"))
@_resistance
@_vulnerability
@_immunity
@click.option("--hp", type=_WholeNumber(1, MOST_HP), help=say("odds.save.opt_hp"))
@_format_option
@click.pass_context
def save(
    context: click.Context,
    dc: int,
    bonus: int,
    advantage: bool,
    disadvantage: bool,
    dice: str | None,
    damage: str | None,
    negates: bool,
    evasion: bool,
    resistance: bool,
    vulnerability: bool,
    immunity: bool,
    hp: int | None,
    form: str,
) -> None:
    """Print the odds of a saving throw, and of the damage that it protects from."""
    from concilio.cli import odds_output
    from rules.odds import objects
    from rules.odds.attacks import takes_of
    from rules.odds.rolls import Check, mode_of
    from rules.odds.saves import Harm

    made = Check(bonus, mode_of(advantage, disadvantage), _roll(dice, "--dice"))
    if damage is None and (idle := [name for name in _OF_DAMAGE if context.params[name]]):
        raise BadOddsError(say("odds.save.no_damage", option=f"--{idle[0]}"))
    harm = damage and Harm(
        _roll(damage, "--damage"),
        "none" if negates or evasion else "half",
        "half" if evasion else "full",
        takes_of(resistance, vulnerability, immunity),
    )
    with _told("odds save"):
        found = objects.save_object(made, dc, harm or None, hp)
    odds_output.show(found, odds_output.save_text, form)


@command.command(name="duel", help=say("odds.duel.help"), short_help=say("odds.duel.short"))
@click.option("--a", "a_text", metavar=say("odds.duel.meta_side"), required=True, help=say("odds.duel.opt_a"))
@click.option("--b", "b_text", metavar=say("odds.duel.meta_side"), required=True, help=say("odds.duel.opt_b"))
@click.option(
    "--first",
    type=click.Choice(("a", "b", "roll")),
    default="a",
    show_default=True,
    help=say("odds.duel.opt_first"),
)
@click.option(
    "--sample", "samples", type=_WholeNumber(1, MOST_SAMPLES), metavar="N", help=say("odds.duel.opt_sample")
)
@click.option("--seed", type=_WholeNumber(0, LARGEST_SEED), metavar="N", help=say("odds.duel.opt_seed"))
@_format_option
def duel(a_text: str, b_text: str, first: "First", samples: int | None, seed: int | None, form: str) -> None:
    """Print who wins a duel, how often and how soon."""
    from concilio.cli import odds_output
    from rules.odds import objects
    from rules.odds.sides import parse_side

    with _told("--a"):
        a = parse_side(a_text, "A")
    with _told("--b"):
        b = parse_side(b_text, "B")
    with _told("odds duel"):
        found = objects.play_duel(a, b, first, samples, seed or 0)
        told = objects.duel_object(a, b, first, found, seed or 0)
    if seed is not None and not found.samples:
        click.echo(say("odds.duel.seed_unused"), err=True)
    odds_output.show(told, odds_output.duel_text, form)


def _no_options(context: click.Context, _: click.Parameter, dice: tuple[str, ...]) -> tuple[str, ...]:
    """Refuse options that there are not: dice may begin with a minus, so that click lets all of them pass.

    Raises:
        click.NoSuchOption: there is one.
    """
    for part in dice:
        if found := _OPTION.match(part):
            known = [name for each in context.command.get_params(context) for name in each.opts]
            raise click.NoSuchOption(found.group(), possibilities=known, ctx=context)
    return dice


@command.command(
    name="roll",
    help=say("odds.roll.help"),
    short_help=say("odds.roll.short"),
    context_settings={"ignore_unknown_options": True},
)
@click.argument("dice", metavar=say("odds.meta_dice"), nargs=-1, required=True, callback=_no_options)
@_format_option
def roll(dice: tuple[str, ...], form: str) -> None:
    """Print the distribution of dice."""
    from concilio.cli import odds_output
    from rules.odds import objects
    from rules.odds.dice import spread

    parsed = _roll(" ".join(dice), "odds roll")
    with _told("odds roll"):
        found = objects.roll_object(parsed, spread(parsed))
    odds_output.show(found, odds_output.roll_text, form)


for _each in command.commands.values():
    _each.options_metavar = say("cli.options_metavar")
