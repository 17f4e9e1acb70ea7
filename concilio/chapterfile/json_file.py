"""The chapter as JSON: the source of truth, with a published schema.

`python -m concilio.chapterfile.json_file` writes the schema again after a change of the types.
"""

import json
import re
from pathlib import Path
from typing import Any, cast

from pydantic import ValidationError

from concilio.chapterfile.errors import ChapterFileError
from concilio.domain.chapter import Chapter
from concilio.faults import json_fault, told

SCHEMA_FILE = Path(__file__).parent.parent / "schemas" / "chapter.schema.json"
FORMAT_VERSION = 1
"""The newest `schema_version` that this program reads."""
_SURROGATE = re.compile("[\ud800-\udfff]")


def _json(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False, sort_keys=True, indent=2, allow_nan=False) + "\n"
    return _SURROGATE.sub(lambda match: f"\\u{ord(match.group()):04x}", text)


def dump_chapter(chapter: Chapter) -> str:
    """Return the chapter as JSON: keys sorted, two spaces deep; same chapter, same text."""
    return _json(chapter.model_dump(by_alias=True))


def load_chapter(text: str) -> Chapter:
    """Read a chapter's JSON.

    Raises:
        ChapterFileError: no JSON (line and column), no chapter (place of each fault), or a newer format.
    """
    value = _parse(text.removeprefix("\ufeff"))
    version = cast(dict[str, Any], value).get("schema_version") if isinstance(value, dict) else None
    if isinstance(version, int) and version > FORMAT_VERSION:
        raise ChapterFileError("json_newer", found=version, known=FORMAT_VERSION)
    try:
        return Chapter.model_validate(value)
    except ValidationError as error:
        raise ChapterFileError("json_value", problem=told(error)) from None


def _parse(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        line, column, problem = json_fault(error)
        raise ChapterFileError("json_syntax", line=line, column=column, problem=problem) from None


def schema() -> dict[str, Any]:
    """Return the JSON Schema (2020-12) of a chapter, made from the types."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **Chapter.model_json_schema(by_alias=True, mode="validation"),
    }


def write_schema() -> None:
    """Write the published schema."""
    SCHEMA_FILE.write_text(_json(schema()), encoding="utf-8")


if __name__ == "__main__":
    write_schema()
