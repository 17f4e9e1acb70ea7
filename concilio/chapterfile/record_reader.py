"""Reading the lists and tables of a chapter file back; the counterpart of `render_records`."""

import re
from collections.abc import Iterable, Iterator
from typing import Any

from concilio.chapterfile.escape import unescape
from concilio.chapterfile.records import Record, read_labelled, read_records, read_row
from concilio.chapterfile.render_records import COLUMNS, answer_label
from concilio.chapterfile.words import value_of, written, written_group
from concilio.domain.base import Language
from concilio.figures import read

_MECHANIC = re.compile(r"- \*\*((?:[^\\*]|\\.)*)\*\* \(((?:[^\\()]|\\.)*)\):(.*)\Z")
_FACTS = ("adventure", "seed", "ruleset", "rounds", "round_kept", "rewrites", "versions")


def _scene(text: str, language: Language) -> str:
    """Return the scene that `escena 5.1` or `capítulo 5` names."""
    words = (written(language, f"detail.{key}") for key in ("scene", "chapter"))
    word = next((word for word in words if text == word or text.startswith(word + " ")), "")
    return _after(word, text)


def _word(text: str, group: str, language: Language) -> str:
    """Return the value behind a written word; a word in quotes is the value itself."""
    if text.startswith('"'):
        return text[1:-1]
    words = written_group(language, group)
    return next((key for key, word in words.items() if word == text), text)


def _after(word: str, text: str) -> str:
    """Return what follows a word in a head's value (`escena 5.1` -> `5.1`)."""
    return text.removeprefix(word).removeprefix(" ")


def _details(record: Record, keys: Iterable[str], language: Language) -> dict[str, str]:
    return {key: record.details.get(written(language, f"detail.{key}"), "") for key in keys}


def findings_in(lines: Iterable[str], language: Language) -> Iterator[dict[str, Any]]:
    """Yield the findings of a section, as values for `Finding`."""
    for record in read_records(lines):
        rule, severity, part, scene, line, column = record.head
        yield {
            "rule": rule,
            "severity": value_of(language, "severity", severity),
            "part": value_of(language, "part", part),
            "scene": _scene(scene, language),
            "line": int(_after(written(language, "detail.line"), line)),
            "column": int(_after(written(language, "detail.column"), column)),
            **_details(record, ("quote", "message", "expected", "source"), language),
        }


def objections_in(lines: Iterable[str], language: Language) -> Iterator[dict[str, Any]]:
    """Yield the objections of a section, as values for `Objection`."""
    for record in read_records(lines):
        name, severity, state, author, scene = record.head
        raised, closed = (record.details.get(written(language, f"detail.{k}")) for k in ("raised", "closed"))
        yield {
            "id": name,
            "severity": value_of(language, "severity", severity),
            "state": value_of(language, "state", state),
            "author": value_of(language, "who", author),
            "scene": _scene(scene, language),
            "raised_in": raised,
            "closed_in": closed,
            **_details(record, ("text", "proposal"), language),
            "field": _word(record.details.get(written(language, "detail.field"), ""), "field", language),
            **_answer(record, language),
        }


def _answer(record: Record, language: Language) -> dict[str, str]:
    for kind in ("", "fixed", "rebutted"):
        label = answer_label(kind, language)
        if label in record.details:
            return {"answer": record.details[label], "answer_kind": kind}
    return {}


def mechanics_in(lines: Iterable[str], language: Language) -> Iterator[dict[str, str]]:
    """Yield the mechanics of a section, as values for `Mechanic`."""
    for match in filter(None, map(_MECHANIC.match, lines)):
        word = match[2]
        kind = unescape(word[1:-1]) if word.startswith('"') else value_of(language, "kind", word) or word
        yield {"ref": unescape(match[1]), "kind": kind, "text": unescape(match[3].strip())}


def provenance_in(lines: list[str], language: Language) -> tuple[list[int], dict[str, Any], dict[str, Any]]:
    """Return the rewrites by scene, the values for `Provenance`, and the chapter's own facts."""
    keys = {written(language, key): key for key in _FACTS}
    facts: dict[str, str] = {}
    versions: dict[str, str] = {}
    for line in lines:
        pair, nested = read_labelled(line), read_labelled(line[2:]) if line.startswith("  - ") else None
        if pair and pair[0] in keys:
            facts[keys[pair[0]]] = pair[1]
        elif nested:
            versions[nested[0]] = nested[1]
    origin = {
        "seed": int(facts["seed"]),
        "ruleset": facts["ruleset"],
        "rounds": int(facts["rounds"]),
        "versions": versions,
        "agents": tuple(_agents(lines, language)),
    }
    rewrites = [int(number) for number in facts["rewrites"].split(",") if number.strip()]
    return rewrites, origin, {"adventure": facts["adventure"], "round_kept": int(facts["round_kept"])}


def _agents(lines: Iterable[str], language: Language) -> Iterator[dict[str, Any]]:
    rows = [cells for cells in map(read_row, lines) if cells]
    for cells in rows[2:]:
        values = dict(zip(COLUMNS, cells, strict=True))
        unknown = written(language, "unknown")
        yield {
            "agent": _word(values["agent"], "who", language),
            "model": values["model"],
            "calls": int(values["calls"]),
            "tokens_in": None if values["tokens_in"] == unknown else int(values["tokens_in"]),
            "tokens_out": None if values["tokens_out"] == unknown else int(values["tokens_out"]),
            "cost_usd": None if values["cost"] == unknown else read(values["cost"], language),
        }
