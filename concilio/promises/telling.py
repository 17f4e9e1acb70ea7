"""Promises as people and programs read them."""

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import get_args

from concilio.catalogue import say
from concilio.cli.playtest_words import clean
from graphs.promised import Judged, State

LONGEST = 240
"""Characters of a quotation in one line."""


def as_json(found: Sequence[Judged], files: Mapping[int, Path]) -> str:
    """Return the promises as a JSON object: each with its state, and the chapters' files that were read."""
    told = {
        "promises": [_as_data(one) for one in found],
        "summary": _counts(found),
        "files": {str(number): str(path) for number, path in files.items()},
    }
    return json.dumps(told, ensure_ascii=False, indent=2)


def _as_data(one: Judged) -> dict[str, object]:
    promise = one.promise
    return {
        "chapter": promise.chapter,
        "scene": promise.scene,
        "made": promise.made,
        "label": promise.label,
        "due": promise.due,
        "text": promise.text,
        "state": one.state,
        "taken_up_in": one.scene if one.state == "kept" else "",
        "nearest": one.scene,
        "quote": one.quote,
    }


def _counts(found: Sequence[Judged]) -> dict[str, int]:
    counted = Counter(one.state for one in found)
    return {state: counted[state] for state in get_args(State)}


def lines(found: Sequence[Judged], files: Mapping[int, Path]) -> Iterator[str]:
    """Give the promises as lines, by the chapter where they fall due."""
    if not found:
        yield say("promises.none")
    due = None
    for one in found:
        if one.promise.due != due:
            due = one.promise.due
            yield say("promises.due" if due in files else "promises.due_unwritten", chapter=due)
        yield from _lines_of(one)
    if found:
        yield say("promises.summary", n=len(found), **_counts(found))
    if not files:
        yield say("promises.no_chapters")


def _lines_of(one: Judged) -> Iterator[str]:
    promise = one.promise
    place = promise.scene or say("promises.outline", chapter=promise.chapter)
    label = clean(promise.label) or say(f"promises.made.{promise.made}")
    values = {"place": place, "label": label, "text": clean(promise.text, LONGEST)}
    yield "  " + say("promises.line", state=say(f"promises.state.{one.state}"), **values)
    if one.quote:
        key = "promises.taken_up" if one.state == "kept" else "promises.nearest"
        yield "      " + say(key, scene=one.scene, quote=clean(one.quote, LONGEST))
