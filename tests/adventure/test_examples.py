"""The shipped examples are what a newcomer sees first: whole, right, and of equal worth in both languages."""

from pathlib import Path

import pytest

from concilio.adventure import facts_of, load_adventure
from concilio.adventure.labels import is_degree
from rules.ruleset import load_ruleset

EXAMPLES = Path(__file__).parents[2] / "examples"
WHOLE = [("el_faro_de_sal", "es"), ("the_winter_post", "en")]
SMALL = [("candle_court.yaml", "en", 1), ("el_puente_de_los_oficios.md", "es", 1)]


@pytest.mark.parametrize(("name", "language"), WHOLE)
def test_a_whole_example_states_all_that_an_outline_can(name: str, language: str) -> None:
    adventure = load_adventure(EXAMPLES / name)
    assert adventure == load_adventure(EXAMPLES / name / f"{name}.adventure.md")
    assert adventure.language == language
    assert len(adventure.chapters) == 3
    assert len({chapter.kind for chapter in adventure.chapters}) == 3
    for chapter in adventure.chapters:
        assert chapter.arc
        assert chapter.place
        assert chapter.objective
        assert chapter.tactics
        assert chapter.tension
        assert chapter.scenes in (2, 3)
        assert len(chapter.consequences) == 3
        assert all(is_degree(text.split(":")[0]) for text in chapter.consequences)


@pytest.mark.parametrize(("name", "language"), WHOLE)
def test_a_whole_example_gives_the_engine_its_figures(name: str, language: str) -> None:
    adventure = load_adventure(EXAMPLES / name)
    ruleset = load_ruleset(adventure.ruleset)
    facts = facts_of(adventure, ruleset)
    assert len(facts.party) == 4
    assert all(sheet.class_id in ruleset.classes for sheet in facts.party)
    assert facts.stat_blocks
    assert all(block.ac and block.hp and block.cr and block.speeds_m for block in facts.stat_blocks.values())
    assert len(adventure.items) == 3
    voices = [one.voice for one in adventure.cast if one.voice]
    assert len(voices) == 3


@pytest.mark.parametrize(("name", "language", "chapters"), SMALL)
def test_the_small_examples_load(name: str, language: str, chapters: int) -> None:
    adventure = load_adventure(EXAMPLES / name)
    assert (adventure.language, len(adventure.chapters)) == (language, chapters)
    assert all(chapter.scenes and chapter.consequences for chapter in adventure.chapters)
