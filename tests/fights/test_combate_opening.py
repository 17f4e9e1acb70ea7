"""Combate · Cómo empieza. Each test names the bullet and the sentence of the heading."""

import pytest

from tests.fights.staging import all_of, does, end, fight, foe, hero, kinds, one, other


def test_como_empieza_1_1_no_fight_until_the_fiction_asks_for_one() -> None:
    log = fight(hero(), other(), script=(does("Cat", "wait"), does("Cat", "wait")))
    assert "fight_begins" not in kinds(log)
    assert end(log).outcome == "no_fight"


@pytest.mark.parametrize("face", [1, 20], ids=["missed", "hit"])
def test_como_empieza_2_1_a_resolved_attack_opens_it(face: int) -> None:
    log = fight(hero(), other(), script=(does("Cat", "attack", target="Hugo"),), dice=(face,), rounds=1)
    assert kinds(log).index("attack") < kinds(log).index("fight_begins")


def test_como_empieza_2_1_harm_without_an_attack_roll_opens_it() -> None:
    mage = hero(spells=("magic missile",), slots={1: 1})
    log = fight(mage, other(), script=(does("Cat", "cast", spell="magic missile", target="Hugo"),), rounds=1)
    assert one(log, "fight_begins").values["cause"] == "damage_dealt"


def test_como_empieza_2_1_a_witness_who_joins_over_a_crime_is_in_it() -> None:
    log = fight(
        hero(), other(), other("Ana", steps_in=True), script=(does("Cat", "attack", target="Hugo"),), rounds=1
    )
    assert one(log, "turns_hostile", who="Ana").values["cause"] == "witness_joins_over_crime"
    assert "Ana" in one(log, "fight_begins").values["involved"]


@pytest.mark.parametrize(
    ("deed", "reaction"), [("steal", "warns_the_watch"), ("struggle", "grabs"), ("threaten", "shouts")]
)
def test_como_empieza_2_2_and_2_3_theft_struggle_and_threat_are_rolled_and_open_nothing(
    deed: str, reaction: str
) -> None:
    log = fight(hero(), other(), script=(does("Cat", deed, target="Hugo", skill="str", dc=30),))
    assert one(log, "check").values["success"] is False
    assert one(log, "reacts").values == {"who": "Hugo", "to": "Cat", "reaction": reaction}
    assert "fight_begins" not in kinds(log)


@pytest.mark.parametrize("deed", ["apologise", "convince", "cow"])
def test_como_empieza_3_1_who_is_calmed_ends_it(deed: str) -> None:
    script = (does("Cat", "wait"), does("Cat", deed, target="Hugo", skill="str", dc=5))
    log = fight(hero(hp=90), foe(), script=script, dice=(1, 15))
    assert one(log, "calmed").values["how"] == deed
    assert kinds(log).index("calmed") < kinds(log).index("fight_ends")
    assert end(log).outcome == "won"


def test_como_empieza_3_1_who_fell_died_or_went_ends_it() -> None:
    killed = fight(
        hero(), foe(hp=1), script=(does("Cat", "attack", target="Hugo", words="kill him"),), dice=(20,)
    )
    fled = fight(hero(), foe(hp=40, policy="flee_when_hurt"), script=tuple(
        does("Cat", "attack", target="Hugo") for _ in range(12)), dice=(20, 8, 8, 1) * 12)  # fmt: skip
    assert "killed" in kinds(killed)
    assert "fight_ends" in kinds(killed)
    assert kinds(fled).index("flees") < kinds(fled).index("fight_ends")


def test_como_empieza_3_2_the_end_comes_some_seconds_after_the_last_blow() -> None:
    log = fight(hero(), foe(hp=1), script=(does("Cat", "attack", target="Hugo"),), dice=(20,))
    assert 0 < one(log, "fight_ends").at_s - one(log, "attack").at_s < 10


def test_como_empieza_3_3_another_attack_is_another_fight() -> None:
    script = (does("Cat", "attack", target="Hugo"), does("Cat", "attack", target="Ana"))
    log = fight(hero(), foe(hp=1), other("Ana"), script=script, dice=(20, 5, 5, 20), rounds=3)
    assert [e.values["fight"] for e in all_of(log, "fight_begins")] == [1, 2]
    assert all_of(log, "fight_begins")[1].round == 1


def test_como_empieza_4_1_hit_points_conditions_and_who_is_in_it_are_kept() -> None:
    log = fight(
        hero(), foe(), other("Ana"), script=(does("Cat", "attack", target="Hugo"),), dice=(20,), rounds=1
    )
    assert one(log, "fight_begins").values["involved"] == {
        "Cat": {"hp": 12, "max_hp": 12},
        "Hugo": {"hp": 20, "max_hp": 20},
    }


def test_como_empieza_5_2_the_order_is_that_of_the_answers() -> None:
    script = (
        does("Cat", "attack", target="Hugo", after_s=9),
        does("Lys", "attack", target="Hugo", after_s=4),
    )
    log = fight(hero(), hero("Lys"), foe(), script=script, rounds=1)
    assert [e.values["who"] for e in all_of(log, "attack")][:2] == ["Lys", "Cat"]
    assert "tie_broken" not in kinds(log)


def test_como_empieza_5_3_initiative_only_breaks_ties() -> None:
    script = tuple(
        does(name, "attack", target="Hugo", after_s=4) for _ in range(2) for name in ("Cat", "Lys")
    )
    # The first turn opens the fight: Cat, Lys, Hugo roll; then initiative of Cat and Lys.
    log = fight(hero(), hero("Lys"), foe(), script=script, dice=(1, 1, 1, 3, 18, 1, 1), rounds=2)
    assert one(log, "tie_broken").values["rolls"] == {"Cat": 5, "Lys": 20}
    assert [e.values["who"] for e in all_of(log, "attack", hidden=False)][2:] == ["Lys", "Cat"]


def test_como_empieza_6_1_fleeing_is_moving() -> None:
    log = fight(
        hero(speed_m=9), foe(weapons=(), attacks=0), script=(does("Cat", "flee", metres=30),), rounds=1
    )
    assert one(log, "moves").values["metres"] == 9
    assert one(log, "moves").changes["Cat"]["x"] == 9


@pytest.mark.parametrize(("speed", "reaches"), [(9, True), (3, False)])
def test_como_empieza_6_2_enemies_pursue_as_fast_as_they_are(speed: int, reaches: bool) -> None:
    log = fight(hero(speed_m=9), foe(speed_m=speed), script=(does("Cat", "flee", metres=9),), rounds=1)
    assert one(log, "rushes").values["metres"] == min(9, speed)
    assert bool(all_of(log, "attack")) is reaches
