"""The chapter file is honest, reads well, and reads back to the same chapter."""

import re
import unicodedata

import pytest
from hypothesis import given, settings

from concilio.chapterfile.errors import ChapterFileError
from concilio.chapterfile.reader import read_chapter, read_document
from concilio.chapterfile.render import render_chapter
from concilio.chapterfile.words import value_of, written_group
from concilio.domain.base import Language
from concilio.domain.chapter import AgentUse, Chapter
from concilio.domain.debate import Ending, Ledger
from rules.mechanics import ALWAYS_PLACED, PLACED_IN_PLAY
from tests.chapterfile.samples import chapter
from tests.chapterfile.strategies import FAST, chapters

ENDINGS: tuple[Ending, ...] = ("accepted", "max_rounds", "stalled", "budget", "stopped", "failed")
LANGUAGES: tuple[Language, ...] = ("es", "en")


def headings(text: str) -> list[str]:
    return [line for line in text.split("\n") if line.startswith(("# ", "## "))]


def test_the_sections_stand_in_the_seeds_order():
    assert headings(render_chapter(chapter())) == [
        "# Capítulo 2 · «La crecida»",
        "## Cabecera del outline general",
        "## Plan de escenas (aprobado por la mesa)",
        "## Debate completo",
        "# Capítulo 2 · Escena 2.1 — «La soga»",
        "## Plan acordado",
        "## Prosa",
        "## Tiradas y cifras",
        "## Sin resolver en esta escena",
        "# Objeciones y hallazgos",
        "## Objeciones abiertas",
        "## Objeciones cerradas",
        "## Hallazgos en el plan",
        "# Cómo se hizo este capítulo",
    ]


def outcome_line(text: str, language: Language) -> str | None:
    """Return the ending that a chapter's file tells in its own language."""
    label = {"es": "Desenlace", "en": "Outcome"}[language]
    (told,) = (line for line in text.split("\n") if line.startswith(f"_{label}: "))
    return value_of(language, "ending", told.removeprefix(f"_{label}: ").removesuffix("_"))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("ending", ENDINGS[1:])
def test_a_plan_without_agreement_says_so_in_its_first_lines(ending: Ending, language: Language):
    text = render_chapter(chapter(ending, language))
    opening = "\n".join(text.split("\n")[:9])
    assert f"`{ending}`" in opening
    assert "O2" in opening
    assert "Falta el tiempo." in opening
    assert "O1" not in opening
    assert not any(w in h for h in headings(text) for w in ("aprobad", "acordado", "pproved", "Agreed"))
    assert outcome_line(text, language) == ending


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_accepted_plan_carries_no_notice(language: Language):
    agreed = chapter("accepted", language)
    settled = tuple(o for o in agreed.ledger.objections if o not in agreed.ledger.blockers())
    text = render_chapter(agreed.model_copy(update={"ledger": Ledger(objections=settled)}))
    assert "\n> " not in text
    assert outcome_line(text, language) == "accepted"


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_plan_accepted_over_a_blocker_says_so_in_its_first_lines(language: Language):
    agreed = chapter("accepted", language)
    text = render_chapter(agreed)
    opening = "\n".join(text.split("\n")[:7])
    assert [o.id for o in agreed.ledger.blockers()] == ["O2"]
    assert "O2" in opening
    assert "O1" not in opening
    assert read_chapter(text) == agreed


def test_what_is_unknown_is_said_and_not_summed_as_nothing():
    text = render_chapter(chapter())
    assert "| quien escribe | openai/dos | 1 | desconocido | desconocido | desconocido |" in text
    assert "coste en USD: al menos 0,0123" in text


def test_findings_and_objections_are_printed_as_open():
    text = render_chapter(chapter())
    scene = text[text.index("## Sin resolver") : text.index("# Objeciones y hallazgos")]
    assert "outcome-dropped" in scene
    assert "Falta el resultado «Fallo»." in scene
    still_open = text[text.index("## Objeciones abiertas") : text.index("## Objeciones cerradas")]
    assert "- **O2** · bloqueante · abierta · Damián · capítulo 2" in still_open
    assert "O1" not in still_open


def test_a_message_cannot_speak_for_another():
    document = read_document(render_chapter(chapter("max_rounds")), "x")
    assert [(m.speaker, m.role, m.round) for m in document.debate] == [
        ("Iris Vela", "proposer", 1),
        ("Damián Tachón", "checker", 1),
        ("Rubén Veinte", "critic", 1),
    ]
    assert [s.id for s in document.debate[0].scenes] == ["2.1"]
    assert document.ending == "max_rounds"


def test_a_scene_without_prose_has_none():
    scene = chapter().scenes[0].model_copy(update={"prose": "", "findings": ()})
    text = render_chapter(chapter().model_copy(update={"scenes": (scene,)}))
    assert "_Esta escena está sin escribir._" in text
    assert read_document(text, "x").scenes[0].prose is None


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("ending", ENDINGS)
def test_a_chapter_reads_back(ending: Ending, language: Language):
    whole = chapter(ending, language)
    text = render_chapter(whole)
    assert read_chapter(text) == whole
    assert read_chapter("\ufeff" + text.replace("\n", "\r\n")) == whole
    assert render_chapter(read_chapter(text)) == text


@settings(FAST, max_examples=40)
@given(chapters())
def test_any_chapter_reads_back(whole: Chapter):
    text = render_chapter(whole)
    assert read_chapter(text) == whole
    assert not re.search(r"(?<!\\)(?:\\\\)*<(?=script)", text), "every < before a tag's name is escaped"
    assert not any(unicodedata.category(c) in ("Cc", "Cs", "Zl", "Zp") for c in text if c not in "\n\t")


@pytest.mark.parametrize("source", ["", "# Capítulo 2 · «Uno»\n", "\x00"])
def test_a_file_that_is_not_ours_is_told(source: str):
    with pytest.raises(ChapterFileError) as raised:
        read_chapter(source)
    assert raised.value.kind == "not_ours"


@pytest.mark.parametrize(
    ("found", "put"),
    [
        ("## Debate completo", "Debate"),
        ("- LUGAR: El embarcadero.\n", ""),
        ("- Semilla: 7", "- Semilla: siete"),
        ("· bloqueante ·", "· terrible ·"),
        ("- **O2** ·", "- **O2**"),
        ("order 1 0", "order 7 8"),
        ("| 1200 |", "| muchos |"),
        ("| openai/dos |", "|"),
        ("_Desenlace: aceptado_", ""),
    ],
)
def test_a_damaged_file_is_told(found: str, put: str):
    whole = render_chapter(chapter())
    assert found in whole
    with pytest.raises(ChapterFileError) as raised:
        read_chapter(whole.replace(found, put))
    assert raised.value.kind == "damaged"


@pytest.mark.parametrize(
    "agent", ["iris", "damian", "ruben", "prose", "reader", "Iris", '"iris"', "otro", ""]
)
def test_who_was_paid_is_named_in_the_file_s_language_and_read_back(agent: str) -> None:
    """No bare id in a file for people; whatever the JSON calls an agent comes back the same."""
    use = AgentUse(agent=agent, model="m", calls=1)
    plain = chapter()
    origin = plain.provenance.model_copy(update={"agents": (use,)})
    made = plain.model_copy(update={"provenance": origin})
    text = render_chapter(made)
    assert read_chapter(text) == made
    assert "| iris |" not in text


@pytest.mark.parametrize("field", ["outcomes", "player action", "place", "state_change"])
def test_a_field_is_called_as_the_debate_calls_it(field: str):
    """In English a word may be its key as well: `outcomes` beside `player action`, not in capitals."""
    whole = chapter(language="en")
    objections = (whole.ledger.objections[0].model_copy(update={"field": field}),)
    text = render_chapter(whole.model_copy(update={"ledger": Ledger(objections=objections)}))
    shown = "STATE CHANGE" if field == "state_change" else field
    assert f"  - Field: {shown}\n" in text
    assert read_chapter(text).ledger.objections[0].field == field


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_kind_of_mechanic_has_a_word_for_who_reads(language: Language):
    wanted = ALWAYS_PLACED | PLACED_IN_PLAY
    assert {kind for kind in wanted if not written_group(language, "kind").get(kind)} == set()
