"""The published schemas are those of the types, and fit what the program reads and prints."""

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from concilio.adventure.loader import load_adventure
from concilio.batch.engine import ItemRun
from concilio.batch.plan import BatchItem
from concilio.batch.summary import summary_data
from concilio.catalogue import LANGUAGES
from concilio.cli.main import run_command_line
from concilio.starting import schemas

ROOT = Path(__file__).parents[2]


def valid(kind: str, value: Any) -> bool:
    made: dict[str, Any] = json.loads(schemas.schema_text(kind, "en"))
    return jsonschema.Draft202012Validator(made).is_valid(value)  # pyright: ignore[reportUnknownMemberType]


@pytest.mark.parametrize("kind", schemas.KINDS)
def test_the_published_file_is_current(kind: str) -> None:
    kept = (schemas.FOLDER / f"{kind}.schema.json").read_text(encoding="utf-8")
    assert kept == schemas.schema_text(kind, schemas.PUBLISHED_IN), "make schemas"


def test_nothing_else_is_published() -> None:
    assert sorted(f.name for f in schemas.FOLDER.iterdir()) == sorted(
        f"{k}.schema.json" for k in schemas.KINDS
    )


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kind", schemas.KINDS)
def test_the_command_prints_a_schema(kind: str, language: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run_command_line(["--lang", language, "schema", kind]) == 0
    made = json.loads(capsys.readouterr().out)
    jsonschema.Draft202012Validator.check_schema(made)
    assert made == json.loads(schemas.schema_text(kind, language))


def test_an_adventures_keys_are_described_for_editors() -> None:
    made = json.loads(schemas.schema_text("adventure", "es"))
    undescribed = [key for key, value in made["properties"].items() if not value.get("description")]
    assert undescribed == []
    assert made != json.loads(schemas.schema_text("adventure", "en"))


@pytest.mark.parametrize("several", [False, True])
def test_what_check_prints_is_valid(
    several: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "a.md"
    file.write_text("Una prueba de Sigilio CD 15.\n\nLa CD 45 de Atletismo.\n", encoding="utf-8")
    run_command_line(["check", *[str(file)] * (1 + several), "--format", "json"])
    out = capsys.readouterr().out
    assert '"rule"' in out
    printed = json.loads(out)
    assert isinstance(printed, list) == several
    assert valid("check", printed)


@pytest.mark.parametrize("wrong", [{}, [{}], {"file": "a", "ruleset": "b", "findings": [], "summary": {}}, 3])
def test_another_object_is_no_report(wrong: Any) -> None:
    assert not valid("check", wrong)


def test_a_batchs_summary_is_valid(tmp_path: Path) -> None:
    item = BatchItem(path=str(tmp_path / "a.md"))
    summary = json.loads(json.dumps(summary_data([ItemRun(item)], 1)))
    assert valid("batch", summary)
    assert not valid("batch", {**summary, "unknown": 1})
    assert not valid("batch", {key: value for key, value in summary.items() if key != "items"})


def test_the_line_that_names_the_schema_for_editors_is_no_part_of_the_adventure(tmp_path: Path) -> None:
    file = tmp_path / "a.yaml"
    line = "# yaml-language-server: $schema=adventure.schema.json\n"
    for readme in ("README.md", "README.es.md"):
        assert line in (ROOT / readme).read_text(encoding="utf-8")
    file.write_text(f"{line}title: The Salt Stair\nchapters:\n  - {{title: One, objective: Get out.}}\n")
    assert load_adventure(file).title == "The Salt Stair"
