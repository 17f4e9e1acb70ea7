"""Who is a friend, who is an opponent and who can speak, as notes and outline tell."""

import pytest

from agents.embedded.brief import Brief, make_brief
from agents.embedded.stage import companions
from agents.types import Person
from concilio.domain.adventure import ChapterOutline
from tests.agents.embedded.support import canon


def _figure(language: str, name: str, note: str, notes: str = "") -> Brief:
    outline = ChapterOutline(number=1, title="T", notes=notes)
    return make_brief(canon(language, (Person(name=name, note=note),)), outline, 1)


@pytest.mark.parametrize(
    ("language", "name", "note", "notes"),
    [
        ("es", "Baltasar Ruiz", "manda a los jinetes que persiguen al grupo", ""),
        ("es", "Leonor", "guía amable; envenenó al viejo conde", ""),
        ("es", "Teodoro", "un coleccionista", "Teodoro es el culpable."),
        ("es", "Teodoro", "un coleccionista", "La pista es clara. Teodoro mató al pintor."),
        ("en", "Lucan Frey", "leads the raiders", ""),
        ("en", "Lucan Frey", "a patron of the arts who had the painter killed; he murdered before", ""),
        ("en", "Lucan Frey", "hunts the party", ""),
        ("en", "Lucan Frey", "a collector", "The culprit is Lucan Frey."),
        ("en", "Lucan Frey", "a collector", "Lucan Frey had the painter killed."),
    ],
)
def test_who_does_harm_is_an_opponent_and_helps_nobody(
    language: str, name: str, note: str, notes: str
) -> None:
    brief = _figure(language, name, note, notes)
    assert [f.hostile for f in brief.figures] == [True]
    assert companions(brief) == ()


@pytest.mark.parametrize(
    ("language", "note"),
    [
        ("es", "pastora a la que persiguen los jinetes"),
        ("es", "viuda; su marido fue asesinado"),
        ("es", "huye de los bandidos"),
        ("es", "cazadora que caza ciervos"),
        ("es", "guía, caza bandidos para la corona"),
        ("en", "a widow whose husband was killed"),
        ("en", "fled from the bandits"),
        ("en", "hunts deer in the hills"),
        ("en", "a healer who runs the hospice"),
        ("en", "guide, hunts bandits for the crown"),
    ],
)
def test_a_deed_undergone_or_done_to_enemies_makes_no_opponent(language: str, note: str) -> None:
    brief = _figure(language, "Ines", note)
    assert not any(f.hostile for f in brief.figures)
    assert [f.name for f in companions(brief)] == ["Ines"]


@pytest.mark.parametrize(
    ("language", "name", "note", "mute"),
    [
        ("es", "Cangrejo gigante", "", True),
        ("es", "Colmillo", "pantera del circo", True),
        ("es", "Marta", "cazadora de lobos", False),
        ("en", "Giant Crab", "", True),
        ("en", "Old Tusk", "a boar the size of a cart", True),
        ("en", "Marta", "a hunter of wolves", False),
        ("en", "Marta", "keeps bees and hounds", False),
    ],
)
def test_animals_do_not_speak_and_those_who_deal_with_them_do(
    language: str, name: str, note: str, mute: bool
) -> None:
    brief = _figure(language, name, note)
    assert [f.mute for f in brief.figures] == [mute]
