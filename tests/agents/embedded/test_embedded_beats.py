"""The beat files keep the form, and the validator sees each way of breaking it."""

from itertools import product
from pathlib import Path
from typing import Any

import pytest

from agents.embedded import beats
from agents.embedded.beats import TYPES, Beat, faults, load_beats, repeated_sentences
from agents.embedded.loading import LANGUAGES, load_yaml
from agents.embedded.mechanics_text import check_text
from agents.embedded.slots import fill
from rules.claims.extract import extract
from rules.claims.model import Check
from rules.document import Passage
from rules.ruleset import load_ruleset

WORD_FOR_A_SLOT = {"es": "la cosa", "en": "the thing"}


def test_the_shipped_files_have_no_fault():
    assert list(faults()) == []


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kind", TYPES)
def test_every_type_can_open_go_on_and_close(kind: str, language: str):
    shipped = load_beats(language, kind)
    assert len(shipped) >= 5
    for position in ("opening", "middle", "climax"):
        assert any(position in beat.position for beat in shipped), position


def _values() -> dict[str, Any]:
    return load_beats("es", "combat")[0].model_dump()


def _broken(path: str, value: Any) -> Beat:
    values = _values()
    *way, last = path.split(".")
    target = values
    for key in way:
        target = target[key]
    target[last] = value
    return Beat.model_validate(values)


ASK = "Pide {ref.main} o {ref.other}."
FAULTY = [
    ("prose.closing", ("Uno.", "Dos.", "Cuestan 3 monedas."), "a figure in prose"),
    ("prose.closing", ("Uno.", "Dos.", "Tres"), "no full stop"),
    ("prose.closing", ("Uno.", "Dos.", "Tres  cosas."), "two spaces"),
    ("prose.closing", ("Uno.", "Dos.", "Cerca de {place}."), "carries its article"),
    ("prose.closing", ("Uno.", "Dos.", "Con {sword}."), "mechanical slots"),
    ("prose.ask", (ASK, ASK, "Pide {ref.other} o {ref.main}."), "mechanical slots"),
    (
        "prose.speech",
        ("—Ven —dice {voice}.", "—Ven.", "—Ve —dice {voice}.", "—Vete —dice {voice}."),
        "{voice}",
    ),
    ("situation", ("Uno", "Dos.", "Tres."), "no full stop"),
    ("ways", {"athletics": "empujar, y mucho"}, "ways do not fit"),
    ("ways", {"athletics": "empujar, y mucho"}, "a comma in a way"),
]


@pytest.mark.parametrize(("path", "value", "said"), FAULTY)
def test_a_broken_beat_is_told(path: str, value: Any, said: str):
    labels = load_yaml(beats.LEXICON / "es" / "degrees.yaml")["labels"]
    found = list(beats.beat_faults(_broken(path, value), labels))
    assert any(said in fault for fault in found), found


def test_a_label_that_does_not_name_its_degree_is_told():
    values = _values()
    values["outcomes"]["partial"]["label"] = ("Regular",)
    labels = load_yaml(beats.LEXICON / "es" / "degrees.yaml")["labels"]
    assert any("does not begin" in fault for fault in beats.beat_faults(Beat.model_validate(values), labels))


def test_a_sentence_in_two_texts_is_told():
    said = "La misma frase de siempre, otra vez."
    beat = _broken("state_change", (said, f"Antes de nada. {said}"))
    assert any("otra vez" in line for line in repeated_sentences([beat]))


def test_a_file_that_is_no_beat_file_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    for language in LANGUAGES:
        (tmp_path / language).mkdir()
    (tmp_path / "es" / "combat.yaml").write_text("type: combat\nbeats: [{id: x}]\n", encoding="utf-8")
    monkeypatch.setattr(beats, "FOLDER", tmp_path)
    load_beats.cache_clear()
    try:
        assert any("es/combat.yaml" in line for line in faults())
    finally:
        load_beats.cache_clear()


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kind", TYPES)
def test_every_action_is_read_by_the_engine_as_its_two_checks(kind: str, language: str):
    ruleset = load_ruleset("srd5e")
    nouns = dict.fromkeys(beats.NOUN_SLOTS, WORD_FOR_A_SLOT[language])
    for beat in load_beats(language, kind):
        for main, other in product(beat.skills.main, beat.skills.other):
            values = nouns | {
                "way.main": beat.ways.get(main, ""),
                "way.other": beat.ways.get(other, ""),
                "check.main": check_text(main, 15, language, ruleset),
                "check.other": check_text(other, 20, language, ruleset),
            }
            for template in beat.action:
                found = extract(Passage(fill(template, values), 0), language, ruleset)
                checks = [(c.skills, c.dc) for c in found if isinstance(c, Check)]
                assert checks == [((main,), 15), ((other,), 20)], template
                assert len(found) == 2, found


@pytest.mark.parametrize("language", LANGUAGES)
def test_prose_states_no_mechanics_of_its_own(language: str):
    ruleset = load_ruleset("srd5e")
    slots = dict.fromkeys(beats.NOUN_SLOTS, WORD_FOR_A_SLOT[language])
    refs = dict.fromkeys(("ref.main", "ref.other", "ref.harm", "ref.boon", "way.main", "way.other"), "…")
    for beat in beats.all_beats(language).values():
        for where, template in beats.prose_texts(beat):
            found = extract(Passage(fill(template, slots | refs), 0), language, ruleset)
            said = [c.quote for c in found if not c.in_speech and getattr(c, "mechanical", True)]
            assert said == [], f"{beat.id} {where}"
