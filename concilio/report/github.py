"""Findings as GitHub workflow commands, which become annotations on a pull request."""

from collections.abc import Iterator, Sequence

from concilio.catalogue import message_language, say
from concilio.printable import as_text
from concilio.report.checked import Checked
from rules.findings import Finding

_LEVELS = {"error": "error", "warning": "warning", "note": "notice"}
_DATA = {"%": "%25", "\r": "%0D", "\n": "%0A"}
_PROPERTY = {**_DATA, ":": "%3A", ",": "%2C"}


def to_github(checked: Sequence[Checked]) -> str:
    """Return one workflow command a finding."""
    return "\n".join(_lines(checked))


def _lines(checked: Sequence[Checked]) -> Iterator[str]:
    for one in checked:
        for finding in one.findings:
            yield _command(one.file, finding, message_language(one.language))


def _command(file: str, finding: Finding, language: str) -> str:
    places = {
        "file": as_text(file),
        "line": str(finding.line),
        "col": str(finding.column),
        "title": finding.rule,
    }
    properties = ",".join(f"{name}={_escaped(value, _PROPERTY)}" for name, value in places.items())
    return f"::{_LEVELS[finding.severity]} {properties}::{_escaped(_message(finding, language), _DATA)}"


def _message(finding: Finding, language: str) -> str:
    quote = f" {say('check.quoted', language, quote=finding.quote)}" if finding.quote else ""
    expected = f" → {finding.expected}" if finding.expected else ""
    return f"{finding.message}{quote}{expected}"


def _escaped(text: str, table: dict[str, str]) -> str:
    return "".join(table.get(c, c) for c in text)
