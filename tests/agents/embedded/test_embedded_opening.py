"""The box that opens a scene shows something: things, people, the place. No text of ours has a fault."""

from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from agents.embedded.beats import all_beats, texts_of
from agents.embedded.brief import make_brief
from agents.embedded.opening import company, sight
from agents.embedded.scenes import SceneSpec, plan_scenes
from agents.embedded.slots import fill
from agents.types import Person
from concilio.chapterfile.reader import read_document
from concilio.domain.adventure import ChapterOutline
from rules.engine import check
from rules.ruleset import load_ruleset
from tests.agents.embedded.support import canon, debate, write

PLACES = {
    "es": ("La aduana", "El sitio de siempre", "La bodega del barco", "Una calle"),
    "en": ("The customs house", "The usual spot", "The ship's hold", "A street"),
}
KINDS = {"es": "Sigilo / Social", "en": "Stealth / Social"}
CAST = (Person(name="Hale", note="villano villain"), Person(name="Lina", note="amiga friend"))


def _chapter(language: str, number: int, place: str, **values: Any) -> ChapterOutline:
    return ChapterOutline.model_validate(
        {"number": number, "title": "X", "place": place, "kind": KINDS[language], **values}
    )


def _specs(language: str, outline: ChapterOutline, count: int) -> tuple[Any, tuple[SceneSpec, ...]]:
    brief = make_brief(canon(language, CAST), outline, 4)
    return brief, plan_scenes(brief, count)


@pytest.mark.parametrize(("language", "at"), [(lang, i) for lang in PLACES for i in range(4)])
def test_every_box_of_a_short_chapter_has_something_to_see(language: str, at: int):
    brief, specs = _specs(language, _chapter(language, 1, PLACES[language][at], scenes=3), 3)
    assert all(sight(brief, spec) for spec in specs)
    known = canon(language, CAST)
    outline = _chapter(language, 1, PLACES[language][at], scenes=3)
    scenes = write(known, outline, 4, debate(known, outline, 4, 3).plan)
    for spec, scene in zip(specs, scenes, strict=True):
        assert sight(brief, spec) in scene.text.split("\n\n")[0]


@pytest.mark.parametrize("language", ["es", "en"])
def test_what_the_outline_puts_there_is_what_is_seen(language: str):
    given = {"es": "una campana; un montaplatos; un brindis", "en": "a bell; a dumb waiter; a toast"}
    seen = {"es": ("la campana", "el montaplatos", "brindis"), "en": ("the bell", "the dumb waiter", "toast")}
    brief, specs = _specs(
        language, _chapter(language, 1, PLACES[language][0], tactics=given[language], scenes=3), 3
    )
    boxes = [sight(brief, spec) for spec in specs]
    bell, waiter, toast = seen[language]
    assert bell in boxes[0].lower()
    assert waiter in boxes[1].lower()
    assert toast not in boxes[2].lower(), "nobody sees a toast"


@pytest.mark.parametrize("language", ["es", "en"])
@pytest.mark.parametrize("number", range(1, 5))
def test_nobody_is_shown_twice_in_a_chapter(language: str, number: int):
    brief, specs = _specs(language, _chapter(language, number, PLACES[language][0], notes="Lina."), 8)
    told = [one for spec in specs if (one := company(brief, specs, spec))]
    assert told
    assert all(sum(name in one for one in told) <= 1 for name in ("Hale", "Lina"))


@pytest.mark.parametrize("language", ["es", "en"])
@pytest.mark.parametrize("at", range(4))
def test_chapters_of_unlike_length_at_one_place_do_not_open_alike(language: str, at: int):
    seen: list[str] = []
    for number, count in ((1, 4), (2, 2)):
        brief, specs = _specs(language, _chapter(language, number, PLACES[language][at], scenes=count), count)
        seen += [one for spec in specs if (one := sight(brief, spec))]
    assert not [one for one, other in combinations(seen, 2) if one == other]


@pytest.mark.parametrize("language", ["es", "en"])
def test_no_text_of_ours_is_found_fault_with(language: str, tmp_path: Path):
    """Style, agency, terms: what the author's chapters would be blamed for in `concilio check`."""
    noun = {"es": "la puerta", "en": "the door"}[language]
    values = dict.fromkeys(_slots(language), noun) | {"opposed": ""}
    texts = [
        fill(text, values)
        for beat in all_beats(language).values()
        for where, text in texts_of(beat)
        if not where.startswith("titles")
    ]
    document = read_document("\n\n".join(texts) + "\n", "x.md", language)
    assert [(f.rule, f.quote) for f in check(document, load_ruleset("srd5e"))] == []


def _slots(language: str) -> set[str]:
    told = " ".join(text for beat in all_beats(language).values() for _, text in texts_of(beat))
    return {piece.partition("}")[0] for piece in told.split("{")[1:]}
