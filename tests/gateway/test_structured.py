"""JSON is found in what models write, mended where it is broken, and a cut is told from a fault."""

import json
from typing import Any

import pytest
from pydantic import BaseModel

from concilio.gateway.errors import ReplyIncomplete, ReplyInvalid
from concilio.gateway.structured import NoJson, is_whole_json, merge_json, parse_json_reply, read_model

VALUE = {"verdict": "refine", "rows": [{"id": "5.1", "note": "dice: «no»\n{nunca}"}]}
TEXT = json.dumps(VALUE, ensure_ascii=False)

READABLE = [
    (TEXT, "plain"),
    (f"Aquí está mi revisión:\n\n{TEXT}\n\n¡Suerte!", "chatter before and after"),
    (f"```json\n{TEXT}\n```", "a fence"),
    (f"```\nClaro:\n```json\n{TEXT}\n```\n```", "nested fences"),
    (f"```json\n{TEXT}", "a fence that is never closed"),
    (f"{TEXT[:-1]},}}", "a comma too many"),
    (TEXT.replace('"verdict"', "verdict"), "a key without quotes"),
    (TEXT.replace('"', "'"), "single quotes"),
    (TEXT.replace("\\n", "\n"), "a raw newline in a string"),
    (f"Uso {{llaves}} y [corchetes].\n{TEXT}", "brackets in the chatter"),
    (f'{{"nota": "uno"}}\n{TEXT}', "the longest of several"),
    (f"{TEXT}\n{{{{ 7*7 }}}}", "a template after it"),
]


@pytest.mark.parametrize(("text", "why"), READABLE)
def test_json_is_found(text: str, why: str) -> None:
    """What the model meant comes out."""
    assert parse_json_reply(text) == VALUE, why


def test_a_list_is_an_answer_where_the_reply_begins_with_it() -> None:
    """A reply may be a list, also in a fence."""
    assert parse_json_reply('[{"id": "5.1"}]') == [{"id": "5.1"}]
    assert parse_json_reply('```json\n[{"id": "5.1"}]\n```') == [{"id": "5.1"}]


@pytest.mark.parametrize("length", [12, 25, 40, len(TEXT) - 2, len(TEXT) - 1])
def test_cut_json_is_incomplete_and_tells_what_there_is(length: int) -> None:
    """A cut is never taken for an answer."""
    with pytest.raises(ReplyIncomplete) as caught:
        parse_json_reply(f"```json\n{TEXT[:length]}")
    assert isinstance(caught.value.partial, dict)
    assert not is_whole_json(TEXT[:length])


@pytest.mark.parametrize(
    "text", ["", "Perfecto.", "### Escena 5.1\n- LUGAR: {sin decidir}", "[nota] sí", "{{ 7*7 }}"]
)
def test_no_json_is_said(text: str) -> None:
    """A reader can go on to try Markdown."""
    with pytest.raises(NoJson):
        parse_json_reply(text)


def test_a_quote_too_many_is_broken_not_cut() -> None:
    """The brackets tell: such a reply is mended rather than continued."""
    assert parse_json_reply('{"a": "dijo "hola" y "adiós", "b": 1}')["b"] == 1


@pytest.mark.parametrize(
    "text", ["[" * 100_000, '{"a":' * 100_000, "{" * 100_000, '{"' * 50_000, '{"a": "' + "\\" * 100_001]
)
def test_hostile_json_is_a_named_error(text: str) -> None:
    """Depth and length are bounded."""
    with pytest.raises((ReplyInvalid, ReplyIncomplete)):
        parse_json_reply(text)


class Row(BaseModel):
    """A row of the tests' answer."""

    id: str
    note: str


class Answer(BaseModel):
    """The tests' answer."""

    verdict: str
    rows: list[Row]


def test_a_model_is_read() -> None:
    """The value has the model's type."""
    assert read_model(TEXT, Answer).rows[0].id == "5.1"


def test_a_wrong_shape_names_the_fields_and_not_the_values() -> None:
    """The problem is what the model needs to mend it."""
    with pytest.raises(ReplyInvalid) as caught:
        read_model('{"verdict": 5, "rows": [{"id": "a"}]}', Answer)
    assert "verdict" in caught.value.problem
    assert "rows.0.note" in caught.value.problem
    assert "http" not in caught.value.problem


def test_a_cut_model_gives_its_value_where_it_has_the_shape() -> None:
    """What arrived may be enough for the caller."""
    with pytest.raises(ReplyIncomplete) as caught:
        read_model(TEXT[:-2], Answer)
    assert isinstance(caught.value.partial, Answer)


MERGES: list[tuple[Any, Any, Any, str]] = [
    ({"a": 1}, {"b": 2}, {"a": 1, "b": 2}, "keys are joined"),
    ({"a": "uno dos"}, {"a": "uno"}, {"a": "uno dos"}, "the longer text stands"),
    ({"a": 1}, {"a": None}, {"a": 1}, "nothing does not replace something"),
    (
        [{"id": "1", "t": "x"}],
        [{"id": "1", "t": "xyz"}, {"id": "2"}],
        [{"id": "1", "t": "xyz"}, {"id": "2"}],
        "by id",
    ),
    ([1, 2], [2, 3], [1, 2, 3], "no element twice"),
    ({"a": [1]}, "x", "x", "different kinds: the second"),
]


@pytest.mark.parametrize(("first", "second", "merged", "why"), MERGES)
def test_two_readings_become_one(first: Any, second: Any, merged: Any, why: str) -> None:
    """The more complete part of each stands."""
    assert merge_json(first, second) == merged, why
