"""Combate · Los enemigos actúan siempre; Golpe no letal; Nadie es inmortal; Bloques por rol."""

from math import sqrt
from typing import Any

import pytest

from rules.fights.house.meaning import meaning_of
from rules.fights.model import Fighter, PlanB, Scenario, Weapon
from rules.fights.resolve import resolve
from tests.fights.staging import BOW, CLUB, SWORD, all_of, does, end, fight, foe, hero, kinds, one, other

HIT = does("Cat", "attack", target="Hugo")
WAIT = does("Cat", "wait")


def blows(log: Any, who: str) -> list[int]:
    return [e.round for e in all_of(log, "attack", who=who)]


# Los enemigos actúan siempre


def test_los_enemigos_a_1_each_hostile_acts_every_turn() -> None:
    log = fight(hero(hp=900), foe(), foe("Ana"), rounds=4)
    assert len(all_of(log, "attack", who="Hugo")) == len(all_of(log, "attack", who="Ana")) == 4


def test_los_enemigos_a_2_a_turn_is_the_whole_round_of_several() -> None:
    script = tuple(does(n, "wait") for n in ("Cat", "Lys"))
    log = fight(hero(hp=90), hero("Lys", hp=90), foe(), script=script, rounds=1)
    assert len(all_of(log, "attack", who="Hugo")) == 1


@pytest.mark.parametrize(
    ("creature", "blows_a_turn"), [("thug", 2), ("scout", 2), ("veteran", 2), ("commoner", 1)]
)
def test_los_enemigos_a_3_with_its_multiattack(creature: str, blows_a_turn: int) -> None:
    enemy = Fighter(name="Bad", creature=creature, attitude="hostile", place="square")
    log = fight(hero(hp=900), enemy, rounds=1)
    assert len(all_of(log, "attack", who="Bad")) == blows_a_turn


@pytest.mark.parametrize(("creature", "shots"), [("thug", 1), ("scout", 2)])
def test_los_enemigos_a_3_with_what_its_multiattack_names(creature: str, shots: int) -> None:
    """A thug's two blows are with the mace; a scout's are with either weapon."""
    enemy = Fighter(name="Bad", creature=creature, attitude="hostile", place="square", x=20, speed_m=0)
    log = fight(hero(hp=900), enemy, rounds=1)
    assert len(all_of(log, "attack", who="Bad")) == shots


def test_los_enemigos_b_1_and_b_2_the_engine_does_it_at_the_turns_end_and_runs_up() -> None:
    log = fight(hero(hp=90), foe(x=7), script=(WAIT,), rounds=1)
    assert one(log, "acts", who="Hugo").values["by"] == "engine"
    assert one(log, "rushes", who="Hugo").values["metres"] == 7
    assert one(log, "attack", who="Hugo").values["by"] == "engine"


def test_los_enemigos_b_1_where_the_master_does_it_the_engine_does_not() -> None:
    log = fight(hero(hp=90), foe(), script=(WAIT, does("Hugo", "attack", target="Cat")), rounds=1)
    assert [e.values["by"] for e in all_of(log, "acts", who="Hugo")] == ["master"]
    assert len(all_of(log, "attack", who="Hugo")) == 1


def test_los_enemigos_b_4_the_master_cannot_skip_it() -> None:
    """Whatever the script leaves out, each hostile has a turn in each turn."""
    log = fight(hero(hp=90), foe(), script=(WAIT, WAIT), rounds=2)
    assert len(all_of(log, "acts", who="Hugo")) == 2


def test_los_enemigos_c_1_no_second_attack_in_one_turn() -> None:
    script = (WAIT, does("Hugo", "attack", target="Cat"), does("Hugo", "attack", target="Cat"))
    log = fight(hero(hp=90), foe(), script=script, rounds=2)
    turns = [e.number for e in all_of(log, "turn")]
    for first, last in zip(turns, [*turns[1:], len(log)], strict=True):
        assert len([e for e in all_of(log, "attack", who="Hugo") if first < e.number <= last]) == 1


IDLE: list[tuple[str, dict[str, Any], tuple[Any, ...]]] = [
    ("master_asks_for_a_roll", {}, (does("master", "ask_roll", target="Cat", skill="dex", dc=10),)),
    (
        "opens_its_first_window",
        {},
        (does("master", "window", target="Cat", enemy="Hugo", risk=["real", "immediate"]),),
    ),
    ("cannot_see_the_target", {"hidden": True}, ()),
    ("cannot_see_the_target", {"behind": "total"}, ()),
]


@pytest.mark.parametrize(("reason", "cat", "script"), IDLE)
def test_los_enemigos_d_1_when_they_do_not(reason: str, cat: dict[str, Any], script: tuple[Any, ...]) -> None:
    log = fight(
        hero(**cat),
        foe(),
        script=(HIT, *script) if "opens" in reason else (WAIT, *script),
        dice=(20, 4, 4),
        rounds=1,
    )
    assert one(log, "idle", who="Hugo").values["reason"] == reason
    assert not all_of(log, "attack", who="Hugo")


def test_los_enemigos_d_1_the_fallen_do_not() -> None:
    log = fight(hero(), foe(hp=1), foe("Ana"), script=(HIT,), dice=(20,), rounds=1)
    assert not all_of(log, "attack", who="Hugo")
    assert all_of(log, "attack", who="Ana")


def test_los_enemigos_e_1_who_comes_in_over_a_crime() -> None:
    town = [
        other(friends=("Ana",)),
        other("Ana", friends=("Hugo",)),
        other("Bystander"),
        other("Guard", authority=True),
        other("Sergeant", authority=True, place="barracks"),
    ]
    script = (HIT, does("Cat", "resist"))
    log = fight(hero(hp=90), *town, script=script, rounds=2)
    causes = {e.values["who"]: e.values["cause"] for e in all_of(log, "turns_hostile")}
    assert causes == {
        "Hugo": "victim_in_defence",
        "Ana": "friend_who_steps_in",
        "Guard": "authority_when_resisted",
        "Sergeant": "authority_as_support",
    }
    assert one(log, "support_comes", who="Sergeant").changes["Sergeant"]["place"] == "square"


def test_los_enemigos_e_1_authority_comes_in_only_where_it_is_resisted() -> None:
    log = fight(hero(hp=90), other(), other("Guard", authority=True), script=(HIT, WAIT), rounds=2)
    assert one(log, "halt", who="Guard").values["to"] == "Cat"
    assert not all_of(log, "attack", who="Guard")


def test_los_enemigos_f_1_who_fights_keeps_no_schedule() -> None:
    people = (other(hp=10, schedule="at the anvil"), other("Ana", friends=("Hugo",), hp=1, schedule="sweeps"))
    script = (
        HIT,
        does("Cat", "attack", target="Hugo", words="kill"),
        does("Cat", "cow", target="Ana", skill="str", dc=1),
    )
    log = fight(hero(), *people, script=script, dice=(1, 1, 1, 20, 8, 8, 1), rounds=3)
    assert {e.values["who"] for e in all_of(log, "leaves_schedule")} == {"Hugo", "Ana"}
    back, ended = one(log, "back_to_schedule", who="Ana"), one(log, "fight_ends")
    assert back.number > ended.number
    assert not all_of(log, "back_to_schedule", who="Hugo")


def test_los_enemigos_g_1_a_character_at_0_is_no_target_and_rolls_its_saves() -> None:
    log = fight(hero(hp=1), hero("Lys", hp=90), foe(), dice=(20, 8, 8) + (1, 12) * 9, rounds=5)
    down = one(log, "downed", who="Cat").number
    assert not [e for e in all_of(log, "attack", who="Hugo", target="Cat") if e.number > down]
    assert all_of(log, "death_save", who="Cat")


SAVES: list[tuple[tuple[int, ...], str]] = [
    ((10, 15, 19), "stable"),
    ((9, 2, 5), "dies"),
    ((1, 9), "dies"),
    ((20,), "up"),
    ((10, 9, 9, 10, 10), "stable"),
]


@pytest.mark.parametrize(("faces", "ending"), SAVES)
def test_los_enemigos_g_1_death_saving_throws(faces: tuple[int, ...], ending: str) -> None:
    log = fight(hero(hp=1), foe(), dice=(20, 8, 8, *faces), rounds=len(faces) + 1)
    results = [e.values["result"] for e in all_of(log, "death_save")]
    assert len(results) == len(faces)
    assert results[-1] == "up" if ending == "up" else ending in kinds(log)


# Golpe no letal

FELLED: list[tuple[Weapon | None, str, str]] = [
    (SWORD, "", "killed"),
    (SWORD, "I hit him with the flat", "knocked_out"),
    (SWORD, "I subdue him", "knocked_out"),
    (SWORD, "I kill him", "killed"),
    (CLUB, "", "knocked_out"),
    (CLUB, "I kill him", "killed"),
    (SWORD, "without killing him", "knocked_out"),
    (CLUB, "die!", "killed"),
    (None, "", "knocked_out"),
    (SWORD, "I hit him until he is dead", "killed"),
]


@pytest.mark.parametrize(("weapon", "words", "what"), FELLED)
def test_golpe_no_letal_1_and_2_words_and_weapon_decide(weapon: Weapon | None, words: str, what: str) -> None:
    script = (does("Cat", "attack", target="Hugo", words=words),)
    log = fight(hero(weapons=(weapon,) if weapon else ()), foe(hp=1), script=script, dice=(20,))
    assert what in kinds(log)
    assert ({"killed", "knocked_out"} - {what}).isdisjoint(kinds(log))


MEANINGS: list[tuple[str, str, str]] = [
    ("lo mato", "es", "kill"),
    ("quiero matarle de una vez", "es", "kill"),
    ("¡Muere!", "es", "kill"),
    ("le pego fuerte", "es", "spare"),
    ("le reduzco", "es", "spare"),
    ("sin matarlo, le doy con el pomo", "es", "spare"),
    ("no quiero matarla", "es", "spare"),
    ("le golpeo hasta la muerte", "es", "kill"),
    ("le ataco", "es", ""),
    ("ataco al matón", "es", ""),
    ("corro hacia la mata de romero", "es", ""),
    ("don't kill her", "en", "spare"),
    ("I attack the killer whale", "en", ""),
    ("beat him", "en", "spare"),
    ("", "en", ""),
]


@pytest.mark.parametrize(("words", "language", "meaning"), MEANINGS)
def test_golpe_no_letal_3_what_is_written_decides(words: str, language: str, meaning: str) -> None:
    assert meaning_of(words, language) == meaning


def downed(*script: Any, witness: bool = False) -> Any:
    """A fight in which Hugo lies unconscious after the first blow."""
    people = [
        hero(weapons=(CLUB, SWORD)),
        foe(hp=1, loot=("key",)),
        *([other("Ana")] if witness else []),
    ]
    return fight(*people, script=(HIT, *script), dice=(20,), rounds=8)


def test_golpe_no_letal_a_1_is_seen_on_the_ground() -> None:
    assert one(downed(), "knocked_out").values == {"who": "Hugo", "by": "Cat", "place": "square"}


@pytest.mark.parametrize(("hours", "wakes"), [(1.9, False), (2, True)])
def test_golpe_no_letal_b_1_comes_to_with_1_after_two_hours(hours: float, wakes: bool) -> None:
    log = downed(does("master", "hours", turn=2, hours=hours))
    assert bool(all_of(log, "comes_to", who="Hugo")) is wakes
    assert end(log).states["Hugo"].hp == int(wakes)


def test_golpe_no_letal_b_1_or_earlier_where_healed() -> None:
    log = downed(does("Cat", "heal", target="Hugo", amount=4))
    assert one(log, "comes_to", who="Hugo")
    assert one(log, "healed", who="Hugo").values["left"] == 1


def test_golpe_no_letal_c_1_who_is_tied_neither_moves_nor_fights_until_untied() -> None:
    script = (
        does("Cat", "tie", target="Hugo"),
        does("master", "hours", turn=3, hours=2),
        WAIT,
        does("Cat", "untie", target="Hugo"),
        WAIT,
    )
    log = downed(*script)
    assert one(log, "comes_to").values["tied"] is True
    assert one(log, "idle", who="Hugo").values["reason"] == "tied"
    untied = one(log, "untied").number
    assert all(e.number > untied for e in all_of(log, "attack", who="Hugo"))
    assert all_of(log, "attack", who="Hugo")


def test_golpe_no_letal_d_1_searching_takes_no_roll_and_is_theft_where_seen() -> None:
    alone, seen = (
        downed(does("Cat", "search", target="Hugo")),
        downed(does("Cat", "search", target="Hugo"), witness=True),
    )
    assert one(alone, "searches").values["loot"] == ["key"]
    assert "check" not in kinds(alone)
    assert "crime" not in kinds(alone)
    assert one(seen, "crime").values["deed"] == "theft"


@pytest.mark.parametrize("deed", ["finish", "attack"])
def test_golpe_no_letal_e_1_and_e_2_finishing_lands_by_itself_is_grave_and_gives_nothing(deed: str) -> None:
    log = downed(does("Cat", deed, target="Hugo", weapon="sword"))
    assert one(log, "killed").values["grave"] is True
    assert len(all_of(log, "attack")) == 1
    after = [e for e in all_of(log, "experience") if e.number > one(log, "finishes").number]
    assert after == []
    assert end(log).states["Cat"].infamy == 1


def test_golpe_no_letal_f_1_to_beat_whom_one_attacked_without_cause_gives_no_experience() -> None:
    log = fight(hero(weapons=(CLUB,)), other(hp=1), script=(HIT,), dice=(20,))
    assert one(log, "experience").values["xp"] == 0
    assert one(downed(), "experience").values["xp"] == 50


# Nadie es inmortal


def test_nadie_es_inmortal_a_1_and_a_2_who_carries_the_plot_dies_and_has_a_plan_b() -> None:
    giver = foe(hp=1, plan_b=PlanB(heir="Ana", leaves="a letter"), quests=("the lost key",))
    log = fight(hero(), giver, script=(HIT,), dice=(20,))
    assert end(log).states["Hugo"].dead
    assert one(log, "plan_b").values == {"who": "Hugo", "heir": "Ana", "leaves": "a letter"}


@pytest.mark.parametrize(("weapon", "what"), [(SWORD, "dead"), (CLUB, "unconscious")])
def test_nadie_es_inmortal_b_1_quests_are_told_with_cause_and_who(weapon: Weapon, what: str) -> None:
    log = fight(hero(weapons=(weapon,)), foe(hp=1, quests=("the lost key",)), script=(HIT,), dice=(20,))
    assert one(log, "told").values == {
        "what": what,
        "who": "Hugo",
        "by": "Cat",
        "cause": weapon.name,
        "quests": ["the lost key"],
    }


# Bloques por rol


@pytest.mark.parametrize(
    ("role", "ac", "hp", "damage"),
    [("herrero", 12, 22, "1d8+2"), ("constable", 13, 24, "1d6+2"), ("alguacila", 13, 24, "1d6+2")],
)
def test_bloques_por_rol_2_people_have_the_block_of_their_trade(
    role: str, ac: int, hp: int, damage: str
) -> None:
    log = fight(hero(), Fighter(name="Hugo", role=role, attitude="hostile", place="square"), rounds=1)
    hugo = end(log).states["Hugo"]
    assert (hugo.ac, hugo.max_hp) == (ac, hp)
    assert len(all_of(log, "attack", who="Hugo")) == 1


ODDS = [("smith", 0.667), ("constable", 0.658), ("thug", 0.218)]
FIGHTS = 400


@pytest.mark.parametrize(("role", "exact"), ODDS)
def test_bloques_por_rol_3_the_fighters_column_of_the_table(role: str, exact: float) -> None:
    """Fights that are fought agree with the exact odds (docs/odds.md) within four standard errors."""
    sword = Weapon(name="sword", damage="1d8+3", attack=5, damage_type="slashing")
    fighter = hero(hp=12, ac=18, weapons=(sword,), policy="nearest")
    enemy = Fighter(name="Hugo", role=role, attitude="hostile", place="square")
    scenario = Scenario(fighters=(fighter, enemy), rounds=60)
    won = sum(not any(e.kind == "downed" for e in resolve(scenario, seed)) for seed in range(FIGHTS))
    assert abs(won / FIGHTS - exact) < 4 * sqrt(exact * (1 - exact) / FIGHTS)


def test_bloques_por_rol_6_to_lose_is_not_to_die_and_the_authority_jails() -> None:
    guard = foe("Guard", authority=True)
    log = fight(hero(hp=1), guard, dice=(20, 8, 8, 10, 10, 10), rounds=9)
    assert "dies" not in kinds(log)
    cat = end(log).states["Cat"]
    assert (cat.place, cat.hp, end(log).outcome) == ("cell", 1, "lost")


def test_archers_shoot_from_where_they_stand() -> None:
    """Los enemigos actúan siempre, b 2: only who fights hand to hand runs up."""
    archer = foe(x=20, weapons=(BOW.model_copy(update={"ammunition": ""}),))
    log = fight(hero(), archer, rounds=1)
    assert "rushes" not in kinds(log)
    assert all_of(log, "attack", who="Hugo")
