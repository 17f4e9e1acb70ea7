"""Findings as JSON: one object for one file, a list for several. Field names are a public contract."""

import json
from collections.abc import Sequence
from typing import Any

from concilio.report.checked import Checked


def to_json(checked: Sequence[Checked]) -> str:
    """Return the JSON text of one or several files."""
    objects = [_object(c) for c in checked]
    return json.dumps(objects[0] if len(objects) == 1 else objects, ensure_ascii=False, indent=2)


def _object(checked: Checked) -> dict[str, Any]:
    return {
        "file": checked.file,
        "ruleset": checked.ruleset,
        "findings": [f.model_dump() for f in checked.findings],
        "summary": {"errors": checked.count("error"), "warnings": checked.count("warning")},
    }
