"""`concilio check`: what is wrong with chapters, plans, or anybody's Markdown adventure."""

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from concilio.catalogue import LANGUAGES, Language, follow, say, speaking
from concilio.cli.check_files import CannotReadError, files_of, is_folder, read_source, write_source
from concilio.cli.check_setup import STDIN, Bench, name_of, set_up
from concilio.cli.completing import any_files
from concilio.cli.counting import counted
from concilio.printable import printable

if TYPE_CHECKING:
    from concilio.report.checked import Checked
    from concilio.report.repair import Repair

FORMATS = ("text", "json", "sarif", "github")
CLEAN, FAULTY, UNREADABLE = 0, 1, 2


@click.command(name="check", help=say("check.help"))
@click.argument("files", nargs=-1, required=True, metavar=say("check.arg_files"), shell_complete=any_files)
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
@click.option("--language", type=click.Choice(LANGUAGES), help=say("check.opt_language"))
@click.option("--fix", is_flag=True, help=say("check.opt_fix"))
@click.option("--diff", is_flag=True, help=say("check.opt_diff"))
def command(
    files: tuple[str, ...],
    ruleset: str | None,
    adventure: Path | None,
    form: str,
    language: Language | None,
    fix: bool,
    diff: bool,
) -> int:
    """Check files and print the findings; 1 where one of them is an error, 2 where a file fails."""
    asked = Asked(files, form, "diff" if diff else "fix" if fix else "")
    with speaking(None):  # what is spoken of these texts ends with them
        return _check(asked, ruleset, adventure, language)


@dataclass(frozen=True, slots=True)
class Asked:
    """What the user asks for."""

    files: Sequence[str]
    form: str
    repair: str = ""
    """`fix`, `diff` or nothing."""

    @property
    def several(self) -> bool:
        """Whether the answer is a list, whatever can be read."""
        return len(self.files) > 1 or any(map(is_folder, self.files))


def _check(asked: Asked, ruleset: str | None, adventure: Path | None, language: Language | None) -> int:
    paths = files_of(asked.files)
    bench = set_up(ruleset, adventure, paths, language)
    if bench.hints.adventure:
        follow(bench.hints.adventure)
    checked: list[Checked] = []
    failed = mended = 0
    outcomes = _outcomes(paths, bench, asked.repair)
    for outcome in counted(outcomes, len(paths), lambda one: bool(one.problem or one.diff)):
        _show(outcome.diff)
        mended += outcome.mended
        if outcome.problem:
            click.echo(outcome.problem, err=True)
            failed += 1
        if outcome.checked is not None:
            checked.append(outcome.checked)
    _speak_as(checked)
    _tell(checked, asked, mended if mended or failed < len(paths) else None)
    if failed:
        return UNREADABLE
    return FAULTY if any(c.count("error") for c in checked) else CLEAN


def _show(patch: str) -> None:
    """Print a patch: to a program byte for byte, to a terminal without what would steer it."""
    from concilio.report.repair import shown

    click.echo(shown(patch) if sys.stdout.isatty() else patch, nl=False, color=True)


def _tell(checked: "Sequence[Checked]", asked: Asked, mended: int | None) -> None:
    """Print what was found; a repair that is only shown has been printed already.

    `mended` places were put right; None where nothing could be read or written.
    """
    if asked.form == "text":
        click.echo("".join(f"{line}\n" for line in _taken_for(checked)), nl=False, err=True)
    if asked.repair == "fix" and mended is not None:
        click.echo(say("check.mended", places=mended), err=True)
    if (checked or (asked.several and asked.form == "json")) and asked.repair != "diff":
        output = _report(checked, asked.form, asked.several)
        click.echo(output, nl=bool(output))


def _speak_as(checked: "Sequence[Checked]") -> None:
    """Tell of texts in their own language, where the user asks for none and they all have the same."""
    languages: set[Language] = {one.language for one in checked}
    if len(languages) == 1:
        follow(languages.pop())


def _taken_for(checked: "Sequence[Checked]") -> Iterator[str]:
    """Say of each text that does not tell its language for which one it was taken."""
    for one in checked:
        if not one.language_is_told:
            language = say(f"check.language.{one.language}")
            yield say("check.taken_for", file=printable(one.file), language=language)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of one file."""

    checked: "Checked | None"
    """None where it could not be read."""
    problem: str = ""
    """Why it could not be read or written, in a line for people."""
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
    for language in LANGUAGES:
        bench.findings(bench.read("1", f"x.{language}.md"), "")


def _outcome(file: str, bench: Bench, repair: str) -> Outcome:
    try:
        source = read_source(file)
    except CannotReadError as error:
        return Outcome(None, str(error))
    right, places = _repaired(file, source, bench) if repair else (source, 0)
    if repair == "diff":
        return Outcome(check_text(file, source, bench), diff=_diff(file, source, right))
    if repair == "fix" and right != source:
        try:
            write_source(file, right)
        except CannotReadError as error:
            return Outcome(check_text(file, source, bench), str(error))
        return Outcome(check_text(file, right, bench), mended=places)
    return Outcome(check_text(file, source, bench))


def _repaired(file: str, source: str, bench: Bench) -> "Repair":
    from concilio.report.repair import repair

    return repair(
        source, lambda text: bench.read(text, file), bench.ruleset, bench.facts, bench.config_of(file)
    )


def _diff(file: str, source: str, right: str) -> str:
    from concilio.report.repair import diff

    return diff(source, right, file)


def check_text(file: str, source: str, bench: Bench) -> "Checked":
    """Check the text of a file, which is only called by its name here."""
    from concilio.report.checked import Checked

    document = bench.read(source, file)
    found = bench.findings(document, file)
    return Checked(name_of(file), bench.ruleset.id, found, document.language, document.language_is_told)


def _report(checked: "Sequence[Checked]", form: str, several: bool) -> str:
    if form == "json":
        from concilio.report.json_form import to_json

        return to_json(checked, several)
    if form == "sarif":
        from concilio.report.sarif import to_sarif

        return to_sarif(checked)
    if form == "github":
        from concilio.report.github import to_github

        return to_github(checked)
    from concilio.report.text import to_text

    return to_text(checked)
