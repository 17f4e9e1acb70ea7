"""What `srd5e`, `combate` and `ia` say of conditions, hazards and fights, by their documents' headings."""

from collections.abc import Callable

import pytest

from rules.claims.extract import extract
from rules.claims.model import Damage, Duration
from rules.document import Passage
from rules.ruleset import Ruleset, load_ruleset

SRD, HOUSE, IA = load_ruleset("srd5e"), load_ruleset("combate"), load_ruleset("ia")
Row = tuple[str, Callable[[], object], object]


def effects(ruleset: Ruleset, condition: str) -> dict[str, object]:
    """The effects of a condition that are not as always."""
    found = ruleset.conditions[condition].effects
    assert found is not None
    return found.model_dump(exclude_defaults=True)


CONDITIONS: list[Row] = [
    ("blinded", lambda: effects(SRD, "blinded")["fails_checks_by"], ("sight",)),
    ("frightened", lambda: effects(SRD, "frightened"), {"attacks": "disadvantage", "checks": "disadvantage"}),
    ("grappled", lambda: effects(SRD, "grappled"), {"moves": False}),
    ("invisible", lambda: effects(SRD, "invisible"), {"attacks": "advantage", "attacked": "disadvantage"}),
    ("restrained", lambda: effects(SRD, "restrained")["saves"], {"dex": "disadvantage"}),
    ("paralyzed, saves", lambda: effects(SRD, "paralyzed")["fails_saves"], ("str", "dex")),
    ("paralyzed, near", lambda: effects(SRD, "paralyzed")["critical_when_near"], True),
    ("petrified", lambda: "critical_when_near" in effects(SRD, "petrified"), False),
    ("prone, far", lambda: effects(SRD, "prone")["attacked"], "disadvantage"),
    ("prone, near", lambda: effects(SRD, "prone")["attacked_near"], "advantage"),
    ("unconscious", lambda: effects(SRD, "unconscious")["implies"], ("incapacitated", "prone")),
    ("exhaustion", lambda: SRD.conditions["exhaustion"].levels, 6),
    (
        "who is held",
        lambda: [key for key, c in SRD.conditions.items() if c.needs_escape],
        ["grappled", "paralyzed", "petrified", "restrained"],
    ),
    ("ways out", lambda: [key for key, c in SRD.conditions.items() if not c.ends_by], []),
    ("restrained, way out", lambda: SRD.conditions["restrained"].ends_by[0], "check"),
    ("surprised in I&A", lambda: effects(IA, "surprised"), {"acts": False, "attacked": "advantage"}),
]


def breath(ruleset: Ruleset, value: float) -> tuple[float, float]:
    """Seconds that breath is held, and that one lasts without."""
    assert ruleset.suffocation is not None
    return ruleset.suffocation.held.seconds(value), ruleset.suffocation.out_of_breath.seconds(value)


def surprised_breath(value: float) -> float:
    assert IA.suffocation is not None
    assert IA.suffocation.surprised is not None
    return IA.suffocation.surprised.seconds(value)


def fall(metres: float) -> tuple[int, float]:
    """Dice of a fall in I&A, and what the check to stay on one's feet must reach."""
    assert IA.falling_by_size is not None
    return IA.falling_by_size.dice(metres), IA.falling_by_size.landing_dr(metres)


HAZARDS: list[Row] = [
    ("SRD breath, +2", lambda: breath(SRD, 2), (180, 12)),
    ("SRD breath, -1", lambda: breath(SRD, -1), (30, 6)),
    ("SRD fire", lambda: SRD.burning and (SRD.burning.dice, SRD.burning.put_out_dc), ("1d4", 10)),
    ("SRD torch", lambda: (SRD.lights["torch"].bright_m, SRD.lights["torch"].dim_m), (6, 6)),
    ("SRD bullseye lantern", lambda: SRD.lights["bullseye_lantern"].cone, True),
    ("SRD dim light", lambda: SRD.light_levels["dim"].sight_checks, "disadvantage"),
    ("SRD darkness", lambda: SRD.light_levels["dark"].condition, "blinded"),
    ("I&A held breath, 4", lambda: breath(IA, 4)[0], 240),
    ("I&A held breath, 0", lambda: breath(IA, 0)[0], 30),
    ("I&A surprised, 4", lambda: surprised_breath(4), 24),
    ("I&A surprised, 0", lambda: surprised_breath(0), 3),
    ("I&A without breath, 0", lambda: breath(IA, 0)[1], 60),
    ("I&A mind lost", lambda: IA.suffocation and IA.suffocation.harm, {"int": 0.5}),
    (
        "I&A fire",
        lambda: IA.burning and (IA.burning.dice, IA.burning.when),
        ("1d6", ("start_of_turn", "end_of_turn")),
    ),
    ("I&A fire, what takes from it", lambda: IA.burning and IA.burning.reduced_by, "natural_armor"),
    ("I&A fall, 10 m", lambda: fall(10), (3, 30)),
    ("I&A fall, 3 m", lambda: fall(3), (1, 9)),
    ("I&A fall, 2.9 m", lambda: fall(2.9)[0], 0),
    ("I&A fall, the most", lambda: fall(9_000)[0], 190),
    ("I&A has no fall of one die for all", lambda: IA.falling, None),
    (
        "I&A partial cover",
        lambda: (IA.cover["partial"].attacks, IA.cover["partial"].covers),
        ("disadvantage", 0.5),
    ),
    ("I&A total cover", lambda: IA.cover["total"].targetable, False),
]


def windows() -> list[tuple[float | None, str]]:
    found = HOUSE.combat.windows
    assert found is not None
    return [(band.under_s, band.effect) for band in found.bands]


def tense() -> tuple[int, float, str]:
    found = HOUSE.combat.tense_rounds
    assert found is not None
    return found.players, found.seconds, found.missed


FIGHTS: list[Row] = [
    ("Cómo empieza", lambda: HOUSE.combat.opening.not_by, ("theft_noticed", "struggle", "threat")),
    ("Cómo acaba", lambda: HOUSE.combat.opening.ends_when_hostiles, ("fallen", "dead", "gone", "calmed")),
    ("Sin prisa", lambda: (HOUSE.combat.turns.order, HOUSE.combat.turns.tie), ("answers", "initiative")),
    ("Atacar: alcance", lambda: (HOUSE.combat.attacks.melee_m, HOUSE.combat.attacks.reach_weapon_m), (0, 3)),
    ("Atacar: munición", lambda: HOUSE.combat.attacks.ammunition_recovered, 0.5),
    ("Atacar: crítico", lambda: HOUSE.combat.attacks.natural_20, True),
    ("Enemigos", lambda: (HOUSE.combat.hostiles.act_every_turn, HOUSE.combat.hostiles.turns_each), (True, 1)),
    ("Enemigos: golpes", lambda: HOUSE.combat.hostiles.multiattack, {"thug": 2, "scout": 2, "veteran": 2}),
    ("Enemigos: no rematan", lambda: HOUSE.combat.hostiles.attack_the_downed, False),
    ("No letal", lambda: (HOUSE.combat.downed.wakes_after_hours, HOUSE.combat.downed.wakes_with_hp), (2, 1)),
    ("No letal: después", lambda: HOUSE.combat.downed.can_be, ("tied", "searched", "finished")),
    (
        "Nadie es inmortal",
        lambda: (HOUSE.combat.rewards.essential, HOUSE.combat.rewards.fallback),
        (False, "plan_b"),
    ),
    ("Experiencia", lambda: HOUSE.combat.rewards.for_others, ("infamy", "crime_with_witnesses")),
    ("Bloque: herrero", lambda: (HOUSE.combat.roles["smith"].ac, HOUSE.combat.roles["smith"].hp), (12, 22)),
    (
        "Bloque: alguacil",
        lambda: (HOUSE.combat.roles["constable"].ac, HOUSE.combat.roles["constable"].hp),
        (13, 24),
    ),
    ("Odds: mago", lambda: [r.mage_wins for r in HOUSE.combat.roles.values()], [0.38, 0.34, 0.01]),
    ("Odds: guerrero", lambda: [r.fighter_wins for r in HOUSE.combat.roles.values()], [0.66, 0.69, 0.21]),
    (
        "Ventanas: bandas",
        windows,
        [(15, "advantage_or_acts_first"), (60, "both_at_once"), (None, "threat_in_full")],
    ),
    ("Ventanas: una por enemigo", lambda: HOUSE.combat.windows and HOUSE.combat.windows.per_enemy, 1),
    ("Rondas", tense, (2, 30, "loses_the_round")),
    ("Conjuros a mano", lambda: HOUSE.combat.quick_spells, 5),
    (
        "I&A initiative",
        lambda: (IA.combat.turns.order, IA.combat.turns.order_abilities),
        ("score", ("agi", "dex")),
    ),
    ("I&A latecomers", lambda: IA.combat.turns.latecomers, "next_round"),
    ("I&A rounds", lambda: IA.combat.turns.round_seconds, 3),
    ("I&A actions", lambda: IA.combat.turns.actions_by, "dex"),
    ("I&A defences", lambda: IA.combat.attacks.reduced_by, {"melee": "m_def", "ranged": "r_def"}),
    ("I&A melee", lambda: IA.combat.attacks.melee_m, 2),
    ("I&A prone archer", lambda: IA.combat.attacks.while_prone["archery"], "disadvantage"),
    ("I&A prone gunner", lambda: IA.combat.attacks.while_prone["firearm"], "advantage"),
    ("I&A flanking", lambda: IA.combat.attacks.flanking_bonus, 2),
    ("I&A height", lambda: (IA.combat.attacks.height_per_metre, IA.combat.attacks.height_most), (0.5, 3)),
    ("I&A overflow", lambda: IA.combat.attacks.overflow, True),
    (
        "I&A limbs",
        lambda: IA.combat.limbs and (IA.combat.limbs.crippled_dr, IA.combat.limbs.severed_dr),
        (18, 25),
    ),
    ("I&A cripple", lambda: IA.combat.limbs and IA.combat.limbs.cripple_above, 15),
    ("I&A swimming", lambda: IA.combat.underwater and IA.combat.underwater.speed(3, 2.5), 2.75),
    ("I&A objectives", lambda: len(IA.combat.objectives), 5),
]


@pytest.mark.parametrize(
    ("said", "expected"),
    [row[1:] for row in CONDITIONS + HAZARDS + FIGHTS],
    ids=[row[0] for row in CONDITIONS + HAZARDS + FIGHTS],
)
def test_a_ruleset_says_what_its_document_says(said: Callable[[], object], expected: object):
    assert said() == expected


def test_the_house_rules_are_the_srd_where_they_say_nothing_else():
    assert HOUSE.word("skill", "stealth", "es") == "Sigilo"
    assert HOUSE.traps == SRD.traps
    assert set(SRD.terms) < set(HOUSE.terms)
    assert len(HOUSE.creatures) == len(SRD.creatures)
    assert HOUSE.combat.attacks.long_range == SRD.combat.attacks.long_range == "disadvantage"
    assert HOUSE.combat.turns.round_seconds == 6


def test_ia_is_a_game_of_its_own():
    assert (dict(IA.difficulties), dict(IA.creatures), dict(IA.spells), dict(IA.classes)) == ({}, {}, {}, {})
    assert IA.encounter is None
    assert IA.lookup("term", "CD", "es") == ("dc", "wrong")
    assert IA.lookup("term", "DC", "en") == ("dc", "wrong")
    assert IA.find("term", "DR", "en") == "dc"
    assert IA.find("cover", "cobertura parcial", "es") == "partial"
    assert IA.find("cover", "half cover", "en") is None


@pytest.mark.parametrize("ruleset", [SRD, HOUSE, IA], ids=lambda r: str(r.id))
def test_every_figure_has_its_source_and_every_word_its_two_languages(ruleset: Ruleset):
    figures = (ruleset.falling, ruleset.falling_by_size, ruleset.suffocation, ruleset.burning)
    assert all(figure.source for figure in figures if figure)
    assert all(entry.source for entry in (*ruleset.traps.values(), *ruleset.cover.values()))
    assert all(entry.source for entry in (*ruleset.lights.values(), *ruleset.light_levels.values()))
    assert all(entry.source for entry in (*ruleset.encounters.values(), *ruleset.difficulties.values()))
    assert ruleset.combat.source
    for section in (ruleset.terms, ruleset.conditions, ruleset.actions, ruleset.units, ruleset.lights):
        for key, entry in section.items():
            assert set(entry.names) == {"es", "en"}, key


@pytest.mark.parametrize(
    ("text", "language", "kind"),
    [
        ("Recibe 1d6 de daño de quemadura.", "es", Damage),
        ("It takes 1d6 burn damage.", "en", Damage),
        ("Dura 3 rondas.", "es", Duration),
    ],
)
def test_text_is_read_by_the_words_of_ia(text: str, language: str, kind: type):
    claims = extract(Passage(text, 0), language, IA)
    assert [type(claim) for claim in claims] == [kind]
    if kind is Damage:
        (claim,) = claims
        assert isinstance(claim, Damage)
        assert [named.id for named in claim.types] == ["burn"]
