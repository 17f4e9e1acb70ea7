"""Write `docs/reference/` and the kept pages of help anew, from the commands and the catalogues.

With `--check`, write nothing and end with 1 where a file is not what it should be.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "docs" / "reference"
TEXTS = ROOT / "concilio" / "texts"
LANGUAGES = ("es", "en")
WIDTH = "90"

sys.path.insert(0, str(ROOT))

TITLES = {
    "es": {
        "commands": "Órdenes",
        "settings": "Ajustes",
        "rules": "Reglas",
        "made": "Hecho por `make reference`: no se edita a mano.",
        "settings_head": "| ajuste | qué es | debe ser | por defecto | variable |",
        "rules_head": "| regla | gravedad | qué señala |",
    },
    "en": {
        "commands": "Commands",
        "settings": "Settings",
        "rules": "Rules",
        "made": "Made by `make reference`: not edited by hand.",
        "settings_head": "| setting | what it is | must be | default | variable |",
        "rules_head": "| rule | severity | what it points at |",
    },
}


def cell(text: str) -> str:
    """Return a text that stays inside its cell of a table."""
    return " ".join(text.split()).replace("|", "\\|")


def table(head: str, rows: list[list[str]]) -> list[str]:
    """Return a Markdown table."""
    rule = "| " + " | ".join("---" for _ in range(head.count("|") - 1)) + " |"
    return [head, rule, *("| " + " | ".join(cell(c) for c in row) + " |" for row in rows)]


def page(kind: str, language: str, lines: list[str]) -> str:
    """Return a whole page."""
    words = TITLES[language]
    return "\n".join([f"# {words[kind]}", "", f"<!-- {words['made']} -->", "", *lines, ""])


def help_of(language: str, words: tuple[str, ...]) -> str:
    """Return the help of a command, as a terminal shows it."""
    import contextlib
    import io

    from concilio.cli.main import run_command_line

    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        run_command_line(["--lang", language, *words, "--help"])
    return "\n".join(line.rstrip() for line in out.getvalue().strip().splitlines())


def command_words() -> list[tuple[str, ...]]:
    """Return every command and subcommand, the group itself first."""
    from importlib import import_module

    from click import Group

    from concilio.cli.main import COMMANDS

    found: list[tuple[str, ...]] = [()]
    for name in COMMANDS:
        command = import_module(f"concilio.cli.{name}").command
        found.append((name,))
        if isinstance(command, Group):
            found += [(name, below) for below in command.commands]
    return found


def commands(language: str) -> str:
    """Return the help of every command of one language.

    In a process of its own: a command makes its help when it is imported, in the language of that moment.
    """
    os.environ["CONCILIO_LANG"] = language
    code = f"import runpy; print(runpy.run_path({__file__!r})['help_pages']({language!r}), end='')"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, cwd=ROOT)
    return page("commands", language, ran.stdout.decode("utf-8").splitlines())


def quick_help(language: str) -> str:
    """Return the page that `concilio --help` prints without loading click; as wide as it says itself."""
    from concilio.cli.quick_help import COLUMNS

    os.environ["COLUMNS"] = str(COLUMNS)
    text = help_of(language, ())
    os.environ["COLUMNS"] = WIDTH
    return text + "\n"


def help_pages(language: str) -> str:
    """Return the sections of the page of commands."""
    sections = [(" ".join(("concilio", *words)), help_of(language, words)) for words in command_words()]
    return "\n\n".join(f"## {title}\n\n```text\n{text}\n```" for title, text in sections)


def settings(language: str) -> str:
    """Return the settings with what they mean, may be and are."""
    from concilio.catalogue import say
    from concilio.settings.model import SETTING_NAMES, Settings

    def row(name: str) -> list[str]:
        default = Settings.model_fields[name].default
        shown = "—" if default in (None, {}) else f"`{default}`"
        meaning = say(f"settings.meaning.{name}", language)
        expected = say(f"settings.expected.{name}", language)
        return [f"`{name}`", meaning, expected, shown, f"`CONCILIO_{name.upper()}`"]

    lines = table(TITLES[language]["settings_head"], [row(name) for name in SETTING_NAMES])
    about_rules = say("settings.about_rules", language).strip().splitlines()
    return page("settings", language, [*lines, "", *about_rules])


def rules(language: str) -> str:
    """Return the rules by group."""
    from rules.catalogue import RULES, explain

    lines: list[str] = []
    for group in dict.fromkeys(rule.group for rule in RULES.values()):
        members = [rule for rule in RULES.values() if rule.group == group]
        rows = [[f"`{r.id}`", ", ".join(r.severities), explain(r.id, language).summary] for r in members]
        lines += [f"## {group}", "", *table(TITLES[language]["rules_head"], rows), ""]
    return page("rules", language, lines[:-1])


PAGES: dict[str, Callable[[str], str]] = {"commands": commands, "settings": settings, "rules": rules}


def pages() -> dict[Path, str]:
    """Return every page by its path. Widths do not depend on the terminal."""
    os.environ["COLUMNS"] = WIDTH
    os.environ["PYTHONIOENCODING"] = "utf-8"
    reference = {FOLDER / f"{k}.{lang}.md": make(lang) for k, make in PAGES.items() for lang in LANGUAGES}
    return reference | {TEXTS / lang / "help.txt": quick_help(lang) for lang in LANGUAGES}


def main(arguments: list[str]) -> int:
    """Write or compare."""
    wanted = {path: text for path, text in pages().items() if not _is(path, text)}
    for path, text in wanted.items():
        print(path.relative_to(ROOT))
        if "--check" not in arguments:
            path.write_text(text, encoding="utf-8")
    return 1 if wanted and "--check" in arguments else 0


def _is(path: Path, text: str) -> bool:
    return path.is_file() and path.read_text(encoding="utf-8") == text


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
