"""What `concilio rules explain` shows is true: each bad example is found by its own rule, no good one by any.

An example in quotation marks is played word for word; one that describes a chapter, as such a chapter.
"""

from collections.abc import Callable
from dataclasses import replace

import pytest

from concilio.chapterfile.reader import read_document
from rules.catalogue import READER, RULES, explain
from rules.engine import check
from rules.facts import ActionFacts, Facts, StatFacts
from rules.ruleset import load_ruleset
from rules.wording import LANGUAGES
from tests.rules.stages import FOUR, LOW, ORMUN, QUOTED, SECOND, Chapter

Stage = tuple[str, Facts | None]
Play = Callable[[str, str, str], Stage]
"""Rule's example, language, and the plan that the bad example tells (its own text before the quotation)."""


def alone(example: str, language: str, plan: str) -> Stage:
    """The example is a text of its own."""
    return example + "\n", None


def planned(bad: str) -> str:
    """What an example says of the plan, without its label."""
    return QUOTED.split(bad)[0].partition(": ")[2].rpartition(".")[0]


def against_plan(example: str, language: str, plan: str) -> Stage:
    """A plan and a quotation of its prose; without a quotation the prose says what the plan says."""
    quoted = QUOTED.findall(example)
    prose = quoted[0] if quoted else plan
    return Chapter(language, plan=plan, prose=prose).text(), None


def as_well(example: str, language: str, plan: str) -> Stage:
    """The quotation stands in the prose beside what the plan says."""
    beside = ". ".join((plan, *QUOTED.findall(example)))
    return Chapter(language, plan=plan, prose=beside).text(), None


def quoted_with(facts: Facts) -> Play:
    """The example's quotation, or all of it, checked for a party or with a stat block."""

    def play(example: str, language: str, plan: str) -> Stage:
        quoted = QUOTED.findall(example)
        return (quoted[0] if quoted else example) + ".\n", facts

    return play


def named(example: str, language: str, plan: str) -> Stage:
    """A name in the plan, and in the prose."""
    names = {"en": ("Mirror of Mist", "Mirror of the Mist"), "es": ("Espejo de Bruma", "Espejo de la Bruma")}
    right, wrong = names[language]
    hangs = {"en": "The {} hangs by the gate", "es": "El {} cuelga junto al portón"}[language]
    told = wrong if wrong in example else right
    return Chapter(language, plan=hangs.format(right), prose=hangs.format(told)).text(), None


def dragon(example: str, language: str, plan: str) -> Stage:
    """A creature whose effect asks for saving throws."""
    name = {"en": "dragon", "es": "dragón"}[language]
    block = StatFacts(name=name, ac=15, actions=(ActionFacts(name="breath", save_dc=15),))
    return QUOTED.findall(example)[0] + ".\n", Facts(level=5, names=(name,), stat_blocks={name: block})


def chapter(
    bad: Callable[[Chapter, str], Chapter], good: Callable[[Chapter, str], Chapter] | None = None
) -> Play:
    """A chapter as the bad example describes it; the good one is as `good` makes it, or plain."""

    def play(example: str, language: str, plan: str) -> Stage:
        plain = Chapter(language)
        is_bad = plan == example
        changed = bad(plain, example) if is_bad else good(plain, example) if good else plain
        return changed.text(), None

    return play


FIGURES = {
    "en": "The lock has AC 14 and opens with DC 13 Athletics",
    "es": "La cerradura tiene CA 14 y se abre con Atletismo CD 13",
}
SECOND_SCENE = {"en": "Scene 3.1 — The Yard", "es": "Escena 3.1 — El patio"}


def aloud(example: str, language: str, plan: str) -> Stage:
    """A box to be read aloud: as long as the bad example says, or three sentences."""
    sentence = {"en": "Rain falls on the old grey yard. ", "es": "La lluvia cae sobre el patio viejo. "}[
        language
    ]
    return "> " + sentence * (200 // len(sentence.split()) + 1 if example == plan else 3) + "\n", None


PLAYS: dict[str, Play] = {
    "scene-count": chapter(lambda c, _: replace(c, count=5)),
    "field-missing": chapter(lambda c, _: replace(c, fields=4)),
    "truncated": chapter(
        lambda c, example: replace(c, change=example), lambda c, example: replace(c, change=example)
    ),
    "chat-in-plan": chapter(lambda c, example: replace(c, before=example + "\n")),
    "duplicate-scene": chapter(lambda c, _: replace(c, second=SECOND_SCENE[c.language], count=2)),
    "verdict-missing": chapter(lambda c, _: replace(c, verdict=False)),
    "accepted-unresolved": chapter(lambda c, _: replace(c, fields=4)),
    "outcome-mislabelled": chapter(
        lambda c, example: replace(c, heading=QUOTED.findall(example)[0], ending="max_rounds"),
        lambda c, example: replace(c, heading=QUOTED.findall(example)[0], ending="max_rounds"),
    ),
    "false-claim": chapter(
        lambda c, example: replace(
            c, plan=FIGURES[c.language], prose=FIGURES[c.language], review=f"- {QUOTED.findall(example)[0]}"
        ),
        lambda c, example: replace(
            c, plan=FIGURES[c.language], prose=FIGURES[c.language], review=f"- {QUOTED.findall(example)[0]}"
        ),
    ),
    "check-not-in-plan": as_well,
    "outcome-dropped": chapter(
        lambda c, _: replace(c, partial=True), lambda c, _: replace(c, partial=True, tells_partial=True)
    ),
    "name-drift": named,
    "stat-block-drift": quoted_with(ORMUN),
    "save-not-attack": dragon,
    "dc-for-level": quoted_with(LOW),
    "damage-for-level": quoted_with(SECOND),
    "encounter-difficulty": quoted_with(FOUR),
    "read-aloud-length": aloud,
    **dict.fromkeys(
        ("dc-drift", "dice-drift", "distance-drift", "check-drift", "mechanic-not-in-plan", "stat-dropped"),
        against_plan,
    ),
}
"""How the examples of a rule are played; the others are texts of their own."""
PLAYED = [rule for rule, info in RULES.items() if info.group != READER]


def found(rule: str, example: str, language: str) -> set[str]:
    """The rules that an example breaks."""
    bad = explain(rule, language).bad
    play = PLAYS.get(rule, alone)
    plan = planned(bad) if play in (against_plan, as_well) else bad
    source, facts = play(example, language, plan)
    return {f.rule for f in check(read_document(source, "x.md", language), load_ruleset("combate"), facts)}


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_stage_itself_is_right(language: str) -> None:
    document = read_document(Chapter(language).text(), "x.md", language)
    assert all((document.plan, document.scenes, document.outcome))
    assert check(document, load_ruleset("combate")) == ()


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("rule", PLAYED)
def test_a_bad_example_is_found_by_its_own_rule(rule: str, language: str) -> None:
    assert rule in found(rule, explain(rule, language).bad, language)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("rule", PLAYED)
def test_a_good_example_is_found_by_no_rule(rule: str, language: str) -> None:
    assert found(rule, explain(rule, language).good, language) == set()
