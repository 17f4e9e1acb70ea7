"""Findings as SARIF 2.1.0, the form that code hosts and editors read."""

import json
from collections.abc import Sequence
from typing import Any

from concilio import __version__
from concilio.catalogue import user_language
from concilio.printable import as_uri
from concilio.report.checked import Checked
from rules.catalogue import RULES, explain
from rules.findings import Finding

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def to_sarif(checked: Sequence[Checked]) -> str:
    """Return a SARIF log of one run; rules are described in the user's language."""
    ids, language = list(RULES), user_language()
    log = {
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {
                    "driver": {
                        "name": "concilio",
                        "version": __version__,
                        "rules": [_rule(rule, language) for rule in ids],
                    }
                },
                "columnKind": "unicodeCodePoints",
                "results": [_result(c.file, f, ids) for c in checked for f in c.findings],
            }
        ],
    }
    return json.dumps(log, ensure_ascii=False, indent=2)


def _rule(rule: str, language: str) -> dict[str, Any]:
    info, text = RULES[rule], explain(rule, language)
    return {
        "id": rule,
        "shortDescription": {"text": text.summary},
        "fullDescription": {"text": text.why},
        "help": {"text": f"✗ {text.bad}\n✓ {text.good}\n{text.source}"},
        "defaultConfiguration": {"level": info.severity},
        "properties": {"group": info.group},
    }


def _result(file: str, finding: Finding, ids: list[str]) -> dict[str, Any]:
    return {
        "ruleId": finding.rule,
        "ruleIndex": ids.index(finding.rule),
        "level": finding.severity,
        "message": {"text": finding.message},
        "locations": [
            {
                "physicalLocation": {
                    "artifactLocation": {"uri": as_uri(file)},
                    "region": _region(finding),
                }
            }
        ],
        "properties": {
            "scene": finding.scene,
            "part": finding.part,
            "expected": finding.expected,
            "source": finding.source,
        },
    }


def _region(finding: Finding) -> dict[str, Any]:
    region: dict[str, Any] = {"startLine": finding.line, "startColumn": finding.column}
    if finding.quote:
        lines = finding.quote.split("\n")
        first = finding.column if len(lines) == 1 else 1
        region |= {
            "endLine": finding.line + len(lines) - 1,
            "endColumn": first + len(lines[-1]),
            "snippet": {"text": finding.quote},
        }
    return region
