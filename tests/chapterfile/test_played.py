"""A played plan in the chapter file: written for people in both languages, read back to the same numbers."""

import json

import pytest
from hypothesis import given, settings
from pydantic import ValidationError

from concilio.chapterfile.errors import ChapterFileError
from concilio.chapterfile.json_file import dump_chapter, load_chapter
from concilio.chapterfile.played import played_blocks, played_in
from concilio.chapterfile.reader import read_chapter, read_document
from concilio.chapterfile.render import render_chapter
from concilio.domain.base import Language
from concilio.domain.chapter import Chapter
from concilio.domain.playtest import (
    DeadEnd,
    Hinge,
    PlayedConsequence,
    PlayedEnd,
    PlayedFight,
    PlayedOutcome,
    PlayedPlan,
    PlayedScene,
)
from rules.engine import check
from rules.facts import Facts
from rules.ruleset import load_ruleset
from tests.chapterfile.samples import chapter
from tests.chapterfile.strategies import FAST, played_plans

PLAYED = PlayedPlan(
    party="Ana (nivel 2)",
    minutes=24,
    best=0.6254,
    scenes=(
        PlayedScene(
            id="2.1",
            reach=1,
            basis="roll",
            minutes=9,
            outcomes=(
                PlayedOutcome(label="Éxito", chance=0.6254, leads_to="end"),
                PlayedOutcome(label="Fallo", chance=0.3746, leads_to="2.2"),
            ),
        ),
        PlayedScene(id="2.2", reach=0.3746, basis="fight", minutes=15),
    ),
    ends=(PlayedEnd(scene="2.1", label="Éxito", chance=0.6254), PlayedEnd(scene="2.2", chance=0.3746)),
    consequences=(PlayedConsequence(text="Cruzan.", scene="2.1", label="Éxito", chance=0.6254),),
    unreached=("2.3", "2.4"),
    dead_ends=(
        DeadEnd(scene="2.2", why="no_outcomes"),
        DeadEnd(scene="2.1", label="Fallo", why="unknown_scene", target="9.9"),
    ),
    hinges=(Hinge(scene="2.1", roll="Fuerza CD 13", after_success=1, after_failure=0, decisive=True),),
    fights=(
        PlayedFight(
            scene="2.2",
            foes="4 × goblin",
            xp=200,
            difficulty={"2014": "medio", "2024": "bajo"},
            win=0.9126,
            rounds=3.14,
            losses=0.25,
            not_counted="goblin",
        ),
        PlayedFight(scene="2.3", foes="1 × sombra", xp=100, unknown="sombra"),
    ),
    assumed=("Una tirada sin CD es CD 15.",),
)
LANGUAGES: tuple[Language, ...] = ("es", "en")


def with_play(language: Language, played: PlayedPlan = PLAYED) -> Chapter:
    return chapter("accepted", language).model_copy(update={"playtest": played})


def test_the_section_stands_between_plan_and_debate() -> None:
    text = render_chapter(with_play("es"))
    heads = [line for line in text.split("\n") if line.startswith(("# ", "## "))]
    assert heads[2:5] == [
        "## Plan de escenas (aprobado por la mesa)",
        "## El plan, jugado",
        "## Debate completo",
    ]


@pytest.mark.parametrize(
    ("language", "lines"),
    [
        (
            "es",
            [
                "- Minutos esperados: 24",
                "- Probabilidad del mejor final: 62,5 %",
                "- Escenas a las que nadie llega: 2.3, 2.4",
                "- **2.1** · 100,0 % · se tira · 9 min",
                "  - Éxito: 62,5 % → fin",
                "  - Fallo: 37,5 % → 2.2",
                "- **62,5 %** · 2.1 · Éxito",
                "  - Consecuencia: Cruzan.",
                "- **2.1** · Fallo · esa escena no existe · 9.9",
                "- **2.1** · Fuerza CD 13 · todo depende de esta tirada",
                "- **2.2** · 4 × goblin · 200 PX",
                "  - Dificultad, reglas de 2014: medio",
                "  - Gana el grupo: 91,3 %",
                "  - Asaltos esperados: 3,1",
                "  - Es peor que eso, sin contar conjuros, alientos ni rayos de: goblin",
                "  - Sin combatir, porque no se sabe cómo ataca: sombra",
                "- Se supone: Una tirada sin CD es CD 15.",
            ],
        ),
        (
            "en",
            [
                "- Expected minutes: 24",
                "- **2.1** · 100.0 % · rolled · 9 min",
                "  - Fallo: 37.5 % → 2.2",
                "  - Éxito: 62.5 % → end",
                "  - Expected rounds: 3.1",
            ],
        ),
    ],
)
def test_it_is_written_for_people(language: Language, lines: list[str]) -> None:
    written = render_chapter(with_play(language)).split("\n")
    assert [line for line in lines if line not in written] == []


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("minutes", [24, None])
def test_it_reads_back(language: Language, minutes: int | None) -> None:
    whole = with_play(language, PLAYED.model_copy(update={"minutes": minutes, "endless": 0.25}))
    text = render_chapter(whole)
    assert read_chapter(text) == whole
    assert render_chapter(read_chapter(text)) == text
    assert load_chapter(dump_chapter(whole)) == whole


@settings(FAST, max_examples=60)
@given(played_plans())
def test_any_played_plan_reads_back(played: PlayedPlan) -> None:
    for language in LANGUAGES:
        lines = "\n\n".join(played_blocks(played, language)).split("\n")[1:]
        assert PlayedPlan.model_validate(played_in(lines, language)) == played


def test_a_file_from_before_is_read() -> None:
    """A chapter without the section, and a JSON without the field."""
    whole = chapter()
    text, value = render_chapter(whole), json.loads(dump_chapter(whole))
    assert "El plan, jugado" not in text
    assert value.pop("playtest") is None
    assert read_chapter(text) == load_chapter(json.dumps(value)) == whole


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_engine_reads_no_rule_from_it(language: Language) -> None:
    """The section is the engine's own: `concilio check` finds the same with and without it."""
    rules = load_ruleset("srd5e")

    def found(whole: Chapter) -> set[tuple[str, str, str, str]]:
        document = read_document(render_chapter(whole), "x")
        return {(f.rule, f.part, f.scene, f.quote) for f in check(document, rules, Facts())}

    assert found(with_play(language)) == found(chapter("accepted", language))
    plain = read_document(render_chapter(chapter("accepted", language)), "x")
    played = read_document(render_chapter(with_play(language)), "x")
    assert played.plan
    assert plain.plan
    assert [s.id for s in played.plan.scenes] == [s.id for s in plain.plan.scenes]
    assert len(played.debate) == len(plain.debate)


@pytest.mark.parametrize(
    ("found", "put"),
    [
        ("- Minutos esperados: 24", "- Minutos esperados: muchos"),
        ("- Minutos esperados: 24\n", ""),
        ("· se tira ·", "· se adivina ·"),
        ("62,5 % → fin", "162,5 % → fin"),
        ("62,5 % → fin", "62,5 % → ninguna parte"),
        ("- **2.1** · 100,0 %", "- **2.1** · todo"),
        ("  - Consecuencia: Cruzan.\n", ""),
        ("· todo depende de esta tirada", "· quién sabe"),
    ],
)
def test_a_damaged_section_is_told(found: str, put: str) -> None:
    text = render_chapter(with_play("es"))
    assert found in text
    with pytest.raises(ChapterFileError) as raised:
        read_chapter(text.replace(found, put))
    assert raised.value.kind == "damaged"


@pytest.mark.parametrize(
    "wrong",
    [
        {"endless": 1.5},
        {"minutes": -1},
        {"unreached": ("cinco",)},
        {"scenes": ({"id": "5", "reach": 1, "basis": "roll", "minutes": 1},)},
        {"best": float("nan")},
    ],
)
def test_what_is_no_figure_is_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        PlayedPlan.model_validate({"party": "x", **wrong})
