"""Every verified figure of the rules, one row each: what, the figure, where it is said."""

from collections.abc import Callable

import pytest

from rules.figures import Encounters
from rules.ruleset import Ruleset, load_ruleset
from tests.rules.duel import FIGHTER, Duellist, wins, wins_by_initiative

SRD = load_ruleset("srd5e")
HOUSE = load_ruleset("combate")


def edition(year: str) -> Encounters:
    return SRD.encounters[year]


def block(creature: str, attack: str, initiative: int = 0) -> Duellist:
    """A creature of the table as it fights with one of its attacks."""
    row = SRD.creatures[creature]
    used = next(a for a in row.attacks if a.name == attack)
    assert used.attack is not None
    dice = used.damage[0][0]
    return Duellist(row.ac, row.hp, used.attack, dice, initiative, row.times(attack))


def role(name: str, attack: int | None = None) -> Duellist:
    """Somebody of the house rules' role blocks."""
    one = HOUSE.combat.roles[name]
    return Duellist(one.ac, one.hp, one.attack if attack is None else attack, one.damage, 0, one.attacks)


def typical(cr: str) -> tuple[float, float, float | None, float | None]:
    row = SRD.typical[cr]
    return row.ac, row.hp, row.attack, row.save_dc


def ladder(language: str) -> list[tuple[str, int]]:
    return [(d.names[language].word, d.dc) for d in SRD.difficulties.values()]


def trap_damage(level: int) -> list[str]:
    return [SRD.traps[severity].damage_at(level) for severity in ("setback", "dangerous", "deadly")]


def has_block(ruleset: Ruleset, name: str) -> bool:
    return ruleset.find_creature(name, "en") is not None


FIGURES: list[tuple[str, Callable[[], object], object]] = [
    # Difficulty classes, SRD 5.1
    (
        "ladder, English",
        lambda: ladder("en"),
        [
            ("very easy", 5),
            ("easy", 10),
            ("medium", 15),
            ("hard", 20),
            ("very hard", 25),
            ("nearly impossible", 30),
        ],
    ),
    (
        "ladder, Spanish",
        lambda: ladder("es"),
        [
            ("muy fácil", 5),
            ("fácil", 10),
            ("dificultad media", 15),
            ("difícil", 20),
            ("muy difícil", 25),
            ("casi imposible", 30),
        ],
    ),
    # Cover, SRD 5.1
    ("half cover", lambda: (SRD.cover["half"].armor_class, SRD.cover["half"].saves), (2, {"dex": 2})),
    (
        "three-quarters cover",
        lambda: (SRD.cover["three_quarters"].armor_class, SRD.cover["three_quarters"].saves),
        (5, {"dex": 5}),
    ),
    ("total cover", lambda: SRD.cover["total"].targetable, False),
    # Falling, SRD 5.1
    ("fall of 10 ft", lambda: SRD.falling and (SRD.falling.dice(3), SRD.falling.sides), (1, 6)),
    ("fall, type", lambda: SRD.falling and SRD.falling.damage_type, "bludgeoning"),
    ("fall, most", lambda: SRD.falling and SRD.falling.dice(10_000), 20),
    ("fall, lands", lambda: SRD.falling and SRD.falling.condition, "prone"),
    # Traps, SRD 5.1
    ("trap save, setback", lambda: SRD.traps["setback"].save_dc, (10, 11)),
    ("trap save, dangerous", lambda: SRD.traps["dangerous"].save_dc, (12, 15)),
    ("trap save, deadly", lambda: SRD.traps["deadly"].save_dc, (16, 20)),
    ("trap attack, setback", lambda: SRD.traps["setback"].attack, (3, 5)),
    ("trap attack, dangerous", lambda: SRD.traps["dangerous"].attack, (6, 8)),
    ("trap attack, deadly", lambda: SRD.traps["deadly"].attack, (9, 12)),
    ("trap damage, level 1", lambda: trap_damage(1), ["1d10", "2d10", "4d10"]),
    ("trap damage, level 4", lambda: trap_damage(4), ["1d10", "2d10", "4d10"]),
    ("trap damage, level 5", lambda: trap_damage(5), ["2d10", "4d10", "10d10"]),
    ("trap damage, level 10", lambda: trap_damage(10), ["2d10", "4d10", "10d10"]),
    ("trap damage, level 11", lambda: trap_damage(11), ["4d10", "10d10", "18d10"]),
    ("trap damage, level 16", lambda: trap_damage(16), ["4d10", "10d10", "18d10"]),
    ("trap damage, level 17", lambda: trap_damage(17), ["10d10", "18d10", "24d10"]),
    ("trap damage, level 20", lambda: trap_damage(20), ["10d10", "18d10", "24d10"]),
    # Encounters, 2014: facts found alike in public files
    ("2014, degrees", lambda: edition("2014").degrees, ("easy", "medium", "hard", "deadly")),
    ("2014, level 5", lambda: edition("2014").budgets[4], (250, 500, 750, 1100)),
    (
        "2014, multipliers",
        lambda: [edition("2014").multiplier(n, 4) for n in (1, 2, 3, 6, 7, 10, 11, 14, 15, 40)],
        [1, 1.5, 2, 2, 2.5, 2.5, 3, 3, 4, 4],
    ),
    (
        "2014, small party",
        lambda: [edition("2014").multiplier(n, 2) for n in (1, 2, 3, 7, 11, 15)],
        [1.5, 2, 2.5, 3, 4, 5],
    ),
    (
        "2014, large party",
        lambda: [edition("2014").multiplier(n, 6) for n in (1, 2, 3, 7, 11, 15)],
        [0.5, 1, 1.5, 2, 2.5, 3],
    ),
    # Encounters, 2024: SRD 5.2
    ("2024, degrees", lambda: edition("2024").degrees, ("low", "moderate", "high")),
    ("2024, level 5", lambda: edition("2024").budgets[4], (500, 750, 1100)),
    ("2024, numbers", lambda: [edition("2024").multiplier(n, 4) for n in (1, 5, 20)], [1, 1, 1]),
    # Creatures, SRD 5.1
    (
        "goblin",
        lambda: (
            SRD.creatures["goblin"].ac,
            SRD.creatures["goblin"].hp,
            SRD.creatures["goblin"].cr,
            SRD.creatures["goblin"].xp,
        ),
        (15, 7, 0.25, 50),
    ),
    (
        "goblin, scimitar",
        lambda: next((a.name, a.attack, a.damage[0][0]) for a in SRD.creatures["goblin"].attacks),
        ("Scimitar", 4, "1d6+2"),
    ),
    # Medians over the creatures, by challenge rating: AC, HP, attack, save DC
    ("typical 1/4", lambda: typical("1/4"), (12, 13, 4, 10)),
    ("typical 1", lambda: typical("1"), (12, 26, 4, 12)),
    ("typical 2", lambda: typical("2"), (13, 45, 5, 12)),
    ("typical 5", lambda: typical("5"), (15, 102, 7, 14.5)),
    ("typical 10", lambda: typical("10"), (17.5, 157, 9.5, 17)),
    ("typical 17", lambda: typical("17"), (19, 256, 13.5, 21)),
    # Duels of the fighter (AC 18, 12 HP, +5, 1d8+3), exact
    (
        "duel, goblin, initiative rolled",
        lambda: round(wins_by_initiative(FIGHTER, block("goblin", "Scimitar", 2)), 4),
        0.8890,
    ),
    (
        "duel, orc, initiative rolled",
        lambda: round(wins_by_initiative(FIGHTER, block("orc", "Greataxe", 1)), 3),
        0.509,
    ),
    ("duel, thug, acting first", lambda: round(wins(FIGHTER, block("thug", "Mace")), 3), 0.218),
    ("duel, smith, acting first", lambda: round(wins(FIGHTER, role("smith")), 3), 0.667),
    ("duel, constable, acting first", lambda: round(wins(FIGHTER, role("constable")), 3), 0.658),
    ("duel, constable at +3", lambda: round(wins(FIGHTER, role("constable", 3)), 3), 0.717),
    # What no SRD has
    ("beholder", lambda: has_block(SRD, "beholder"), False),
    ("mind flayer", lambda: has_block(SRD, "mind flayer"), False),
    # Numbers on the die
    ("20 and 1 on an attack", lambda: SRD.natural["attack"], {20: "critical_hit", 1: "miss"}),
    ("20 and 1 on a check", lambda: SRD.natural["check"], {}),
    ("20 and 1 on a saving throw", lambda: SRD.natural["save"], {}),
    # What is taken when
    (
        "opportunity attack",
        lambda: (SRD.actions["opportunity_attack"].trigger, SRD.actions["opportunity_attack"].spends),
        ("leaves_reach", "reaction"),
    ),
    (
        "no opportunity attack",
        lambda: SRD.actions["opportunity_attack"].not_by,
        ("disengage", "teleport", "moved_without_own_movement"),
    ),
    ("bonus action", lambda: SRD.actions["bonus_action"].when, "own_turn"),
    ("reaction", lambda: SRD.actions["reaction"].when, "any_turn"),
    # Words in Spanish
    (
        "counts of words",
        lambda: [len(SRD.abilities), len(SRD.skills), len(SRD.conditions), len(SRD.damage_types)],
        [6, 18, 15, 13],
    ),
    ("5 feet", lambda: (SRD.units["foot"].metres or 0) * 5, 1.5),
    ("apresado", lambda: SRD.find("condition", "apresado", "es"), "restrained"),
    ("agotamiento", lambda: SRD.lookup("condition", "agotamiento", "es"), ("exhaustion", "synonym")),
    ("acción bonus", lambda: SRD.lookup("action", "acción bonus", "es"), ("bonus_action", "synonym")),
    ("cobertura total", lambda: SRD.lookup("cover", "cobertura total", "es"), ("total", "synonym")),
    ("fuerza, an ability", lambda: SRD.find("ability", "fuerza", "es"), "str"),
    ("fuerza, a damage type", lambda: SRD.find("damage_type", "fuerza", "es"), "force"),
    ("prestidigitación, a cantrip", lambda: SRD.spells["prestidigitation"].level, 0),
    ("prestidigitación, a skill", lambda: SRD.find("skill", "Prestidigitación", "es"), "sleight_of_hand"),
]


@pytest.mark.parametrize(
    ("figure", "expected"), [row[1:] for row in FIGURES], ids=[row[0] for row in FIGURES]
)
def test_a_verified_figure(figure: Callable[[], object], expected: object):
    assert figure() == expected


def test_the_house_rules_publish_the_odds_that_exact_arithmetic_gives_for_the_fighter():
    for name, one in HOUSE.combat.roles.items():
        assert wins(FIGHTER, role(name)) == pytest.approx(one.fighter_wins, abs=0.035), name
