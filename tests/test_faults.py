"""What pydantic and JSON refuse is told in the user's language: where, what is expected, what is there."""

import copy
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError
from pydantic_core import core_schema

from concilio.batch.plan import BATCH_NAME, load_batch
from concilio.catalogue import LANGUAGES, has_text, speaking
from concilio.chapterfile.errors import ChapterFileError
from concilio.chapterfile.json_file import dump_chapter, load_chapter
from concilio.cli.main import run_command_line
from concilio.domain.chapter import Chapter
from concilio.faults import expected_key, json_fault, told
from concilio.store.errors import StoreError
from concilio.store.run import INFO_NAME, read_info
from tests.chapterfile.samples import chapter
from tests.chapterfile.strategies import FAST

ENGLISH = re.compile(
    r"(?i)\b(input|should|must|valid|value|field|required|extra|inputs|permitted|expected|expecting|unable|"
    r"delimiter|string|integer|greater|less|than|instance|error|unexpected|invalid|codec|decode)\b"
)
WHOLE: dict[str, Any] = json.loads(dump_chapter(chapter()))
WRONG: tuple[Any, ...] = (
    None,
    True,
    -1,
    10**30,
    1.5,
    float("inf"),
    "",
    " ",
    "x",
    "\x1b[31m",
    [],
    [1],
    {},
    {"x": 1},
    "9" * 500,
)


def places(value: Any, at: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """Give the place of everything in a JSON value."""
    inside: Any = ()
    if isinstance(value, (dict, list)):
        inside = cast("Any", value).items() if isinstance(value, dict) else enumerate(cast("Any", value))
    for key, inner in inside:
        yield (*at, key)
        yield from places(inner, (*at, key))


def changed(at: tuple[str | int, ...], wrong: Any) -> dict[str, Any]:
    value = copy.deepcopy(WHOLE)
    inner: Any = value
    for part in at[:-1]:
        inner = inner[part]
    inner[at[-1]] = wrong
    return value


def refused(value: Any) -> ValidationError | None:
    try:
        Chapter.model_validate(value)
    except ValidationError as error:
        return error
    return None


@FAST
@given(st.sampled_from(list(places(WHOLE))), st.sampled_from(WRONG))
def test_no_english_of_pydantic_is_in_a_spanish_message(at: tuple[str | int, ...], wrong: Any) -> None:
    """Whatever is wrong anywhere in a chapter: its place and our own words, on one line of plain text."""
    error = refused(changed(at, wrong))
    if error is not None:
        line = told(error, "es")
        assert line.isprintable()
        assert str(at[0]) in line
        without_paths = re.sub(r"valores: [^;]*|[\w$.]+:|«[^»]*»", "", line)
        assert not ENGLISH.search(without_paths), line
        assert all(fault["msg"] not in line for fault in error.errors())


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kind", [*get_args(core_schema.ErrorType), "scene_id", "blank", "of_tomorrow"])
def test_every_kind_of_error_has_words(language: str, kind: str) -> None:
    assert has_text(f"faults.expected.{expected_key(kind)}", language)


@pytest.mark.parametrize(
    ("at", "wrong", "line"),
    [
        (("title",), 3, "title: se espera un texto; hay 3"),
        (("title",), None, "title: se espera un texto; hay null"),
        (("scenes",), {"a": 1}, "scenes: se espera una lista; hay un objeto"),
        (("number",), "dos", "number: se espera un número entero; hay «dos»"),
        (("ending",), "well", "hay «well»"),
        (
            ("plan", "scenes", 0, "id"),
            "x",
            "scenes.0.id: se espera el número de una escena, como 5.1; hay «x»",
        ),
        (("plan", "scenes", 0, "title"), "  ", "plan.scenes.0.title: se espera algo más que espacios"),
        (
            ("plan", "scenes", 0, "outcomes"),
            [],
            "plan.scenes.0.outcomes: se espera al menos 1 elemento; hay una lista de 0",
        ),
        (("nonsense",), 1, "nonsense: no es ninguna clave que se conozca"),
    ],
)
def test_a_message_says_the_field_what_is_expected_and_what_is_there(
    at: tuple[str | int, ...], wrong: Any, line: str
) -> None:
    with speaking("es"), pytest.raises(ChapterFileError) as caught:
        load_chapter(json.dumps(changed(at, wrong)))
    assert line in str(caught.value)


@pytest.mark.parametrize(
    "text",
    [
        *("", "{", '{"a"}', '{"a": }', '{"a": 1 "b"}', "{} {}", '"abc', '"\x01"', '"\\x"', '"\\u12"'),
        *("[1,]", '{"a":1,}', "{1: 2}", "[" * 100_000, "9" * 5000),
    ],
)
def test_no_english_of_the_reader_of_json_is_in_a_spanish_message(text: str) -> None:
    with pytest.raises((ValueError, RecursionError)) as caught:
        json.loads(text)
    line = json_fault(caught.value, "es")[2]
    assert not ENGLISH.search(line)
    assert line != json_fault(json.JSONDecodeError("something new", "", 0), "es")[2]


@pytest.mark.parametrize(
    "content", [b"", b"{", b"[]", b'{"format": 1}', b"\xff\xfe", b'{"id": 3, "created": "x"}']
)
@pytest.mark.parametrize("name", [INFO_NAME, BATCH_NAME])
def test_no_english_is_in_what_is_said_of_a_damaged_file(tmp_path: Path, name: str, content: bytes) -> None:
    (tmp_path / name).write_bytes(content)
    with speaking("es"), pytest.raises(StoreError) as caught:
        (read_info if name == INFO_NAME else load_batch)(tmp_path)
    line = caught.value.explain("es").replace(str(tmp_path), "")
    assert not ENGLISH.search(re.sub(r"\w+:", "", line)), line
    assert name in line


def test_a_command_says_it_in_the_users_language(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "c.json"
    file.write_text(json.dumps(changed(("title",), 3)), encoding="utf-8")
    for language, line in (("es", "se espera un texto; hay 3"), ("en", "a text is expected; there is 3")):
        assert run_command_line(["--lang", language, "export", str(file), "--to", "html"]) == 2
        assert f"title: {line}" in capsys.readouterr().err
