"""Nobody and nothing is invented: opponents, keepers and props are the outline's own."""

import re

import pytest

from agents.embedded.beats import all_beats, sentences, supposes_a_foe, texts_of
from agents.embedded.brief import make_brief
from agents.embedded.outline import fold_tokens
from agents.embedded.scenes import plan_scenes
from agents.embedded.stage import decider_of, opponents
from agents.types import Person
from concilio.domain.adventure import ChapterOutline, OutlineField
from tests.agents.embedded.support import PARTY, canon, debate, write

PEACEFUL = [
    ("es", "Puzle / Exploración", "Abrir la séptima puerta y sellar el pozo."),
    ("es", "Sigilo", "Robar la corona de juncos antes del alba."),
    ("es", "Social", "Averiguar por qué el molino gira sin viento."),
    ("es", "Protección", "Proteger el rebaño hasta que pase la tormenta."),
    ("es", None, "Pagar la deuda del barquero antes de medianoche."),
    ("en", "Puzzle / Exploration", "Open the seventh door and seal the well."),
    ("en", "Stealth / Puzzle", "Take the Blue Codex from its glass case."),
    ("en", "Social", "Find out why the mill turns without wind."),
    ("en", "Protection", "Shield the orchard until the frost is over."),
    ("en", None, "Pay the ferryman's debt before midnight."),
]


@pytest.mark.parametrize(("language", "kind", "objective"), PEACEFUL)
@pytest.mark.parametrize("seed", range(3))
def test_no_opponent_is_invented_where_the_outline_has_none(
    language: str, kind: str | None, objective: str, seed: int
) -> None:
    outline = ChapterOutline(number=seed + 1, title="X", kind=kind, objective=objective)
    specs = plan_scenes(make_brief(canon(language), outline, seed), 4)
    assert [spec.stage.foe.the for spec in specs if spec.stage.foe and spec.stage.figure is None] == []


TOLD = [
    ("es", "Sigilo", "Robar la corona.", "Hay centinelas en cada puerta."),
    ("en", "Stealth", "Steal the crown.", "Sentries stand at every door."),
    ("es", "Protección", "Proteger el rebaño.", "Los bandidos atacan al anochecer."),
    ("en", "Protection", "Shield the orchard.", "Raiders come at dusk."),
    ("es", "Combate", "Salir de aquí.", ""),
    ("en", "Combat", "Get out of here.", ""),
]


@pytest.mark.parametrize(("language", "kind", "objective", "notes"), TOLD)
def test_an_opponent_of_whom_the_outline_tells_is_there(
    language: str, kind: str, objective: str, notes: str
) -> None:
    outline = ChapterOutline(number=1, title="X", kind=kind, objective=objective, notes=notes)
    specs = plan_scenes(make_brief(canon(language), outline, 0), 3)
    assert all(spec.stage.foe for spec in specs if spec.position == "climax")


SIDES = [
    ("es", "Proteger a Celia del Pálido hasta el alba.", "El Pálido", "hada", True),
    ("es", "Romper el hechizo.", "El Pálido", "hada que ha hechizado a la novia", True),
    ("es", "Ayudar al molinero.", "Marta", "novia hechizada", None),
    ("es", "Rescatar a la hija de Marta.", "Marta", "molinera", None),
    ("es", "Demostrar la inocencia de Celia.", "Lope", "fiscal del concejo", True),
    ("en", "Shield Celia from Lord Pale until dawn.", "Lord Pale", "a fey lord", True),
    ("en", "Break the spell.", "Lord Pale", "a fey who has bewitched the bride", True),
    ("en", "Help the miller.", "Marta", "a bewitched bride", None),
    ("en", "Prove that Celia is innocent.", "Lope", "the prosecutor", True),
]


@pytest.mark.parametrize(("language", "objective", "name", "note", "hostile"), SIDES)
def test_who_is_guarded_against_or_has_done_harm_is_an_opponent(
    language: str, objective: str, name: str, note: str, hostile: bool | None
) -> None:
    cast = (Person(name="Celia", note=""), Person(name=name, note=note))
    brief = make_brief(
        canon(language, cast), ChapterOutline(number=1, title="X", kind="Social", objective=objective), 0
    )
    found = next(f for f in brief.figures if f.name == name)
    assert bool(found.hostile) is bool(hostile)
    assert (found in opponents(brief)) is bool(hostile)


CONFESSIONS = [
    ("es", "Social", "Averiguar quién quemó el teatro.", "Éxito: Oriel confiesa ante todos."),
    ("en", "Social", "Find out who burned the theatre.", "Success: Oriel confesses before all."),
]


@pytest.mark.parametrize(("language", "kind", "objective", "consequence"), CONFESSIONS)
def test_who_confesses_in_a_consequence_is_behind_it(
    language: str, kind: str, objective: str, consequence: str
) -> None:
    cast = (Person(name="Oriel", note=""), Person(name="Tobin", note=""))
    outline = ChapterOutline(number=1, title="X", kind=kind, objective=objective, consequences=(consequence,))
    assert [f.name for f in opponents(make_brief(canon(language, cast), outline, 0))] == ["Oriel"]


DECIDERS = [
    ("es", "Demostrar ante el juez la inocencia de Aldonza.", "Juez Baltasar"),
    ("es", "Convencer a Aldonza de que hable.", "Aldonza"),
    ("es", "Convencer al consejo de que abra las puertas.", "el consejo"),
    ("en", "Convince Aldonza to speak.", "Aldonza"),
    ("en", "Plead Aldonza's cause before the judge.", "Judge Baltasar"),
    ("en", "Persuade the council to open the gates.", "the council"),
]


@pytest.mark.parametrize(("language", "objective", "name"), DECIDERS)
def test_whoever_decides_hears_and_speaks_in_the_decisive_moment(
    language: str, objective: str, name: str
) -> None:
    cast = tuple(
        Person(name=one, note=note)
        for one, note in (("Aldonza", ""), ("Juez Baltasar", ""), ("Judge Baltasar", ""))
        if (one != "Juez Baltasar" or language == "es") and (one != "Judge Baltasar" or language == "en")
    )
    cast = cast if "conse" not in name and "council" not in name else ()
    outline = ChapterOutline(number=1, title="X", kind="Social", objective=objective)
    brief = make_brief(canon(language, cast), outline, 0)
    decider = decider_of(brief)
    assert decider
    assert decider.name == name
    last = plan_scenes(brief, 2)[-1]
    assert last.stage.voice == decider.noun.the


@pytest.mark.parametrize(("language", "kind", "objective"), PEACEFUL)
def test_no_thing_of_ours_gives_an_edge_outside_a_fight(
    language: str, kind: str | None, objective: str
) -> None:
    outline = ChapterOutline(number=1, title="X", kind=kind, objective=objective)
    known = canon(language)
    held = debate(known, outline, 1, 3)
    word = {"es": " ventaja", "en": " advantage"}[language]
    for scene in write(known, outline, 1, held.plan):
        helped = "ayudar" in scene.plan.player_action or "help" in scene.plan.player_action
        assert helped or word not in f"{scene.plan.player_action} {scene.text}"


@pytest.mark.parametrize(("language", "kind", "objective"), PEACEFUL)
@pytest.mark.parametrize("seed", range(3))
def test_where_nobody_opposes_no_text_supposes_it(
    language: str, kind: str | None, objective: str, seed: int
) -> None:
    """Every text with the mark of a foe is kept out of plan and prose of a chapter without one."""
    outline = ChapterOutline(number=seed + 1, title="X", kind=kind, objective=objective)
    known = canon(language)
    held = debate(known, outline, seed, 3)
    written = write(known, outline, seed, held.plan)
    said = " ".join(f"{s.plan.situation} {s.plan.state_change} {s.text}" for s in written)
    for beat in all_beats(language).values():
        for _, text in texts_of(beat):
            if supposes_a_foe(text):
                piece = max(re.split(r"\{[^}]*\}", text), key=len).strip()
                assert piece not in said


@pytest.mark.parametrize("language", ["es", "en"])
def test_a_way_of_taking_a_thing_says_no_pronoun(language: str) -> None:
    """The thing is the outline's: its gender and number are not known where the way is told."""
    pronouns = {"es": r"\b(?:ello|lo|los|la|las)\b(?! \w)|\w+r(?:lo|la|los|las)\b", "en": r"\b(?:it|them)\b"}
    for deed in ("take", "seize", "slay", "deliver", "stop"):
        for way in all_beats(language)[f"deed.{deed}"].words.ways.values():
            told = way.replace("meter la mano y sacarla", "")  # the hand, named just before
            assert not re.search(pronouns[language], told), (deed, way)


AFLOAT = [
    ("es", "Persecución", "La cubierta de la goleta.", "Escapar de la corsaria."),
    ("en", "Chase", "The deck of the schooner.", "Outrun the privateer."),
]


@pytest.mark.parametrize(("language", "kind", "place", "objective"), AFLOAT)
def test_a_chase_aboard_runs_by_sail(language: str, kind: str, place: str, objective: str) -> None:
    outline = ChapterOutline(number=1, title="X", kind=kind, objective=objective, place=place)
    specs = plan_scenes(make_brief(canon(language), outline, 0), 3)
    assert specs[-1].beat.id == "deed.outsail"
    assert all(spec.beat.shape.setting == "afloat" for spec in specs[:-1] if spec.beat.shape.flow)
    ashore = outline.model_copy(update={"place": None})
    for spec in plan_scenes(make_brief(canon(language), ashore, 0), 3):
        assert spec.beat.shape.setting != "afloat"
        assert spec.beat.id != "deed.outsail"


OPTIONAL = [
    ("es", "Sigilo", "Robar la gema.", "DINÁMICA", "La distracción es opcional: da ventaja a quien roba."),
    ("en", "Stealth", "Steal the gem.", "THEFT", "A distraction is optional: it gives the thief advantage."),
]


@pytest.mark.parametrize(("language", "kind", "objective", "label", "text"), OPTIONAL)
@pytest.mark.parametrize("seed", range(4))
def test_an_aid_that_the_designer_makes_optional_is_no_way_of_its_own(
    language: str, kind: str, objective: str, label: str, text: str, seed: int
) -> None:
    outline = ChapterOutline(number=1, title="X", kind=kind, objective=objective)
    noted = outline.model_copy(update={"fields": (OutlineField(label=label, text=text),)})
    cast = (Person(name="Xul", note="dragón enemigo, enemy dragon"),)
    ways = {
        name: {plan_scenes(make_brief(canon(language, cast), one, s), 2)[-1].other for s in range(12)}
        for name, one in (("free", outline), ("noted", noted))
    }
    assert "deception" in ways["free"]
    assert not {"deception", "performance"} & ways["noted"]


ASIDES = [
    ("es", "Sigilo", "cocinas con humo/vapor (ciega al ojo, que pierde sus rayos) y mesas que vuelcan"),
    ("en", "Stealth", "kitchens full of smoke/steam (it blinds the eye, which loses its rays) and tables"),
]


@pytest.mark.parametrize(("language", "kind", "tactics"), ASIDES)
def test_a_tactic_keeps_what_stands_in_brackets(language: str, kind: str, tactics: str) -> None:
    """What a tactic does is often told in brackets, with a stroke or a comma: it is the point of it."""
    outline = ChapterOutline(number=1, title="X", kind=kind, tactics=tactics)
    elements = make_brief(canon(language), outline, 0).elements
    joint = {"es": " y mesas", "en": " and tables"}[language]
    assert elements[0].text == tactics.partition(joint)[0]
    assert len(elements) == 2


ABSENT = [
    ("es", "Exploración / Protección", "Proteger el rebaño hasta el alba.", "contable del gremio"),
    ("en", "Exploration / Protection", "Shield the orchard until dawn.", "a collector of tolls"),
]


@pytest.mark.parametrize(("language", "kind", "objective", "note"), ABSENT)
@pytest.mark.parametrize("number", range(1, 5))
def test_somebody_of_another_chapter_takes_no_side_in_this_one(
    language: str, kind: str, objective: str, note: str, number: int
) -> None:
    """Whom neither the outline names nor the cast calls a friend is not there, and keeps no watch either."""
    cast = (Person(name="Brígida Noal", note=note), Person(name="Toll Warden", note=note))
    outline = ChapterOutline(number=number, title="X", kind=kind, objective=objective)
    known = canon(language, cast)
    held = debate(known, outline, 0, 3)
    for scene in write(known, outline, 0, held.plan):
        told = f"{scene.plan.present} {scene.plan.situation} {scene.text}"
        assert "Brígida" not in told
        assert "Warden" not in told


LONG = 8
"""Words from which a sentence that stands twice is noticed at the table."""
CHAPTERS = [
    ("es", "Social / Sigilo", "Robar el sello del conde y huir del palacio.", "El palacio", "Lope, guardia"),
    ("es", "Combate", "Derrotar a los bandidos.", "El bosque", "Bandido, bandido"),
    ("es", "Supervivencia", "Encontrar a Nele y traerla a casa.", "La montaña", "Nele, pastora perdida"),
    ("en", "Social / Stealth", "Steal the count's seal and leave the palace.", "The palace", "Lope, guard"),
    ("en", "Combat", "Defeat the bandits.", "The forest", "Bandit, bandit"),
    ("en", "Survival", "Find Nele and bring her home.", "The mountain", "Nele, a lost shepherd"),
]


@pytest.mark.parametrize(("language", "kind", "objective", "place", "person"), CHAPTERS)
@pytest.mark.parametrize("seed", range(4))
def test_no_long_sentence_stands_twice_in_a_chapter_and_nobody_is_made_up(
    language: str, kind: str, objective: str, place: str, person: str, seed: int
) -> None:
    name, _, note = person.partition(", ")
    outline = ChapterOutline(number=seed + 1, title="X", kind=kind, objective=objective, place=place)
    known = canon(language, (Person(name=name, note=note),), party=PARTY)
    held = debate(known, outline, seed, 4)
    written = write(known, outline, seed, held.plan)
    said = [
        sentence.casefold()
        for scene in written
        for line in scene.text.split("\n")
        for sentence in sentences(line)
        if len(sentence.split()) >= LONG
    ]
    assert len(said) == len(set(said)), [one for one in said if said.count(one) > 1]
    given = set(fold_tokens(f"{objective} {place} {name} {' '.join(sheet.name for sheet in PARTY)}"))
    rules = set(fold_tokens(" ".join(m.text for scene in written for m in scene.mechanics)))
    for scene in written:
        for token in re.findall(r"(?<=[a-záéíóúñ,] )(?!I['’])[A-ZÁÉÍÓÚÑ][\w'’]+", scene.text):
            assert set(fold_tokens(token)) <= given | rules, token


IN_NEED = [
    ("es", "Sacar a la niña del pozo antes de que llueva.", "la niña"),
    ("es", "Cambiar el reloj de la duquesa por su copia.", "la duquesa"),
    ("en", "Save the child from the well before it rains.", "the child"),
]


@pytest.mark.parametrize(("language", "objective", "name"), IN_NEED)
@pytest.mark.parametrize("number", range(1, 5))
def test_whom_the_objective_is_about_stands_in_nobodys_way(
    language: str, objective: str, name: str, number: int
) -> None:
    outline = ChapterOutline(number=number, title="X", objective=objective)
    brief = make_brief(canon(language), outline, 0)
    assert name not in {f.noun.the for f in opponents(brief)}
    for spec in plan_scenes(brief, 3):
        assert spec.stage.foe is None or spec.stage.foe.the != name
