"""The JSON Schema of an adventure's front matter and of an adventure in YAML, for editors.

`python -m concilio.adventure.schema` writes it to `concilio/schemas/adventure.schema.json`.
"""

import json
from pathlib import Path
from typing import Any

from concilio.adventure.chapters import KNOWN_KEYS
from concilio.adventure.frontmatter import KEYS
from concilio.catalogue import say

SCHEMA_FILE = Path(__file__).parents[1] / "schemas" / "adventure.schema.json"
_DRAFT = "https://json-schema.org/draft/2020-12/schema"


def schema(language: str = "en") -> dict[str, Any]:
    """Return the schema, described in that language."""
    properties = {
        key: {"description": say(f"adventure.schema.adventure.{key}", language), **spec.schema(language)}
        for key, spec in KEYS.items()
    }
    properties["chapters"] |= {"type": "array", "items": _chapter(language)}
    return {
        "$schema": _DRAFT,
        "title": say("adventure.schema.title", language),
        "description": say("adventure.schema.about", language),
        "type": "object",
        "properties": properties,
        "patternProperties": {"^x-": {"description": say("adventure.schema.reserved", language)}},
        "additionalProperties": False,
    }


def _chapter(language: str) -> dict[str, Any]:
    words = {key: say(f"adventure.schema.chapter.{key}", language) for key in ("number", "title", "notes")}
    label = {"description": say("adventure.schema.chapter.label", language)}
    return {
        "type": "object",
        "properties": {
            "number": {"description": words["number"], "type": "integer", "minimum": 0, "maximum": 999},
            "title": {"description": words["title"], "type": ["string", "number"]},
            **dict.fromkeys(KNOWN_KEYS, label),
            "notes": {"description": words["notes"], "type": ["string", "number"]},
        },
        "additionalProperties": label,
    }


def text() -> str:
    """Return the published file's content."""
    return json.dumps(schema(), ensure_ascii=False, indent=2) + "\n"


if __name__ == "__main__":
    SCHEMA_FILE.parent.mkdir(exist_ok=True)
    SCHEMA_FILE.write_text(text(), encoding="utf-8")
