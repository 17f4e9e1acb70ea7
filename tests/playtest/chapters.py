"""Chapters for these tests, made from a few words a scene."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from concilio.chapterfile.plan_values import to_outcome
from concilio.chapterfile.reader import read_document
from rules.checks.context import Context
from rules.document import Document, PlanOutcome, PlanScene
from rules.facts import Facts, PartySheet, StatFacts
from rules.playtest.model import Playtest, SceneOdds, Way
from rules.playtest.play import playtest
from rules.ruleset import load_ruleset

WORDS = {
    "es": {
        "title": "# Capítulo 3 · «El paso»",
        "header": "## Cabecera del outline general",
        "consequences": "- CONSECUENCIAS ESCALONADAS:",
        "plan": "## Plan de escenas",
        "scene": "### Capítulo 3 · Escena {id} — {title}",
        "place": "- LUGAR: El paso.",
        "present": "- PRESENTES: {present}",
        "situation": "- SITUACIÓN INICIAL: {situation}",
        "action": "- ACCIÓN DEL JUGADOR: {action}",
        "outcomes": "- POSIBLES RESULTADOS:",
        "change": "- CAMBIO DE ESTADO: Ya es de noche.",
        "calm": "Llueve sobre las piedras.",
        "people": "Los viajeros.",
    },
    "en": {
        "title": "# Chapter 3 · “The pass”",
        "header": "## Outline header",
        "consequences": "- GRADED CONSEQUENCES:",
        "plan": "## Scene plan",
        "scene": "### Chapter 3 · Scene {id} — {title}",
        "place": "- PLACE: The pass.",
        "present": "- PRESENT: {present}",
        "situation": "- STARTING SITUATION: {situation}",
        "action": "- PLAYER ACTION: {action}",
        "outcomes": "- POSSIBLE OUTCOMES:",
        "change": "- STATE CHANGE: It is night now.",
        "calm": "Rain falls on the stones.",
        "people": "The travellers.",
    },
}


class Scene(NamedTuple):
    """What is particular about a scene."""

    action: str
    outcomes: Sequence[str]
    present: str = ""
    situation: str = ""


def sheet(name: str, skills: dict[str, int] | None = None, **abilities: int) -> PartySheet:
    """Return a character of level 3 with these bonuses; everything else is 0."""
    scores = {"str": 0, "dex": 0, "con": 0, "int": 0, "wis": 0, "cha": 0, **abilities}
    known = {"stealth": 0, "perception": 0, "persuasion": 0, "athletics": 0, "sleight_of_hand": 0}
    return PartySheet(name, 3, None, scores, 2, {**known, **(skills or {})}, {}, 14, 24)


PARTY = (sheet("Ada", {"stealth": 5}), sheet("Bruno", {"athletics": 7}, str=3), sheet("Cleo"), sheet("Dario"))


def chapter(language: str, scenes: Sequence[Scene], consequences: Sequence[str] = ()) -> Document:
    """Return a chapter of these scenes as it is read from its file."""
    words = WORDS[language]
    lines = [words["title"], "", words["header"], ""]
    if consequences:
        lines += [words["consequences"], *(f"  {i}. {text}" for i, text in enumerate(consequences, 1)), ""]
    lines += [words["plan"], ""]
    for number, scene in enumerate(scenes, 1):
        lines += [
            words["scene"].format(id=f"3.{number}", title=f"T{number}"),
            words["place"],
            words["present"].format(present=scene.present or words["people"]),
            words["situation"].format(situation=scene.situation or words["calm"]),
            words["action"].format(action=scene.action),
            words["outcomes"],
            *(f"    - {outcome}" for outcome in scene.outcomes),
            words["change"],
            "",
        ]
    return read_document("\n".join(lines), "chapter.md", language)


def play(
    language: str,
    scenes: Sequence[Scene],
    consequences: Sequence[str] = (),
    party: tuple[PartySheet, ...] = PARTY,
    cast: Mapping[str, StatFacts] | None = None,
) -> Playtest:
    """Play a chapter of these scenes, with the designer's own creatures in `cast`."""
    document = chapter(language, scenes, consequences)

    def read(scene: PlanScene, outcome: PlanOutcome) -> Way:
        known = to_outcome(outcome, language, scene.id.partition(".")[0])
        return Way(known.label, known.degree, known.text, known.leads_to)

    assert document.plan is not None
    context = Context(document, load_ruleset("srd5e"), Facts(3, party, stat_blocks=cast or {}))
    return playtest(context, document.plan.scenes, read, consequences)


def chances(scene: SceneOdds) -> list[float]:
    """Return the chances of a scene's outcomes in order."""
    return [way.chance for way in scene.ways]
