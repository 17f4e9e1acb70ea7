"""Chapters as a game master reads them: the objective is played, roles and directions are right."""

import pytest

from agents.embedded.beats import sentences
from agents.embedded.brief import make_brief
from agents.embedded.frames import frames_of
from agents.embedded.grammar import grammar_of
from agents.embedded.outline import clauses_of, deed_of, fold_tokens
from agents.embedded.places import class_of
from agents.embedded.scenes import plan_scenes
from agents.embedded.stage import opponents
from agents.types import Canon, Person, Sheet
from concilio.adventure.words import words_of
from concilio.domain.adventure import ChapterOutline, OutlineField
from rules.claims.extract import extract
from rules.claims.model import Check
from rules.document import Passage
from rules.ruleset import load_ruleset
from tests.agents.embedded.support import canon, debate, write

DEEDS = [
    ("es", "Sustraer la gema del altar", "Sigilo", "take"),
    ("es", "Hacerse con el mapa antes del alba", "Sigilo", "take"),
    ("es", "Escapar del salón mientras la guardia ataca", "Combate", "escape"),
    ("es", "Alcanzar la barcaza de Telmo", "Persecución", "catch"),
    ("es", "Alcanzar la cima", "Exploración", "reach"),
    ("es", "Dar caza al contemplador", "Combate", "slay"),
    ("es", "Sofocar el motín", "Combate", "quell"),
    ("es", "Ganar el juicio de Aldara", "Social", "persuade"),
    ("es", "Llorar un poco", "Social", "any"),
    ("es", "Encontrar la lente perdida", "Exploración", "seek"),
    ("es", "Encontrar al asesino del pintor", "Social", "learn"),
    ("es", "Buscar pruebas contra el conde", "Social", "learn"),
    ("es", "Dejar constancia", "Social", "any"),
    ("en", "find the lost temple", "Exploration", "seek"),
    ("en", "find out where the temple is", "Exploration", "learn"),
    ("en", "find the killer", "Social", "learn"),
    ("en", "steal the ledger", "Stealth", "take"),
    ("en", "find out who lies", "Social", "learn"),
    ("en", "win Pim's case", "Social", "persuade"),
    ("en", "win the crown of reeds", "Chase", "win"),
    ("en", "hold the gate until the column arrives", "Combat", "hold"),
    ("en", "put down the mutiny", "Combat", "quell"),
    ("en", "put the letter into her own hand", "Stealth", "deliver"),
]


@pytest.mark.parametrize(("language", "goal", "kind", "deed"), DEEDS)
def test_an_objective_is_read_by_its_verb_and_the_chapters_type(
    language: str, goal: str, kind: str, deed: str
):
    outline = ChapterOutline(number=1, title="X", kind=kind)
    kinds = make_brief(canon(language), outline, 0).kinds
    assert deed_of(goal, kinds, language) == deed


def test_an_objective_of_two_parts_is_cut_and_its_pronoun_named():
    grammar = grammar_of("en")
    goal = "find the Glass Ledger and steal it before lot nineteen is called"
    first, last = clauses_of(goal, ("stealth",), grammar, grammar.thing("Glass Ledger"))
    assert (first.deed, first.core) == ("seek", "find the Glass Ledger")
    assert (last.deed, last.core) == ("take", "steal the Glass Ledger")


CLAUSES = [
    ("en", "find Nele and bring her down alive", [("seek", "find Nele"), ("bring", "bring Nele down alive")]),
    ("en", "bring Nele to safety", [("bring", "bring Nele to safety")]),
    ("en", "find out who lies and prove it", [("learn", "find out who lies and prove it")]),
    ("en", "take the codex and leave a copy", [("take", "take the codex and leave a copy")]),
    ("en", "rob the bank and leave the city", [("take", "rob the bank"), ("escape", "leave the city")]),
    ("en", "find Nele and save her brother", [("seek", "find Nele"), ("free", "save her brother")]),
    (
        "es",
        "encontrar a Nele y traerla a casa",
        [("seek", "encontrar a Nele"), ("bring", "traer a Nele a casa")],
    ),
    ("es", "robar el códice y dejar una copia", [("take", "robar el códice y dejar una copia")]),
    (
        "es",
        "averiguar quién miente y demostrarlo hoy",
        [("learn", "averiguar quién miente y demostrarlo hoy")],
    ),
    (
        "es",
        "robar el códice y llevarlo al templo",
        [("take", "robar el códice"), ("deliver", "llevar el códice al templo")],
    ),
    ("es", "derrotar al lich y recuperar la llave", [("slay", "derrotar al lich y recuperar la llave")]),
    (
        "es",
        "alcanzar la barcaza y recuperar la lente",
        [("reach", "alcanzar la barcaza"), ("take", "recuperar la lente")],
    ),
    ("en", "catch Nele and get the letter back", [("catch", "catch Nele and get the letter back")]),
    ("es", "llevar la carta al conde", [("deliver", "llevar la carta al conde")]),
    ("es", "escoltar a Nele hasta el puerto", [("bring", "escoltar a Nele hasta el puerto")]),
]


@pytest.mark.parametrize(("language", "goal", "parts"), CLAUSES)
def test_an_objective_is_cut_into_what_can_be_played(language: str, goal: str, parts: list[tuple[str, str]]):
    grammar = grammar_of(language)
    nele = grammar.name("Nele", 1)
    assert nele
    found = clauses_of(goal, ("exploration",), grammar, people=[("Nele", nele)])
    assert [(clause.deed, clause.core) for clause in found] == parts


OBJECTIVES: list[tuple[str, str, str, tuple[str, ...]]] = [
    ("es", "Sigilo / Robo", "Robar la corona de juncos antes del alba.", ("robar", "corona", "juncos")),
    ("es", "Social / Juicio", "Demostrar la inocencia de Aldara.", ("inocencia", "aldara")),
    ("es", "Combate", "Derrotar al ogro de la cantera.", ("derrotar", "ogro", "cantera")),
    ("es", "Exploración", "Cruzar el desfiladero nevado.", ("cruzar", "desfiladero")),
    ("en", "Chase", "Catch the courier before she reaches the border.", ("catch", "courier")),
    ("en", "Siege", "Hold the north gate until dawn.", ("hold", "gate")),
    ("en", "Puzzle", "Seal the drowned door.", ("seal", "drowned", "door")),
    ("en", "Stealth", "Infiltrate the mint.", ("infiltrate", "mint")),
]


@pytest.mark.parametrize(("language", "kind", "objective", "words"), OBJECTIVES)
@pytest.mark.parametrize("count", [1, 2, 4])
def test_the_last_scene_plays_the_objective(
    language: str, kind: str, objective: str, words: tuple[str, ...], count: int
):
    outline = ChapterOutline(number=2, title="X", kind=kind, objective=objective)
    last = debate(canon(language), outline, 3, count).plan.scenes[-1]
    assert set(words) <= set(fold_tokens(last.situation))
    for outcome in last.outcomes:
        assert set(words) <= set(fold_tokens(outcome.text)), outcome.text


def test_every_consequence_of_the_designer_is_reached_by_a_stated_outcome():
    given = (
        "Éxito crítico: Nadie lo nota nunca.",
        "Éxito: Sale bien.",
        "Éxito parcial: Sale a medias.",
        "Fallo: Sale mal.",
        "Fallo crítico: Sale peor.",
    )
    outline = ChapterOutline(
        number=1, title="X", kind="Sigilo", objective="Robar el sello", consequences=given
    )
    last = debate(canon("es"), outline, 1, 2).plan.scenes[-1]
    assert [f"{o.label}: {o.text}" for o in last.outcomes] == list(given)
    assert all(f"«{o.label}»" in last.player_action for o in last.outcomes if o.label != "Éxito")


CHASES = [
    ("es", "Escapar de los mastines de la condesa.", "flee"),
    ("es", "Atrapar al ladrón de campanas.", "pursue"),
    ("es", "Recuperar el cofre que se lleva el fugitivo.", "pursue"),
    ("es", "Llegar al puerto con los perseguidores detrás.", "flee"),
    ("en", "Outrun the riders and reach the ferry.", "flee"),
    ("en", "Overtake the royal coach.", "pursue"),
]


@pytest.mark.parametrize(("language", "objective", "flow"), CHASES)
@pytest.mark.parametrize("seed", range(3))
def test_a_chase_runs_the_way_that_the_objective_says(language: str, objective: str, flow: str, seed: int):
    kind = {"es": "Persecución", "en": "Chase"}[language]
    outline = ChapterOutline(number=seed + 1, title="X", kind=kind, objective=objective)
    brief = make_brief(canon(language), outline, seed)
    assert brief.flow == flow
    run = [s.beat for s in plan_scenes(brief, 4) if s.beat.shape.flow]
    assert run
    assert all(beat.shape.flow == flow for beat in run)


SIDES: list[tuple[str, tuple[Person, ...], str, set[str]]] = [
    (
        "es",
        (Person(name="Capitana Ferrán", note="legítima capitana"), Person(name="Amotinado", count=6)),
        "Sofocar el motín y devolver el mando a la Capitana Ferrán.",
        {"Amotinado"},
    ),
    (
        "es",
        (Person(name="Doña Elvira", note="anfitriona de la cena"), Person(name="Sicario", count=2)),
        "Proteger a Doña Elvira hasta el postre.",
        {"Sicario"},
    ),
    (
        "es",
        (Person(name="Ruy", note="cabecilla"), Person(name="Tilda", note="pinche")),
        "Dar caza al contemplador del arrecife.",
        {"el contemplador"},
    ),
    (
        "en",
        (Person(name="Elda Roan", note="kidnapped, once a guard"), Person(name="Slaver", count=5)),
        "Rescue Elda Roan from the slavers.",
        {"Slaver"},
    ),
]


@pytest.mark.parametrize(("language", "cast", "objective", "against"), SIDES)
def test_friend_and_foe_are_told_apart(
    language: str, cast: tuple[Person, ...], objective: str, against: set[str]
):
    outline = ChapterOutline(number=1, title="X", kind="Combate / Combat", objective=objective)
    assert {f.name for f in opponents(make_brief(canon(language, cast), outline, 0))} == against


@pytest.mark.parametrize("seed", range(4))
def test_a_lone_monster_keeps_no_door(seed: int):
    cast = (Person(name="Xul", note="dragón, enemigo"),)
    outline = ChapterOutline(number=seed, title="X", kind="Sigilo", objective="Robar el huevo a Xul")
    for spec in plan_scenes(make_brief(canon("es", cast), outline, seed), 4):
        if spec.beat.shape.foe == "watch":
            assert spec.stage.figure is None or spec.stage.figure.group


PLACES = [
    ("es", "La cubierta de la Golondrina", "ship"),
    ("es", "La linterna del faro de sal", "lighthouse"),
    ("es", "Los esteros de Amarante", "salt"),
    ("es", "Un puente de piedra con un taller en cada ojo", "bridge"),
    ("es", "Galerías inundadas bajo el templo", "flooded"),
    ("es", "La antesala del duque", "antechamber"),
    ("es", "El sitio de siempre", None),
    ("en", "The court of Judge Tallow, under the clock tower", "court"),
    ("en", "The auction house of Mistress Coyle", "auction"),
    ("en", "The snow road", "snow"),
    ("en", "The Shelf Road, a ledge above the Hallam gorge", "mountain"),
    ("en", "Somewhere", None),
]


@pytest.mark.parametrize(("language", "text", "kind"), PLACES)
def test_places_are_classed_by_their_telling_word(language: str, text: str, kind: str | None):
    assert class_of(text, language) == kind


def _adventure(language: str) -> list[tuple[Canon, ChapterOutline]]:
    """Return three chapters of one adventure, two of them of one type and with one kind of objective."""
    words: dict[str, tuple[str, ...]] = {
        "es": ("Sigilo / Social", "Combate", "La lonja", "Robar el sello", "Matar al ogro", "Robar el mapa"),
        "en": ("Stealth / Social", "Combat", "The mint", "Steal the seal", "Kill the ogre", "Steal the map"),
    }
    kind, fight, place, *goals = words[language]
    known = canon(
        language, (Person(name="Ursa", note="villana villain"), Person(name="Guard", note="guardia", count=3))
    )
    return [
        (known, ChapterOutline(number=i + 1, title=f"C{i}", kind=k, place=place, objective=goal, scenes=2))
        for i, (k, goal) in enumerate(zip((kind, fight, kind), goals, strict=True))
    ]


@pytest.mark.parametrize("language", ["es", "en"])
@pytest.mark.parametrize("seed", range(4))
def test_no_sentence_stands_twice_in_an_adventure(language: str, seed: int):
    said: list[str] = []
    for known, outline in _adventure(language):
        for scene in write(known, outline, seed, debate(known, outline, seed, 2).plan):
            for line in scene.text.split("\n"):
                whole = [s for s in sentences(line.lstrip("- ")) if len(s.split()) > 3 and not s[0].islower()]
                said += [s.casefold() for s in whole]
    assert len(said) == len(set(said)), sorted({s for s in said if said.count(s) > 1})


@pytest.mark.parametrize("language", ["es", "en"])
@pytest.mark.parametrize("seed", range(4))
def test_prose_tells_an_outcome_as_the_plan_does(language: str, seed: int):
    """Word for word; between a partial success and its text stands when it holds."""
    margins = ["", *(f" ({margin})" for margin in frames_of(language)["margin"].values())]
    for known, outline in _adventure(language):
        for scene in write(known, outline, seed, debate(known, outline, seed, 3).plan):
            for outcome in scene.plan.outcomes:
                told = [f"**{outcome.label}**{margin}: {outcome.text}" for margin in margins]
                assert any(line in scene.text for line in told)


@pytest.mark.parametrize("level", [1, 3, 4, 8, 15])
def test_difficulties_climb_and_spread(level: int):
    outline = ChapterOutline(number=1, title="X", kind="Sigilo", objective="Robar el sello")
    specs = plan_scenes(make_brief(canon("es", level=level), outline, 2), 4)
    assert len({dc for spec in specs for dc in (spec.main_dc, spec.other_dc)}) >= 3
    assert specs[-1].main_dc > specs[0].main_dc
    assert all(spec.main_dc != spec.other_dc for spec in specs)
    if level <= 4:
        assert all(10 <= dc <= 16 for spec in specs for dc in (spec.main_dc, spec.other_dc))


def test_the_designers_elements_notes_and_voices_are_played():
    known = canon("es", (Person(name="Brígida", note="contable", voice="responde siempre con una cifra"),))
    outline = ChapterOutline(
        number=1,
        title="X",
        place="La lonja",
        kind="Social",
        objective="Averiguar quién vendió la lente",
        tactics="una balanza que desmiente un peso; un brasero encendido; una campana de aviso",
        fields=(OutlineField(label="REGLA DE LA CASA (nota)", text="En la lonja no se desenvaina nunca."),),
        notes="Brígida no se fía de nadie.",
    )
    plan = debate(known, outline, 1, 3).plan
    text = "\n".join(scene.text for scene in write(known, outline, 1, plan))
    for words in ("una balanza que desmiente un peso", "un brasero encendido", "una campana de aviso"):
        assert words in text
    assert "**Regla de la casa.** En la lonja no se desenvaina nunca." in text
    assert text.count("responde siempre con una cifra") == 1
    assert "Regla de la casa" in plan.scenes[-1].situation


@pytest.mark.parametrize("language", ["es", "en"])
def test_a_fight_has_forces_rounds_and_an_end(language: str):
    known = canon(language, (Person(name="Gnoll", count=5, note="enemigo raider"),))
    kind = {"es": "Combate", "en": "Combat"}[language]
    outline = ChapterOutline(number=1, title="X", kind=kind)
    plan = debate(known, outline, 1, 2).plan
    text = write(known, outline, 1, plan)[0].text.casefold()
    wanted = {"es": ("iniciativa", "(cinco)", "primera ronda"), "en": ("initiative", "(five)", "first round")}
    assert all(words in text for words in wanted[language])


def test_a_character_without_a_task_gets_one():
    party = (
        Sheet(
            name="Teo", level=3, bonuses={"stealth": 7, "deception": 6, "perception": 5, "int": 0, "wis": 1}
        ),
        Sheet(
            name="Ada", level=3, bonuses={"arcana": 8, "dex": -1, "cha": -1, "wis": -1, "str": -1, "int": 4}
        ),
    )
    outline = ChapterOutline(number=1, title="X", kind="Sigilo", objective="Infiltrarse en la ceca")
    idle = 0
    for seed in range(8):
        held = debate(canon("es", party=party), outline, seed, 2)
        idle += any("Ada" in o.text for r in held.reviews for o in r.objections)
        said = " ".join(s.player_action for s in held.plan.scenes)
        found = extract(Passage(said, 0), "es", load_ruleset("srd5e"))
        skills = {s for c in found if isinstance(c, Check) for s in c.skills}
        assert skills & {"arcana", "investigation", "history"}
    assert idle


def test_debates_differ_between_adventures():
    outline = ChapterOutline(
        number=1,
        title="X",
        kind="Combate / Sigilo",
        objective="Robar el sello",
        tactics="un pozo seco; una carreta de heno; un palomar abandonado",
        fields=(OutlineField(label="NOTA", text="Nadie puede gritar en la plaza."),),
    )
    rounds: set[int | None] = set()
    said: set[str] = set()
    for number in range(12):
        known = canon("es").model_copy(update={"adventure": f"Aventura {number}"})
        held = debate(known, outline, 0, 3)
        rounds.add(held.rounds)
        said |= {o.text for r in held.reviews for o in r.objections}
    assert len(rounds - {None}) >= 2
    assert None not in rounds
    assert len(said) >= 8


def test_the_names_of_an_invented_party_are_never_shown():
    names = [one["name"] for one in words_of("es")["party"]]
    party = tuple(Sheet(name=name, level=3, bonuses={"str": 2, "dex": 2}) for name in names)
    outline = ChapterOutline(number=1, title="X", kind="Sigilo", objective="Robar el sello")
    for seed in range(6):
        held = debate(canon("es", party=party), outline, seed, 3)
        text = repr(held) + "".join(s.text for s in write(canon("es", party=party), outline, seed, held.plan))
        assert not any(name in text for name in names)


INDOORS = [("es", "Social", "El tribunal de la villa"), ("en", "Social / Exploration", "The courtroom")]


@pytest.mark.parametrize(("language", "kind", "place"), INDOORS)
@pytest.mark.parametrize("seed", range(5))
def test_nobody_crosses_country_in_a_courtroom(language: str, kind: str, place: str, seed: int):
    outline = ChapterOutline(number=seed, title="X", kind=kind, place=place)
    specs = plan_scenes(make_brief(canon(language), outline, seed), 6)
    assert all(spec.beat.shape.setting != "outdoors" for spec in specs)
