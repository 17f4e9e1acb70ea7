"""The beat files keep the form, and the validator sees each way of breaking it."""

from itertools import product
from pathlib import Path
from typing import Any

import pytest

from agents.embedded import beats
from agents.embedded.beats import (
    TYPES,
    Beat,
    all_beats,
    deed_beat,
    faults,
    fits_skill,
    moves_of,
    repeated_sentences,
)
from agents.embedded.frames import frames_of
from agents.embedded.loading import LANGUAGES
from agents.embedded.mechanics_text import check_text
from agents.embedded.outline import ANY_DEED, deed_words
from agents.embedded.slots import fill
from rules.claims.extract import extract
from rules.claims.model import Check
from rules.document import Passage
from rules.ruleset import load_ruleset


def test_the_shipped_files_have_no_fault():
    assert list(faults()) == []


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kind", TYPES)
def test_every_type_can_open_and_go_on(kind: str, language: str):
    shipped = moves_of(language, kind)
    for position in ("opening", "middle"):
        assert any(position in beat.shape.at for beat in shipped), position


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_kind_of_objective_has_its_decisive_moment(language: str):
    for deed in [*deed_words(language)["verbs"], ANY_DEED]:
        beat = deed_beat(language, deed)
        assert beat.is_deed
        assert beat.shape.at == ("climax",)
    for reading in deed_words(language)["readings"]:
        assert deed_beat(language, reading["means"])


FITTING = [
    ("es", "athletics", "arrancar la traba de cuajo", True),
    ("es", "sleight_of_hand", "aguantar el tirón sin ceder", False),
    ("es", "nature", "atravesar la ladera", False),
    ("en", "stealth", "cross at the blind spot", True),
    ("en", "sleight_of_hand", "withstand the pull", False),
    ("en", "nature", "scramble up the slope", False),
]


@pytest.mark.parametrize(("language", "skill", "way", "fit"), FITTING)
def test_a_skill_fits_what_is_done_with_it_or_not(language: str, skill: str, way: str, fit: bool):
    assert fits_skill(way, skill, language) is fit


def _broken(path: str, value: Any, beat_id: str = "combat.first") -> Beat:
    values = all_beats("es")[beat_id].model_dump()
    *way, last = path.split(".")
    target = values
    for key in way:
        target = target[key]
    target[last] = value
    return Beat.model_validate(values)


FAULTY = [
    ("words.state", ("Uno.", "Cuestan 3 monedas."), "a figure"),
    ("words.state", ("Uno.", "Tres"), "no full stop"),
    ("words.state", ("Uno.", "Tres  cosas."), "two spaces"),
    ("words.state", ("Uno.", "Cerca de {place}."), "carries its article"),
    ("words.state", ("Uno.", "Con {sword}."), "mechanical slots"),
    ("words.success", (("Sufre {harm}.", "Duele."), ("Bien.", "Sí.")), "mechanical slots"),
    ("words.success", (("Bien.", "Ahí está {foe}."), ("Bien.", "Sí.")), "no slots"),
    ("words.speech", ("—Ven —dice {voice}.", "—Ven."), "{voice}"),
    ("words.ways", {"athletics": "empujar, y mucho"}, "ways do not fit"),
    ("words.ways", {"athletics": "empujar, y mucho"}, "a comma or a slot in a way"),
    ("words.ways", {"athletics": "recitar un poema"}, "does not fit what is done"),
    ("words.thwart", "para que nadie pase", "a deed has a `thwart`"),
    ("shape.foe", "none", "names one"),
]


@pytest.mark.parametrize(("path", "value", "said"), FAULTY)
def test_a_broken_beat_is_told(path: str, value: Any, said: str):
    found = list(beats.beat_faults(_broken(path, value), "es"))
    assert any(said in fault for fault in found), found


def test_an_outcome_of_a_deed_that_forgets_the_objective_is_told():
    pairs = (("Sale bien.", "Bien."), ("{deed} ha salido bien.", "Sí."))
    found = list(beats.beat_faults(_broken("words.success", pairs, "deed.take"), "es"))
    assert any("says what became" in fault for fault in found)


def test_a_sentence_in_two_texts_is_told():
    said = "La misma frase de siempre, otra vez."
    beat = _broken("words.state", (said, f"Antes de nada. {said}"))
    assert any("otra vez" in line for line in repeated_sentences([beat]))


def test_a_file_that_is_no_beat_file_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    (tmp_path / "shape.yaml").write_text("a.b: {at: [opening], main: [arcana], other: [stealth]}\n", "utf-8")
    for language in LANGUAGES:
        (tmp_path / language).mkdir()
        for name in beats.FILES:
            (tmp_path / language / f"{name}.yaml").write_text("a.b: {titles: [x]}\n", "utf-8")
    monkeypatch.setattr(beats, "FOLDER", tmp_path)
    all_beats.cache_clear()
    try:
        assert any(line.startswith("es: ") for line in faults())
    finally:
        all_beats.cache_clear()


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_action_is_read_by_the_engine_as_its_two_checks(language: str):
    ruleset = load_ruleset("srd5e")
    templates: list[str] = frames_of(language)["action"]
    for beat in all_beats(language).values():
        for main, other in product(beat.shape.main, beat.shape.other):
            values = {
                "way.main": beat.words.ways[main],
                "way.other": beat.words.ways[other],
                "check.main": check_text(main, 15, language, ruleset),
                "check.other": check_text(other, 20, language, ruleset),
            }
            for template in templates:
                found = extract(Passage(fill(template, values), 0), language, ruleset)
                checks = [(c.skills, c.dc) for c in found if isinstance(c, Check)]
                assert checks == [((main,), 15), ((other,), 20)], fill(template, values)
