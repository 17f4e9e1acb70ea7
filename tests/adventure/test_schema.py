"""The published schema says what the loader accepts."""

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml

from concilio.adventure.frontmatter import KEYS
from concilio.adventure.schema import SCHEMA_FILE, schema, text
from concilio.domain.adventure import Adventure
from tests.adventure.writing import SHARED

EXAMPLES = Path(__file__).parents[2] / "examples"


def front_matter(file: Path) -> Any:
    source = file.read_text(encoding="utf-8")
    return yaml.safe_load(source.split("---\n")[1] if file.suffix == ".md" else source)


def accepts(value: Any) -> bool:
    validator = jsonschema.Draft202012Validator(schema())
    return validator.is_valid(value)  # pyright: ignore[reportUnknownMemberType] - the package types it in part


def test_the_published_file_is_up_to_date() -> None:
    assert SCHEMA_FILE.read_text(encoding="utf-8") == text()


@pytest.mark.parametrize("language", ["es", "en"])
def test_it_is_a_valid_schema_in_both_languages(language: str) -> None:
    jsonschema.Draft202012Validator.check_schema(schema(language))
    assert json.loads(json.dumps(schema(language))) == schema(language)


@pytest.mark.parametrize("name", ["el_faro_de_sal", "the_winter_post"])
def test_the_examples_front_matter_fits(name: str) -> None:
    assert accepts(front_matter(EXAMPLES / name / f"{name}.adventure.md"))


def test_yaml_adventures_fit() -> None:
    assert accepts(front_matter(EXAMPLES / "candle_court.yaml"))


def test_the_users_own_adventure_fits() -> None:
    file = SHARED / "cases" / "banquete.adventure.md"
    if not file.exists():
        pytest.skip("../shared is not here")
    assert accepts(front_matter(file))


WRONG: list[Any] = [
    {"titel": "A"},
    {"level": 21},
    {"level": "muchos"},
    {"party": 4},
    {"party": [{"levle": 3}]},
    {"cast": [{"note": "x"}]},
    {"agents": {"iriss": {}}},
    {"chapters": [3]},
]


@pytest.mark.parametrize("value", WRONG)
def test_what_the_loader_refuses_does_not_fit(value: Any) -> None:
    assert not accepts(value)
    assert accepts({"x-own": value})


def test_every_datum_of_an_adventure_can_be_stated() -> None:
    unstated = set(Adventure.model_fields) - set(KEYS)
    assert unstated == {"notes", "extra"}, "notes are the body's, extra is `x-…`"
