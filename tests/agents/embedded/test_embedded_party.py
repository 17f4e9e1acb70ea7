"""Who plays is the table's own: characters are named where the adventure's text or the plan names them."""

import pytest

from agents.types import Canon
from concilio.domain.adventure import ChapterOutline
from concilio.domain.plan import Proposal
from tests.agents.embedded.support import PARTY, canon, debate, write

TALE = {
    "es": ("Sigilo", "Robar el sello sin que nadie lo note", "Los personajes", "los demás personajes"),
    "en": ("Stealth", "Steal the seal unseen", "The characters", "the other characters"),
}
NAMES = tuple(sheet.name for sheet in PARTY)


def _chapter(language: str, notes: str = "") -> tuple[Canon, ChapterOutline, Proposal]:
    kind, objective, _, _ = TALE[language]
    outline = ChapterOutline(number=1, title="X", kind=kind, objective=objective, notes=notes, scenes=4)
    known = canon(language, party=PARTY)
    return known, outline, debate(known, outline, 2, 4).plan


def _said(known: Canon, outline: ChapterOutline, plan: Proposal) -> str:
    told = [" ".join((s.present, s.situation, s.player_action, s.state_change)) for s in plan.scenes]
    return "\n".join([*told, *(scene.text for scene in write(known, outline, 2, plan))])


@pytest.mark.parametrize("language", ["es", "en"])
def test_no_character_is_named_where_only_the_sheets_name_them(language: str):
    known, outline, plan = _chapter(language)
    assert not [name for name in NAMES if name in _said(known, outline, plan)]
    assert all(scene.present.startswith(TALE[language][2]) for scene in plan.scenes)


@pytest.mark.parametrize("language", ["es", "en"])
def test_whom_the_outline_names_is_there_by_name_and_the_rest_are_the_others(language: str):
    known, outline, plan = _chapter(language, notes=f"{NAMES[0]}.")
    said = _said(known, outline, plan)
    assert all(NAMES[0] in scene.present and TALE[language][3] in scene.present for scene in plan.scenes)
    assert NAMES[1] not in said


@pytest.mark.parametrize("language", ["es", "en"])
def test_a_party_that_the_adventure_names_is_told_by_its_names(language: str):
    known, outline, plan = _chapter(language, notes=" ".join(NAMES))
    assert all(name in scene.present for scene in plan.scenes for name in NAMES)
    assert all(word not in scene.present for scene in plan.scenes for word in TALE[language][2:])
    assert all(name in _said(known, outline, plan) for name in NAMES)


HELP = {
    "es": "{name} puede ayudar con una prueba de Sabiduría (Medicina) CD 12; si sale, hay ventaja.",
    "en": "{name} can help with a DC 12 Wisdom (Medicine) check; if it works, whoever rolls has advantage.",
}


@pytest.mark.parametrize("language", ["es", "en"])
def test_whom_the_plan_names_the_prose_names(language: str):
    known, outline, plan = _chapter(language)
    first = plan.scenes[0]
    told = f"{first.player_action} {HELP[language].format(name=NAMES[0])}"
    plan = plan.model_copy(
        update={"scenes": (first.model_copy(update={"player_action": told}), *plan.scenes[1:])}
    )
    text = write(known, outline, 2, plan)[0].text
    assert NAMES[0] in text
    assert NAMES[1] not in text
