"""Is a plan whole? Judged on the text alone: what a model says about its own reply proves nothing."""

import re
from collections.abc import Iterator, Mapping, Sequence
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
_SHORTEST = 3
"""Words from which a text is taken for a sentence where all others around it end like sentences."""
_MOST_OPEN = 4
"""One text without an end among so many is a slip; more of them are how the plan's author writes."""
_DESTINATION = re.compile(r"\s(?:[(\[]\s*)?(?:→|->|=>)[^→>()\[\]\n]{0,60}[)\]]?\.?\Z")
_DESTINATION_REACH = 70
_ITEM = re.compile(r"[ \t]*(?:[-*•|]|\d{1,3}[.)])")
_ASIDE = re.compile(r"[(\[]([^()\[\]\n]{2,120})[)\]]")
_EARLIER_END = re.compile(r"[^\W\d_]{3,}[.!?…]+[\"»”’)]?\s+[\"«“¡¿(]?[^\W\d_]")


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
    bare = text.rstrip(" \t\r\n*_`").removesuffix("...").removesuffix("…")
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


def announces(text: str) -> bool:
    """Tell whether a text ends with a colon, which something must follow (`**Failure:`)."""
    return text.rstrip(" \t\r\n*_`").endswith(":")


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
            if left_out(passage.text):
                yield scene, Cut(passage.start, passage.end)
                continue
            told = without_destination(passage)
            if not LETTER.search(told.text) or not is_open_ended(told, ctx.language):
                continue
            ends_scene = passage.end == last and not whole
            if dangles(told.text, ctx.language) or _odd_one_out(habits, key, told, ends_scene):
                yield scene, Cut(told.start, told.end)


def without_destination(passage: Passage) -> Passage:
    """Return an outcome's text without the arrow and the scene that it leads to."""
    low = max(0, len(passage.text) - _DESTINATION_REACH)
    match = _DESTINATION.search(passage.text[low:])
    return Passage(passage.text[: low + match.start()], passage.start) if match else passage


def left_out(text: str) -> bool:
    """Tell whether words stand for a text that is not there: `(pendiente)`, `[continues below]`."""
    alone = (text,) if len(text) < _TAIL else ()
    return any(map(_is_stand_in, (*alone, *(m.group(1) for m in _ASIDE.finditer(text)))))


def _is_stand_in(text: str, names: Sequence[str] = ("left_out", "hollow")) -> bool:
    """Tell whether a text is a stand-in from end to end, but for the number of a scene."""
    words = words_of(Passage(text, 0))
    length = max(lexicon.phrases_any(name).length_at(words, 0) for name in names) if words else 0
    return length > 0 and all(w.text.isdecimal() for w in words[length:])


def is_hollow(text: str) -> bool:
    """Tell whether a field holds nothing but words that stand for its text: `(pending)`, `TBD`."""
    return len(text) < _TAIL and _is_stand_in(text, ("hollow",))


def goes_on(line: str) -> bool:
    """Tell whether a line holds the end of a sentence and the beginning of another."""
    return _EARLIER_END.search(line) is not None


class _Habit(NamedTuple):
    """How many texts of a field there are, and how many of them end with a closing mark."""

    texts: int = 0
    closed: int = 0

    @property
    def is_to_close(self) -> bool:
        """Nearly all of the texts end like sentences, and there are enough of them to say so."""
        return self.closed >= _MOST_OPEN * (self.texts - self.closed) and self.closed >= _MOST_OPEN


def _habits(scenes: Sequence[PlanScene]) -> dict[FieldKey, _Habit]:
    habits: dict[FieldKey, _Habit] = {}
    for scene in scenes:
        for key, passage in texts_of(scene):
            texts, closed = habits.get(key, _Habit())
            ends = without_destination(passage).text.rstrip(" \t\r\n*_`")[-1:]
            habits[key] = _Habit(texts + 1, closed + (ends in _CLOSERS and ends != ""))
    return habits


def _odd_one_out(
    habits: Mapping[FieldKey, _Habit], key: FieldKey, passage: Passage, ends_scene: bool
) -> bool:
    """Tell whether a text without an end stands among others of its kind that have one."""
    habit = habits[key]
    words, peers = len(words_of(passage)), habit.texts - 1
    if key not in _PHRASES and words >= _SHORTEST and _breaks_the_habit(habits, habit, passage):
        return True
    phrase = key in _PHRASES or not ends_scene
    if phrase and words < _SENTENCE_WORDS:
        return False
    if ends_scene and habit.closed >= peers / 2:
        return True
    return habit.closed >= _PEERS and habit.closed == peers


def _breaks_the_habit(habits: Mapping[FieldKey, _Habit], own: _Habit, passage: Passage) -> bool:
    """Tell whether a text stops short though its author ends sentences: in it, or all over the plan."""
    last = passage.text.rstrip().rsplit("\n", 1)[-1]
    if _ITEM.match(last) and "\n" in passage.text.strip():
        return False  # an item of a list
    if _EARLIER_END.search(last):
        return True
    kin = [habit for key, habit in habits.items() if key not in _PHRASES]
    whole = _Habit(sum(h.texts for h in kin), sum(h.closed for h in kin))
    peers = own.texts - 1
    return whole.is_to_close and (peers == 0 or (own.closed * 2 >= peers and own.closed > 0))
