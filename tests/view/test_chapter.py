"""A chapter's page as whoever runs it wants it: the chapter first, then how it came to be."""

import re
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from concilio.chapterfile.json_file import dump_chapter
from concilio.domain.adventure import OutlineField
from concilio.domain.chapter import Chapter
from concilio.domain.playtest import DeadEnd, Hinge, PlayedConsequence, PlayedFight, PlayedScene
from concilio.view.marking import marked
from tests.view.runs import HOSTILE, RUN, chapter_of, make_run
from tests.view.test_safety import live_markup, well_nested

CHAPTER = f"/runs/{RUN}/chapters/1"
GRADED = "1. Success: The road is open.\n2. Failure: The toll is doubled."


def keep(folder: Path, chapter: Chapter) -> None:
    path = folder / f"chapter_{chapter.number:02}.en.json"
    path.write_text(dump_chapter(chapter), encoding="utf-8")


def whole(hostile: str = "", **changes: Any) -> Chapter:
    """A chapter with an outline, and a plan that was played with a fight."""
    chapter = chapter_of(hostile=hostile)
    assert chapter.playtest is not None
    header = (
        OutlineField(label="MAIN PLACE", text="A gorge" + hostile),
        OutlineField(label="NARRATIVE GOAL", text="Cross before dusk." + hostile),
        OutlineField(label="GRADED CONSEQUENCES", text=GRADED + hostile),
        OutlineField(label="HOUSE RULE (table's)" + hostile, text="No flying." + hostile),
    )
    played = chapter.playtest.model_copy(
        update={
            "scenes": (PlayedScene(id="1.1", reach=1, basis="fight", minutes=27),),
            "consequences": (
                PlayedConsequence(text="The road is open.", scene="1.1", label="Success", chance=0.62),
            ),
            "hinges": (
                Hinge(
                    scene="1.1",
                    roll="DC 15 Dexterity check" + hostile,
                    after_success=0.9,
                    after_failure=0,
                    decisive=True,
                ),
            ),
            "fights": (
                PlayedFight(
                    scene="1.1", foes="2 × Thug" + hostile, xp=1200, difficulty={"2014": "hard" + hostile},
                    win=0.875, rounds=3.4, losses=0.5, not_counted="Mage" + hostile,
                ),
                PlayedFight(scene="1.1", foes="1 × Thing", xp=0, unknown="Thing" + hostile),
            ),
            "dead_ends": (
                DeadEnd(scene="1.1", label="Failure", why="unknown_scene", target="1.9" + hostile),
            ),
            "unreached": ("1.2",),
            "assumed": ("A roll without a DC is DC 15." + hostile,),
        }
    )  # fmt: skip
    return chapter.model_copy(update={"header": header, "playtest": played, **changes})


def text_of(html: str) -> str:
    """Return a page's text, of any mark-up and of superfluous spaces free."""
    return " ".join(re.sub(r"<[^>]*>", " ", html).split())


def test_the_chapter_comes_first_then_the_plan_the_debate_and_the_ledger(
    client: TestClient, out: Path
) -> None:
    make_run(out)
    text = client.get(CHAPTER).text
    sections = re.findall(r'<h2 id="(\w+)"', text)
    assert sections == ["scenes", "played", "plan", "debate", "ledger", "cost"]
    contents = re.findall(r'href="#(\w+)"', text)
    assert [name for name in contents if name in sections] == sections
    assert text.index("The ropes") < text.index("The river has risen.")


def test_its_head_says_what_it_is_for_and_what_may_come_of_it(client: TestClient, out: Path) -> None:
    keep(make_run(out), whole())
    text = client.get(CHAPTER).text
    head = text_of(text[: text.index('<nav class="contents"')])
    assert "Objective: Cross before dusk." in head
    assert "Success: The road is open. 62%" in head
    assert re.search(r"Failure: The toll is doubled\. (?!\d)", head), "nobody played it"
    assert head.index("The rest of the outline") < head.index("MAIN PLACE A gorge")
    assert "No flying." in head


def test_everything_that_was_played_stands_beside_the_picture(client: TestClient, out: Path) -> None:
    keep(make_run(out), whole())
    text = client.get(CHAPTER, headers={"accept-language": "es"}).text
    played = text_of(text[text.index('<h2 id="played"') : text.index('<h2 id="plan"')])
    for told in (
        "decisiva 1.1 DC 15 Dexterity check : el mejor final tiene 90 % si sale y 0 % si no",
        "2 × Thug : 1 200 PX; hard (2014). El grupo gana el 87,5 % de las veces.",
        "Lleva 3,4 asaltos y cuesta 0,5 personajes de media.",
        "Sin combatir, porque nadie sabe cómo ataca Thing",
        "lleva a una escena que no existe ( 1.9 )",
        "1.2 no se alcanza nunca",
        "A roll without a DC is DC 15.",
    ):
        assert told in played, played


def test_there_is_one_estimate_of_minutes(client: TestClient, out: Path) -> None:
    keep(make_run(out), whole())
    assert set(re.findall(r"(\d+) minutes", text_of(client.get(CHAPTER).text))) == {"27"}


def test_a_plan_that_was_not_played_has_no_figures(client: TestClient, out: Path) -> None:
    keep(make_run(out), whole(playtest=None))
    answer = client.get(CHAPTER)
    assert answer.status_code == 200
    assert "minutes" not in text_of(answer.text)


def test_neighbours_are_called_by_title_above_and_below(client: TestClient, out: Path) -> None:
    folder = make_run(out, (1, 2, 3))
    keep(folder, chapter_of(3).model_copy(update={"title": "The Far Bank"}))
    text = client.get(f"/runs/{RUN}/chapters/2").text
    assert text.count('<a rel="next"') == text.count('<a rel="prev"') == 2
    assert text.count("Chapter 3 · The Far Bank →") == 2
    assert text.index('rel="next"') < text.index('id="scenes"')


def test_a_chapter_offers_itself_to_be_taken_along(client: TestClient, out: Path) -> None:
    make_run(out)
    assert f'href="{CHAPTER}/export/html"' in client.get(CHAPTER).text


@pytest.mark.parametrize(
    ("stored", "es", "en"),
    [
        ("outcomes", "resultados", "outcomes"),
        ("POSSIBLE OUTCOMES", "resultados", "outcomes"),
        ("player action", "acción del jugador", "player action"),
        ("player_action", "acción del jugador", "player action"),
        ("ACCIÓN DEL JUGADOR", "acción del jugador", "player action"),
        ("the mood", "the mood", "the mood"),
    ],
)
def test_a_field_has_one_name(client: TestClient, out: Path, stored: str, es: str, en: str) -> None:
    chapter = chapter_of()
    ledger = chapter.ledger.model_copy(
        update={"objections": (chapter.ledger.objections[0].model_copy(update={"field": stored}),)}
    )
    keep(make_run(out), chapter.model_copy(update={"ledger": ledger}))
    for language, wanted, scene in (("es", es, "escena"), ("en", en, "scene")):
        text = text_of(client.get(CHAPTER, headers={"accept-language": language}).text)
        assert f"{scene} 1.1 · {wanted} ·" in text


def test_what_is_hostile_in_outline_and_played_plan_does_nothing(client: TestClient, out: Path) -> None:
    keep(make_run(out), whole(HOSTILE))
    answer = client.get(CHAPTER)
    assert answer.status_code == 200
    assert live_markup(answer.text) == []


BOX = '<blockquote class="aloud" role="note" aria-label="Aloud">'


@pytest.mark.parametrize(
    ("text", "opens", "boxes"),
    [
        ("Fog.\n\nRoll.", True, f"{BOX}<p>Fog.</p></blockquote><p>Roll.</p>"),
        ("Fog.\n\nRoll.", False, "<p>Fog.</p><p>Roll.</p>"),
        ("Fog.\n\n> He nods.\n\nRoll.", True, f"{BOX}<p>Fog.</p><p>He nods.</p></blockquote><p>Roll.</p>"),
        ("Roll.\n\n> He nods.", False, f"<p>Roll.</p>{BOX}<p>He nods.</p></blockquote>"),
        ("- Fog.", True, "<ul><li>Fog.</li></ul>"),
        ("", True, ""),
        (
            "`<blockquote>` & <blockquote>",
            False,
            "<p><code>&lt;blockquote&gt;</code> &amp; &lt;blockquote&gt;</p>",
        ),
    ],
)
def test_what_is_read_aloud_stands_in_a_box(text: str, opens: bool, boxes: str) -> None:
    html = marked(text, (), aloud="Aloud", opens=opens)
    assert html.replace("\n", "") == boxes
    assert well_nested(html)
    assert "aloud" not in marked(text, ()), "where no boxes are asked for there are none"


@pytest.mark.parametrize(
    ("first", "boxed"),
    [
        ("The ropes creak over the gorge.", True),
        ("Whoever crosses makes a DC 15 Dexterity check.", False),
        ("(The toll keeper is lying.)", False),
    ],
)
def test_a_scenes_opening_is_read_aloud_where_it_states_no_rolls(
    client: TestClient, out: Path, first: str, boxed: bool
) -> None:
    chapter = chapter_of()
    scene = chapter.scenes[0].model_copy(update={"prose": f"{first}\n\nThen they roll.\n", "findings": ()})
    keep(make_run(out), chapter.model_copy(update={"scenes": (scene,)}))
    assert ('class="aloud"' in client.get(CHAPTER).text) == boxed
