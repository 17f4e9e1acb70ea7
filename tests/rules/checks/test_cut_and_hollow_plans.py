"""A plan's text that stops short, or stands for one that is not there, is found wherever it stands."""

import pytest

from tests.rules.checks.reading import findings, right_chapter

CUT = [
    # language, old, new
    ("en", "strikes the wall every minute.", "strikes the wall"),
    ("en", "gone and the Amber Pendulum strikes the wall every minute.", "gone"),
    ("en", "hook a rope to the pulley (DC 11 Sleight of Hand). The pulley has AC 14 and 12 hit points.",
     "hook a rope to the pulley. The pulley is held with a DC"),
    ("en", "The pulley has AC 14 and 12 hit points.", "The pulley has AC 14 and 12 hit po"),
    ("en", "and knows whether the automatons wait.", "and Ilvara is"),
    ("en", "They cross, but a bell wakes the automatons of the workshop.", "They cross, but a bell wakes"),
    ("en", "They cross, but a bell wakes the automatons of the workshop.", "The guard walks (→ 2.2)"),
    ("en", "The party is on the landing and knows whether the automatons wait.", "The landing is beh"),
    ("en", "is on the landing and knows whether the automatons wait.", "[continues in the next message]"),
    ("en", "The gears spin unchecked and throw sparks in a 10-foot radius.", "(as in scene 2.1)"),
    ("en", "The gears spin unchecked and throw sparks in a 10-foot radius.", "As in 2.1."),
    ("en", "The pendulum is still, or the tower burns.", "etc. etc. [rest unchanged]"),
    ("es", "sabe si los autómatas lo esperan.", "sabe si los"),
    ("es", "sabe si los autómatas lo esperan.", "sabe que Ilvara está"),
    ("es", "sabe si los autómatas lo esperan.", "sabe hacer una prueba de Destreza (Sigilo) CD"),
    ("es", "sabe si los autómatas lo esperan.", "sabe [continúa en el siguiente mensaje]"),
    ("es", "El péndulo está parado o la torre arde.", "(pendiente)"),
    ("es", "El péndulo está parado o la torre arde.", "Por definir."),
    ("es", "El péndulo está parado o la torre arde.", "(igual que en 2.1)"),
    ("es", "El péndulo está parado o la torre arde.", "Igual que en la escena 2.1."),
]  # fmt: skip


@pytest.mark.parametrize(("language", "old", "new"), CUT)
def test_a_field_that_is_cut_or_hollow_is_found(language: str, old: str, new: str) -> None:
    source = right_chapter(language)
    assert old in source
    found = [f for f in findings(source.replace(old, new)) if (f.rule, f.part) == ("truncated", "plan")]
    assert found


WHOLE = [
    ("en", "wakes the automatons of the workshop.", "wakes the automatons of the workshop. (→ 2.2)"),
    ("en", "wakes the automatons of the workshop.", "wakes the automatons (pending repairs since May)."),
    ("en", "The pendulum is still, or the tower burns.", "No change."),
    ("en", "The pendulum is still, or the tower burns.", "They learn (as in scene 2.1 of old songs) a tune."),
    ("en", "strikes the wall every minute.", "strikes the wall: “Midnight!”"),
    ("es", "sabe si los autómatas lo esperan.", "sabe que le queda un asunto pendiente."),
    ("es", "El péndulo está parado o la torre arde.", "Sin cambios."),
    ("es", "sabe si los autómatas lo esperan.", "sabe si los autómatas lo esperan. (→ 2.2)"),
]  # fmt: skip


@pytest.mark.parametrize(("language", "old", "new"), WHOLE)
def test_a_field_that_is_whole_stays_clean(language: str, old: str, new: str) -> None:
    source = right_chapter(language)
    assert old in source
    assert [f for f in findings(source.replace(old, new)) if f.rule == "truncated"] == []


@pytest.mark.parametrize("language", ["en", "es"])
def test_an_author_who_uses_no_full_stops_is_not_cut(language: str) -> None:
    plain = "\n".join(
        line.rstrip(".") if line.lstrip().startswith("- ") and ". " not in line else line
        for line in right_chapter(language).splitlines()
    )
    assert [f.quote for f in findings(plain) if (f.rule, f.part) == ("truncated", "plan")] == []


PROSE = [
    ("en", "\n\n**Failure:**\n", "truncated"),
    ("en", "\n\n**Failure:\n", "truncated"),
    ("es", "\n\n**Fallo:\n", "truncated"),
    ("es", "\n\n- **Éxito parcial:**\n", "truncated"),
    ("en", "\n\nLet me know if you like it!\n", "chat-in-plan"),
    ("en", "\n\nI hope you enjoy this scene.\n", "chat-in-plan"),
    ("es", "\n\n¡Dime si te gusta!\n", "chat-in-plan"),
    ("es", "\n\n¿Quieres que escriba la siguiente escena?\n", "chat-in-plan"),
    ("en", "\n\nThe grate is open, and the quarry\n\n<!-- concilio: chapter 2 en -->\n", "truncated"),
    ("es", "\n\nLa reja está abierta y la\n\n<!-- concilio: chapter 2 es -->\n", "truncated"),
    ("en", "\n\nThe grate is open, and the quarry knows it.\n\n<!-- concilio: chapter 2 en -->\n", None),
    ("en", "\n\n“Let me know if you like it!” she calls.\n", None),
    ("es", "\n\n—Dime si te gusta —pide la relojera.\n", None),
]  # fmt: skip


@pytest.mark.parametrize(("language", "tail", "rule"), PROSE)
def test_the_end_of_a_scene_s_prose(language: str, tail: str, rule: str | None) -> None:
    found = {f.rule for f in findings(right_chapter(language).rstrip() + tail) if f.part == "prose"}
    assert found & {"truncated", "chat-in-plan"} == ({rule} if rule else set())
