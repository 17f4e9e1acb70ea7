"""Is a plan whole? Judged on the text alone: what a model says about its own reply proves nothing."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from rules.checks import lexicon
from rules.checks.context import Context
from rules.checks.text import words_of
from rules.document import FIELD_KEYS, FieldKey, Passage, PlanScene

_CLOSERS = ".!?…»”\"')]}"
_OPENERS = "([{«“,-–"
_PEERS = 2
_SENTENCE_WORDS = 4


class Cut(NamedTuple):
    """The stretch of source whose end is missing."""

    start: int
    end: int


def missing_fields(scene: PlanScene) -> tuple[FieldKey, ...]:
    """Return the fields that a scene lacks or leaves empty, in the file's order."""
    filled = {f.key for f in scene.fields if any(c.isalnum() for c in f.text.text)}
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
    words = words_of(Passage(bare, 0))
    ends_with_word = bool(words) and words[-1].end == len(bare)
    return ends_with_word and len(words) > 1 and words[-1].text in lexicon.word_list("dangling", language)


def is_open_ended(passage: Passage, language: str) -> bool:
    """Tell whether a text ends without a mark that closes a sentence."""
    bare = passage.text.rstrip(" \t\r\n*_`")
    return bool(bare) and (bare[-1] not in _CLOSERS or dangles(bare, language))


def truncations(ctx: Context) -> Iterator[tuple[PlanScene, Cut]]:
    """Give the plan's texts that are cut, each once."""
    scenes = ctx.plan_scenes
    for index, scene in enumerate(scenes):
        for key, passage in _texts(scene):
            if not any(c.isalnum() for c in passage.text) or not is_open_ended(passage, ctx.language):
                continue
            last = passage.end == max(p.end for _, p in _texts(scene))
            ends_scene = last and (missing_fields(scene) or index == len(scenes) - 1)
            if dangles(passage.text, ctx.language) or _odd_one_out(scenes, key, passage, bool(ends_scene)):
                yield scene, Cut(passage.start, passage.end)


def _odd_one_out(scenes: Sequence[PlanScene], key: FieldKey, passage: Passage, ends_scene: bool) -> bool:
    """Tell whether a text without an end stands among others of its kind that have one."""
    if len(words_of(passage)) < _SENTENCE_WORDS:
        return False
    peers = [p for s in scenes for k, p in _texts(s) if k == key and p.start != passage.start]
    closed = sum(1 for p in peers if p.text.rstrip(" \t\r\n*_`")[-1:] in _CLOSERS)
    if ends_scene and closed >= len(peers) / 2:
        return True
    return closed >= _PEERS and closed == len(peers)


def _texts(scene: PlanScene) -> tuple[tuple[FieldKey, Passage], ...]:
    found: list[tuple[FieldKey, Passage]] = []
    for field in scene.fields:
        if field.key == "outcomes" and scene.outcomes:
            found.extend((field.key, o.text) for o in scene.outcomes)
        else:
            found.append((field.key, field.text))
    return tuple(found)
