"""Is a plan whole? Judged on the text alone: what a model says about its own reply proves nothing."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from rules.checks import lexicon
from rules.checks.context import Context, texts_of
from rules.checks.text import words_of
from rules.document import FIELD_KEYS, FieldKey, Passage, PlanScene

LETTER = re.compile(r"[^\W_]")
"""A letter or a digit."""
_CLOSERS = ".!?…»”\"')]}"
_OPENERS = "([{«“,-–"
_PEERS = 2
_SENTENCE_WORDS = 4
_TAIL = 120
"""Characters in which a text's last two words stand."""
_PHRASES = ("place", "present")
"""Fields that may be a few words with no full stop."""


class Cut(NamedTuple):
    """The stretch of source whose end is missing."""

    start: int
    end: int


def missing_fields(scene: PlanScene) -> tuple[FieldKey, ...]:
    """Return the fields that a scene lacks or leaves empty, in the file's order."""
    filled = {f.key for f in scene.fields if LETTER.search(f.text.text)}
    if scene.outcomes:
        filled.add("outcomes")
    return tuple(key for key in FIELD_KEYS if key not in filled)


def dangles(text: str, language: str) -> bool:
    """Tell whether a text stops at a word or a mark that must be followed by something."""
    bare = text.rstrip(" \t\r\n*_`")
    if not bare:
        return False
    if bare[-1] in _OPENERS or bare.count("(") > bare.count(")"):
        return True
    if not bare[-1].isalnum():
        return False
    tail = bare[-_TAIL:]
    words = words_of(Passage(tail, 0))
    ends_with_word = bool(words) and words[-1].end == len(tail)
    return ends_with_word and len(words) > 1 and words[-1].text in lexicon.word_list("dangling", language)


def is_open_ended(passage: Passage, language: str) -> bool:
    """Tell whether a text ends without a mark that closes a sentence."""
    bare = passage.text.rstrip(" \t\r\n*_`")
    return bool(bare) and (bare[-1] not in _CLOSERS or dangles(bare, language))


def truncations(ctx: Context) -> tuple[tuple[PlanScene, Cut], ...]:
    """Return the plan's texts that are cut, each once."""
    return ctx.keep("truncations", "", lambda: tuple(_truncations(ctx)))


def _truncations(ctx: Context) -> Iterator[tuple[PlanScene, Cut]]:
    scenes = ctx.plan_scenes
    habits = _habits(scenes)
    final = len(ctx.document.plan.scenes) - 1 if ctx.document.plan else 0
    for index, scene in enumerate(scenes):
        texts = tuple(texts_of(scene))
        last = max((p.end for _, p in texts), default=0)
        whole = not missing_fields(scene) and index < final
        for key, passage in texts:
            if not LETTER.search(passage.text) or not is_open_ended(passage, ctx.language):
                continue
            ends_scene = passage.end == last and not whole
            if dangles(passage.text, ctx.language) or _odd_one_out(habits[key], key, passage, ends_scene):
                yield scene, Cut(passage.start, passage.end)


class _Habit(NamedTuple):
    """How many texts of a field there are, and how many of them end with a closing mark."""

    texts: int
    closed: int


def _habits(scenes: Sequence[PlanScene]) -> dict[FieldKey, _Habit]:
    habits: dict[FieldKey, _Habit] = {}
    for scene in scenes:
        for key, passage in texts_of(scene):
            texts, closed = habits.get(key, (0, 0))
            ends = passage.text.rstrip(" \t\r\n*_`")[-1:]
            habits[key] = _Habit(texts + 1, closed + (ends in _CLOSERS and ends != ""))
    return habits


def _odd_one_out(habit: _Habit, key: FieldKey, passage: Passage, ends_scene: bool) -> bool:
    """Tell whether a text without an end stands among others of its kind that have one."""
    phrase = key in _PHRASES or not ends_scene
    if phrase and len(words_of(passage)) < _SENTENCE_WORDS:
        return False
    peers = habit.texts - 1
    if ends_scene and habit.closed >= peers / 2:
        return True
    return habit.closed >= _PEERS and habit.closed == peers
