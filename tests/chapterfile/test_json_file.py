"""The chapter's JSON: stable, validated by the published schema, with clear errors."""

import json
from typing import Any

import jsonschema
import pytest
from hypothesis import given, settings

from concilio.chapterfile.errors import ChapterFileError
from concilio.chapterfile.json_file import SCHEMA_FILE, dump_chapter, load_chapter, schema
from concilio.domain.chapter import Chapter
from tests.chapterfile.samples import chapter
from tests.chapterfile.strategies import FAST, chapters


def validate(text: str) -> None:
    """Hold a JSON text against the schema."""
    validator: Any = jsonschema.Draft202012Validator(schema())
    validator.validate(json.loads(text))


def test_the_published_schema_is_up_to_date():
    published = json.loads(SCHEMA_FILE.read_text(encoding="utf-8"))
    assert published == schema(), "run `python -m concilio.chapterfile.json_file`"


def test_a_chapter_validates_and_comes_back():
    text = dump_chapter(chapter())
    validate(text)
    assert load_chapter(text) == chapter()
    assert load_chapter("\ufeff" + text) == chapter()


def test_the_text_is_sorted_and_readable():
    text = dump_chapter(chapter())
    assert text == dump_chapter(load_chapter(text))
    keys = list(json.loads(text))
    assert keys == sorted(keys)
    assert text.startswith('{\n  "adventure": "El molino"')
    assert "El fallo no cambia nada." in text


@settings(FAST, max_examples=25)
@given(chapters())
def test_any_chapter_comes_back(whole: Chapter):
    text = dump_chapter(whole)
    text.encode("utf-8")
    assert load_chapter(text) == whole
    validate(text)


@pytest.mark.parametrize(
    ("text", "kind", "says"),
    [
        ("", "json_syntax", "1"),
        ('{\n  "title": }', "json_syntax", "2"),
        ("[" * 100_000, "json_syntax", "1"),
        ('{"number": ' + "9" * 5000 + "}", "json_syntax", "1"),
        ("[]", "json_value", "$"),
        ("null", "json_value", "$"),
        ('{"title": "x"}', "json_value", "number"),
        ('{"schema_version": 99}', "json_newer", "99"),
    ],
    ids=["empty", "syntax", "deep", "long number", "list", "null", "fields", "newer"],
)
def test_what_is_wrong_is_said(text: str, kind: str, says: str):
    with pytest.raises(ChapterFileError) as raised:
        load_chapter(text)
    assert raised.value.kind == kind
    assert says in str(raised.value)


def test_an_unknown_field_is_refused_with_its_path():
    value = json.loads(dump_chapter(chapter()))
    value["plan"]["scenes"][0]["mood"] = "x"
    with pytest.raises(ChapterFileError) as raised:
        load_chapter(json.dumps(value))
    assert "plan.scenes.0.mood" in str(raised.value)
