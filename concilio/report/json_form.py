"""Findings as JSON: an object for a file, a list for several or a folder. The names are a public contract."""

import json
from collections.abc import Sequence
from typing import Any

from concilio.printable import as_text
from concilio.report.checked import Checked


def to_json(checked: Sequence[Checked], several: bool = False) -> str:
    """Return the JSON text of what was checked.

    Args:
        checked: the files that could be read.
        several: whether several files, or a folder, were asked for: a list then, whatever could be read.
    """
    objects = [_object(c) for c in checked]
    one = objects and not several and len(objects) == 1
    return json.dumps(objects[0] if one else objects, ensure_ascii=False, indent=2)


def _object(checked: Checked) -> dict[str, Any]:
    return {
        "file": as_text(checked.file),
        "ruleset": checked.ruleset,
        "findings": [f.model_dump() for f in checked.findings],
        "summary": {"errors": checked.count("error"), "warnings": checked.count("warning")},
    }
