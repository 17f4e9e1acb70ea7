"""Findings for a person: one block each, and a last line that counts. Colours are dropped off a terminal."""

from collections.abc import Iterator, Sequence

import click

from concilio.catalogue import message_language, say, user_language
from concilio.printable import as_text
from concilio.report.checked import Checked, totals
from rules.findings import Finding

_COLOURS = {"error": "red", "warning": "yellow", "note": "cyan"}
_QUOTE = 160
"""Characters of a quote that are shown."""


def to_text(checked: Sequence[Checked]) -> str:
    """Return all findings and the summary line.

    A file is told of in the language that the user asks for, else in its own; the summary is in the user's.
    """
    blocks = [line for c in checked for f in c.findings for line in (*_block(c, f), "")]
    return "\n".join([*blocks, _summary(checked, user_language())])


def _block(checked: Checked, finding: Finding) -> Iterator[str]:
    file, language = checked.file, message_language(checked.language)
    place = click.style(f"{printable(as_text(file))}:{finding.line}:{finding.column}", bold=True)
    severity = click.style(
        say(f"check.severity.{finding.severity}", language), fg=_COLOURS[finding.severity], bold=True
    )
    where = _where(finding, language)
    part = say(f"check.part.{finding.part}", language)
    rule = click.style(finding.rule, fg=_COLOURS[finding.severity])
    yield f"{place}: {severity} {rule} ({', '.join(p for p in (where, part) if p)})"
    yield f"  {printable(finding.message)}"
    if finding.quote:
        yield "  " + click.style(f"> {_shortened(printable(finding.quote))}", dim=True)
    if finding.expected:
        expected = say("check.expected", language, expected=_shortened(printable(finding.expected)))
        source = f"  ({printable(finding.source)})" if finding.source else ""
        yield f"  {expected}{source}"


def _where(finding: Finding, language: str) -> str:
    """Say in which scene a finding is, or that it is of the whole chapter (`4` is no scene)."""
    if not finding.scene:
        return ""
    kind = "scene" if "." in finding.scene else "chapter"
    return say(f"check.{kind}", language, scene=printable(finding.scene))


def _summary(checked: Sequence[Checked], language: str) -> str:
    counts = zip(("error", "warning", "note"), totals(checked), strict=True)
    told = [
        click.style(_counted(f"check.count.{name}", count, language), fg=_COLOURS[name], bold=True)
        for name, count in counts
        if count
    ]
    files = _counted("check.count.file", len(checked), language)
    if not told:
        return click.style(say("check.clean", language, files=files), fg="green")
    return say("check.summary", language, counts=", ".join(told), files=files)


def _counted(key: str, count: int, language: str) -> str:
    return say(f"{key}.{'one' if count == 1 else 'many'}", language, count=count)


def printable(text: str) -> str:
    """Return a text on one line without characters that could steer a terminal."""
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())


def _shortened(text: str) -> str:
    return text if len(text) <= _QUOTE else text[: _QUOTE - 1] + "…"
