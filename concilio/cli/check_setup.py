"""What `concilio check` holds texts against: a ruleset, an adventure's facts, the severities of `[rules]`."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, cast

from concilio.catalogue import Language, chosen_language, message_language, say, speaking, user_language
from concilio.printable import printable

if TYPE_CHECKING:
    from concilio.chapterfile.language import Hints
    from concilio.domain.adventure import Adventure
    from concilio.settings.file import SettingsFile
    from rules.document import Document
    from rules.engine import Config, Level
    from rules.facts import Facts
    from rules.findings import Finding
    from rules.ruleset import Ruleset

STDIN = "-"
_LEVELS = ("error", "warning", "note", "off")
_TABLE = "rules"


class BadSetupError(Exception):
    """The ruleset, the adventure or the settings cannot be used."""

    exit_code = 2


@dataclass(frozen=True, slots=True)
class Bench:
    """What every file is checked with."""

    ruleset: "Ruleset"
    facts: "Facts | None"
    configs: "Mapping[Path, Config]"
    """Severities by the folder of the text."""
    hints: "Hints"
    language: Language | None = None
    """Language of the texts, where the user says it; None: each text's own."""

    def config_of(self, file: str) -> "Config":
        """Return the severities that hold for a file."""
        from rules.engine import Config

        return self.configs.get(folder_of(file)) or Config()

    def read(self, source: str, file: str) -> "Document":
        """Read a file's text, in the language that is asked for or told."""
        from concilio.chapterfile.reader import read_document

        return read_document(source, Path(name_of(file)).name, self.language, self.hints)

    def findings(self, document: "Document", file: str) -> "tuple[Finding, ...]":
        """Check a text that was read; messages speak the language that the user asks for, else its own."""
        from rules.engine import check

        return check(document, self.ruleset, self.facts, self.config_of(file), chosen_language())


def name_of(file: str) -> str:
    """Return what a file is called in findings."""
    return "stdin" if file == STDIN else file


def folder_of(file: str) -> Path:
    """Return the folder in which a file lies; the current one for the standard input."""
    return Path() if file == STDIN else Path(file).parent


def set_up(
    ruleset: str | None, adventure: Path | None, files: Sequence[str] = (), language: Language | None = None
) -> Bench:
    """Load what every file is checked with.

    Args:
        ruleset: name or folder of one; None: the adventure's, else that of the SRD.
        adventure: gives names, stat blocks, and the language of texts that do not tell theirs.
        files: the texts: `[rules]` and rulesets are looked for beside them.
        language: of the texts, where the user says it.

    Raises:
        BadSetupError: the adventure or the ruleset cannot be used, or the settings' `[rules]` are wrong.
    """
    from concilio.adventure.facts import facts_of
    from concilio.chapterfile.language import Hints

    loaded = None if adventure is None else _adventure(adventure)
    own = loaded.language if loaded else None
    folders = tuple(dict.fromkeys(map(folder_of, files)))
    with speaking(message_language(own) if own else None):
        rules = load_rules(ruleset or (loaded.ruleset if loaded else "srd5e"), adventure, folders)
        configs = _configs(folders, adventure)
    facts = None if loaded is None else facts_of(loaded, rules)
    return Bench(rules, facts, configs, Hints(own, cast("Language", user_language())), language)


def _adventure(path: Path) -> "Adventure":
    from concilio.adventure.loader import load_adventure
    from concilio.adventure.problems import AdventureErrors

    try:
        return load_adventure(path)
    except AdventureErrors as error:
        raise BadSetupError(error.format()) from None


def load_rules(name: str, adventure: Path | None, folders: Sequence[Path] = ()) -> "Ruleset":
    """Return a shipped ruleset, one of the folder `rulesets` beside the adventure, or one by its path.

    Args:
        name: its id, or the path of its folder.
        adventure: the adventure that it lies beside.
        folders: where else one may lie beside: the texts' folders. The current one is the last.

    Raises:
        BadSetupError: there is none, or its files are wrong.
    """
    from rules.rulefiles import names_in
    from rules.ruleset import RulesetError, load_ruleset

    path = Path(name)
    own = [] if adventure is None else [_beside(adventure)]
    looked = tuple(dict.fromkeys(f.resolve() for f in (*own, *folders, Path())))
    try:
        if len(path.parts) > 1 or name in (".", ".."):
            resolved = path.resolve()
            return load_ruleset(resolved.name, resolved.parent)
        at = (f for f in looked if name in (*names_in(f / "rulesets"), *names_in(f)))
        return load_ruleset(name, next(at, None))
    except RulesetError as error:
        if error.code == "not_there":
            raise BadSetupError(_no_ruleset(error.file, looked)) from None
        raise BadSetupError(say("check.bad_ruleset", problem=error.told(user_language()))) from None


def _no_ruleset(name: str, looked: Iterable[Path]) -> str:
    """Say that there is no such ruleset: which there are, and where one of that name was looked for."""
    from rules.rulefiles import names_in
    from rules.ruleset import SHIPPED

    folders = [folder / "rulesets" for folder in looked]
    names = {*names_in(SHIPPED), *(n for folder in folders for n in names_in(folder))}
    places = ", ".join(printable(folder / name) for folder in folders)
    told = {"name": printable(name), "names": ", ".join(sorted(names)), "places": places}
    return say("check.unknown_ruleset", **told)


def _beside(adventure: Path) -> Path:
    return adventure if adventure.is_dir() else adventure.parent


def _configs(folders: Iterable[Path], adventure: Path | None) -> "dict[Path, Config]":
    """Return the severities that hold for the texts of each folder.

    The nearest `concilio.toml` with a table `[rules]` counts: beside the adventure or above it, else beside
    the text or above it, else in the current folder or above it.
    """
    first = () if adventure is None else (_beside(adventure),)
    read: dict[Path, SettingsFile | None] = {}
    return {folder: _config((*first, folder, Path()), read) for folder in folders}


def _config(starts: Iterable[Path], read: "dict[Path, SettingsFile | None]") -> "Config":
    from rules.engine import Config

    for start in starts:
        place = start.resolve()
        for folder in (place, *place.parents):
            file = _settings_in(folder, read)
            if file is not None and _TABLE in file.table:
                return Config(cast("dict[str, Level]", file.table[_TABLE]))
    return Config()


def _settings_in(folder: Path, read: "dict[Path, SettingsFile | None]") -> "SettingsFile | None":
    """Return the settings file of a folder, read and its `[rules]` judged once.

    Raises:
        BadSetupError: no such rule, or no such severity.
    """
    from concilio.settings.file import is_in, read_file

    if folder not in read:
        read[folder] = None
        if is_in(folder):
            file = read_file(folder / "concilio.toml")
            problems = list(_config_problems(file))
            if problems:
                raise BadSetupError("; ".join(problems))
            read[folder] = file
    return read[folder]


def _config_problems(file: "SettingsFile") -> Iterator[str]:
    from rules.catalogue import RULES, nearest_rule

    table: object = file.table.get(_TABLE, {})
    if not isinstance(table, dict):
        yield say("check.bad_table", file=printable(file.place(_TABLE)), value=table)
        return
    for rule, value in cast("dict[str, object]", table).items():
        place = printable(file.place(f"{_TABLE}.{rule}"))
        if rule not in RULES:
            near = nearest_rule(rule)
            told = say("check.rules.near", near=near) if near else ""
            yield say("check.unknown_rule_setting", file=place, rule=rule, near=told)
        elif value not in _LEVELS:
            yield say("check.bad_severity", file=place, rule=rule, value=value)
