"""`concilio rules`: the rules that are checked, why, and the rulesets' words and figures."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from concilio.catalogue import say, user_language
from concilio.cli.completing import any_rules, any_rulesets
from concilio.cli.form import text_or_json

if TYPE_CHECKING:
    from rules.catalogue import RuleInfo
    from rules.ruleset import Kind, Ruleset

UNKNOWN = 2
_SECTIONS: tuple[str, ...] = ("ability", "condition", "damage_type", "action", "sense")

_format_option = text_or_json("check.rules.opt_format")


class UnknownRuleError(Exception):
    """No rule has that id."""

    exit_code = UNKNOWN


@click.group(name="rules", help=say("check.rules.help"), invoke_without_command=True)
@_format_option
@click.pass_context
def command(ctx: click.Context, form: str) -> int | None:
    """List the rules where no subcommand is given."""
    if ctx.invoked_subcommand is None:
        _print_list(form)
        return 0
    return None


@command.command(name="list", help=say("check.rules.help_list"), short_help=say("check.rules.short_list"))
@_format_option
def list_rules(form: str) -> int:
    """Print all rules."""
    _print_list(form)
    return 0


def _print_list(form: str) -> None:
    from rules.catalogue import RULES, explain

    language = user_language()
    if form == "json":
        _print_json([_as_object(rule, language) for rule in RULES])
        return
    width = max(len(rule) for rule in RULES)
    told = {rule: _severities(info) for rule, info in RULES.items()}
    wide = max(map(len, told.values()))
    group = ""
    for rule, info in RULES.items():
        if info.group != group:
            click.echo(
                ("" if not group else "\n") + click.style(say(f"check.rules.group.{info.group}"), bold=True)
            )
            group = info.group
        click.echo(f"  {rule.ljust(width)}  {told[rule].ljust(wide)}  {explain(rule, language).summary}")


def _severities(info: "RuleInfo") -> str:
    """Return how bad a rule's findings are, the usual severity first (`note, warning`)."""
    return ", ".join(say(f"check.severity.{severity}") for severity in info.severities)


def _print_json(value: object) -> None:
    import json

    click.echo(json.dumps(value, ensure_ascii=False, indent=2))


def _as_object(rule: str, language: str) -> dict[str, Any]:
    from dataclasses import asdict

    from rules.catalogue import RULES, explain

    return {**asdict(RULES[rule]), **asdict(explain(rule, language))}


@command.command(
    name="explain", help=say("check.rules.help_explain"), short_help=say("check.rules.short_explain")
)
@click.argument("rule", metavar="ID", shell_complete=any_rules)
@_format_option
def explain_rule(rule: str, form: str) -> int:
    """Print what the catalogue says of one rule."""
    from rules.catalogue import RULES, nearest_rule

    if rule not in RULES:
        near = nearest_rule(rule)
        told = say("check.rules.near", near=near) if near else ""
        raise UnknownRuleError(say("check.rules.unknown", rule=rule, near=told))
    if form == "json":
        _print_json(_as_object(rule, user_language()))
    else:
        click.echo("\n".join(_explained(rule)))
    return 0


def _explained(rule: str) -> Iterator[str]:
    from rules.catalogue import RULES, explain

    info, text = RULES[rule], explain(rule, user_language())
    yield f"{click.style(rule, bold=True)} ({_severities(info)})"
    yield f"  {text.summary}"
    yield ""
    rows = (("why", text.why), ("bad", text.bad), ("good", text.good), ("source", text.source))
    labels = {name: say(f"check.rules.{name}") for name, _ in rows}
    width = max(len(label) for label in labels.values())
    for name, value in rows:
        yield f"  {click.style(labels[name].ljust(width), bold=True)}  {value}"


@command.command(name="show", help=say("check.rules.help_show"), short_help=say("check.rules.short_show"))
@click.argument("ruleset", metavar=say("cli.meta.ruleset"), shell_complete=any_rulesets)
@_format_option
def show_ruleset(ruleset: str, form: str) -> int:
    """Print the words and figures of a ruleset."""
    from concilio.cli.check_setup import load_rules

    rules = load_rules(ruleset, None)
    if form == "json":
        _print_json(rules.model_dump(mode="json"))
    else:
        click.echo("\n".join(_shown(rules, user_language())))
    return 0


def _shown(rules: "Ruleset", language: str) -> Iterator[str]:
    parent = f" ({say('check.rules.extends', parent=rules.extends)})" if rules.extends else ""
    yield click.style(f"{rules.id}: {rules.title.get(language, rules.id)}{parent}", bold=True)
    yield from _section("skill", _skills(rules, language))
    yield from _section("difficulty", _difficulties(rules, language))
    yield from _section("cover", _covers(rules, language))
    for kind in _SECTIONS:
        yield from _section(kind, _words(rules, kind, language))
    fall = rules.falling
    if fall:
        kind_of_damage = rules.word("damage_type", fall.damage_type, language)
        values = {"sides": fall.sides, "metres": fall.metres_per_die, "most": fall.most_dice}
        yield from _section("fall", [say("check.rules.fall", language, type=kind_of_damage, **values)])


def _section(key: str, rows: list[str]) -> Iterator[str]:
    if rows:
        yield ""
        yield click.style(say(f"check.rules.section.{key}"), bold=True)
        yield from (f"  {row}" for row in rows)


def _words(rules: "Ruleset", kind: "Kind | str", language: str) -> list[str]:
    entries = rules.entries(kind)  # type: ignore[arg-type]
    rows: list[str] = []
    for entry in entries.values():
        names = entry.names.get(language)
        if names is not None:
            others = ", ".join((*names.abbr, *names.also))
            rows.append(f"{names.word}  ({others})" if others else names.word)
    return rows


def _skills(rules: "Ruleset", language: str) -> list[str]:
    return [
        f"{rules.word('skill', key, language)}  ({rules.word('ability', skill.ability, language)})"
        for key, skill in rules.skills.items()
        if language in skill.names
    ]


def _difficulties(rules: "Ruleset", language: str) -> list[str]:
    return [
        f"{d.dc:>2}  {d.names[language].word}" for d in rules.difficulties.values() if language in d.names
    ]


def _covers(rules: "Ruleset", language: str) -> list[str]:
    rows: list[str] = []
    for entry in rules.cover.values():
        if language in entry.names:
            bonus = say("check.rules.cover_bonus", language, bonus=entry.armor_class)
            effect = bonus if entry.targetable else say("check.rules.cannot_be_targeted", language)
            rows.append(f"{entry.names[language].word}  ({effect})")
    return rows
