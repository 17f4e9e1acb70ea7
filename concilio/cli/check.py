"""`concilio check`: what is wrong with chapters, plans, or anybody's Markdown adventure."""

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, cast

import click

from concilio.catalogue import say, user_language
from concilio.cli.counting import counted
from concilio.printable import printable

if TYPE_CHECKING:
    from concilio.domain.adventure import Adventure
    from concilio.report.checked import Checked
    from concilio.report.repair import Repair
    from rules.engine import Config, Level
    from rules.facts import Facts
    from rules.ruleset import Ruleset

FORMATS = ("text", "json", "sarif", "github")
CLEAN, FAULTY, UNREADABLE = 0, 1, 2
STDIN = "-"
MOST_BYTES = 64_000_000
_LEVELS = ("error", "warning", "note", "off")


class CannotReadError(Exception):
    """A file cannot be checked; the message is one line for people."""

    exit_code = UNREADABLE


class BadSetupError(Exception):
    """The ruleset, the adventure or the settings cannot be used."""

    exit_code = UNREADABLE


@dataclass(frozen=True, slots=True)
class Bench:
    """What every file is checked with."""

    ruleset: "Ruleset"
    facts: "Facts | None"
    config: "Config"


@click.command(name="check", help=say("check.help"))
@click.argument("files", nargs=-1, required=True, metavar=say("check.arg_files"))
@click.option("--ruleset", metavar="ID", help=say("check.opt_ruleset"))
@click.option("--adventure", type=click.Path(path_type=Path), help=say("check.opt_adventure"))
@click.option(
    "--format",
    "form",
    type=click.Choice(FORMATS),
    default="text",
    show_default=True,
    help=say("check.opt_format"),
)
@click.option("--fix", is_flag=True, help=say("check.opt_fix"))
@click.option("--diff", is_flag=True, help=say("check.opt_diff"))
def command(
    files: tuple[str, ...], ruleset: str | None, adventure: Path | None, form: str, fix: bool, diff: bool
) -> int:
    """Check files and print the findings; 1 where one of them is an error, 2 where a file cannot be read."""
    bench = set_up(ruleset, adventure)
    checked: list[Checked] = []
    unread = mended = 0
    paths = list(_paths(files))
    outcomes = _outcomes(paths, bench, "diff" if diff else "fix" if fix else "")
    for outcome in counted(outcomes, len(paths), lambda one: bool(one.problem or one.diff)):
        click.echo(outcome.diff, nl=False)
        mended += outcome.mended
        if outcome.checked is None:
            click.echo(outcome.problem, err=True)
            unread += 1
        else:
            checked.append(outcome.checked)
    several = len(files) > 1 or any(_is_folder(Path(file)) for file in files if file not in ("", STDIN))
    if fix and checked and not diff:
        click.echo(say("check.mended", places=mended), err=True)
    if (checked or (several and form == "json")) and not diff:
        output = _report(checked, form, several)
        click.echo(output, nl=bool(output))
    if unread:
        return UNREADABLE
    return FAULTY if any(c.count("error") for c in checked) else CLEAN


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of one file."""

    checked: "Checked | None"
    """None where it could not be read or written."""
    problem: str = ""
    diff: str = ""
    """What a repair would change, where that was asked for."""
    mended: int = 0
    """Places that were put right in the file."""


def _outcomes(files: "Sequence[str]", bench: Bench, repair: str) -> "Iterator[Outcome]":
    """Check files, several at once where there are many, and give what came of them in order."""
    from concilio.report.collecting import rare_collections
    from concilio.report.parallel import in_order

    if len(files) > 1:
        _warm_up(bench)

    def one(file: str) -> Outcome:
        with rare_collections():
            return _outcome(file, bench, repair)

    return in_order(one, files, 1 if STDIN in files else None)


def _warm_up(bench: Bench) -> None:
    """Load what all files need before the work is shared out, once."""
    from concilio.catalogue import LANGUAGES
    from concilio.chapterfile.reader import read_document
    from rules.engine import check

    for language in LANGUAGES:
        check(read_document("1", "", language), bench.ruleset, bench.facts, bench.config)


def _outcome(file: str, bench: Bench, repair: str) -> Outcome:
    try:
        source = read_source(file)
        right, places = _repaired(file, source, bench) if repair else (source, 0)
        if repair == "fix" and right != source:
            _write(file, right)
        shown = _diff(file, source, right) if repair == "diff" else ""
        mended = places if repair == "fix" else 0
        return Outcome(check_text(file, right if mended else source, bench), "", shown, mended)
    except CannotReadError as error:
        return Outcome(None, str(error))


def _repaired(file: str, source: str, bench: Bench) -> "Repair":
    from concilio.report.repair import repair

    return repair(source, Path(file).name, bench.ruleset, bench.facts, bench.config)


def _diff(file: str, source: str, right: str) -> str:
    from concilio.report.repair import diff

    return diff(source, right, file)


def _write(file: str, text: str) -> None:
    if file == STDIN:
        raise CannotReadError(say("check.cannot_fix_stdin"))
    from concilio.store.errors import StoreError
    from concilio.store.files import write_atomic

    path = Path(file).resolve()
    try:
        mode = path.stat().st_mode
        write_atomic(path, text)
        path.chmod(mode)
    except StoreError as error:
        raise CannotReadError(error.explain()) from None
    except OSError as error:
        raise CannotReadError(say("check.unwritable", file=printable(file), problem=error.strerror)) from None


def set_up(ruleset: str | None, adventure: Path | None) -> Bench:
    """Load what every file is checked with.

    Raises:
        BadSetupError: no such ruleset, or the settings' `[rules]` are wrong.
        AdventureErrors: the adventure cannot be used.
    """
    if adventure is None:
        rules = load_rules(ruleset or "srd5e", None)
        return Bench(rules, None, _config())
    from concilio.adventure.facts import facts_of

    loaded = _adventure(adventure)
    rules = load_rules(ruleset or loaded.ruleset, adventure)
    return Bench(rules, facts_of(loaded, rules), _config())


def _adventure(path: Path) -> "Adventure":
    from concilio.adventure.loader import load_adventure
    from concilio.adventure.problems import AdventureErrors

    try:
        return load_adventure(path)
    except AdventureErrors as error:
        raise BadSetupError(error.format()) from None


def load_rules(name: str, adventure: Path | None) -> "Ruleset":
    """Return a shipped ruleset, one of the folder `rulesets` beside the adventure, or one by its path.

    Raises:
        BadSetupError: there is none, or its files are wrong.
    """
    from rules.ruleset import RulesetError, load_ruleset

    path = Path(name)
    beside = (adventure if adventure.is_dir() else adventure.parent) if adventure else None
    try:
        if len(path.parts) > 1 or name in (".", ".."):
            resolved = path.resolve()
            return load_ruleset(resolved.name, resolved.parent)
        return load_ruleset(name, beside)
    except RulesetError as error:
        raise BadSetupError(say("check.bad_ruleset", problem=error)) from None


def _config() -> "Config":
    """Return the severities of `[rules]` in the current folder's settings file.

    Raises:
        BadSetupError: no such rule, or no such severity.
    """
    from rules.engine import Config

    if not Path("concilio.toml").is_file():
        return Config()
    from concilio.settings.file import find_file, read_file

    path = find_file(Path.cwd(), None)
    table: object = read_file(path).table.get("rules", {}) if path else {}
    problems = list(_config_problems(table))
    if problems:
        raise BadSetupError("; ".join(problems))
    return Config(cast("dict[str, Level]", table))


def _config_problems(table: object) -> Iterator[str]:
    from rules.catalogue import RULES, nearest_rule

    file = "concilio.toml"
    if not isinstance(table, dict):
        yield say("check.bad_severity", file=file, rule="", value=table)
        return
    for rule, value in cast("dict[str, object]", table).items():
        if rule not in RULES:
            near = nearest_rule(rule)
            told = say("check.rules.near", near=near) if near else ""
            yield say("check.unknown_rule_setting", file=file, rule=rule, near=told)
        elif value not in _LEVELS:
            yield say("check.bad_severity", file=file, rule=rule, value=value)


def _paths(files: Sequence[str]) -> Iterator[str]:
    """Give the files to check: a folder stands for its Markdown files, in order of name."""
    for file in files:
        folder = file not in ("", STDIN) and _is_folder(Path(file))
        found = sorted(str(p) for p in Path(file).rglob("*.md") if p.is_file()) if folder else []
        yield from found or [file]


def _is_folder(path: Path) -> bool:
    try:
        return path.is_dir()
    except (OSError, ValueError):  # a name that no file can have; reading it says so
        return False


def check_text(file: str, source: str, bench: Bench) -> "Checked":
    """Check the text of a file, which is only called by its name here."""
    from concilio.chapterfile.reader import read_document
    from concilio.report.checked import Checked
    from rules.engine import check

    name = "stdin" if file == STDIN else file
    document = read_document(source, Path(name).name)
    return Checked(name, bench.ruleset.id, check(document, bench.ruleset, bench.facts, bench.config))


def read_source(file: str) -> str:
    """Return the text of a file, or of the standard input for `-`.

    Raises:
        CannotReadError: it cannot be read, is empty, or is no UTF-8 text.
    """
    data = _bytes(file)
    if not data.strip():
        raise _cannot(file, say("check.empty"))
    if len(data) > MOST_BYTES:
        raise _cannot(file, say("check.too_large", megabytes=MOST_BYTES // 1_000_000))
    if b"\0" in data:
        raise _cannot(file, say("check.binary"))
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise _cannot(file, say("check.not_utf8", position=error.start)) from None


def _bytes(file: str) -> bytes:
    if not file:
        raise _cannot('""', say("check.no_name"))
    if file == STDIN:
        return sys.stdin.buffer.read(MOST_BYTES + 1)
    path = Path(file)
    try:
        if _is_folder(path):
            raise _cannot(file, say("check.no_markdown"))
        with path.open("rb") as stream:
            return stream.read(MOST_BYTES + 1)
    except FileNotFoundError:
        raise _cannot(file, say("check.missing")) from None
    except (OSError, ValueError) as error:
        raise _cannot(file, getattr(error, "strerror", None) or str(error)) from None


def _cannot(file: str, problem: str) -> CannotReadError:
    return CannotReadError(say("check.unreadable", file=printable(file), problem=problem))


def _report(checked: "Sequence[Checked]", form: str, several: bool) -> str:
    if form == "json":
        from concilio.report.json_form import to_json

        return to_json(checked, several)
    if form == "sarif":
        from concilio.report.sarif import to_sarif

        return to_sarif(checked, user_language())
    if form == "github":
        from concilio.report.github import to_github

        return to_github(checked)
    from concilio.report.text import to_text

    return to_text(checked, user_language())
