"""Whatever a scenario asks for, a fight ends, its log replays to the same end, and every line can be told."""

import random
import time
from typing import Any, get_args

import pytest

from concilio.catalogue import LANGUAGES, speaking
from concilio.cli.fight_output import lines
from rules.fights.events import dump_log, load_log
from rules.fights.model import Deed, Limb, Policy, Scenario
from rules.fights.resolve import agrees, replayed, resolve
from rules.fights.setup import TO_OTHERS

NAMES = ("Ana", "Bruno", "Cat", "Doro")
PLACES = ("square", "alley")


def weapon(pick: random.Random, name: str) -> dict[str, Any]:
    kind = pick.choice(("melee", "reach", "thrown", "ranged"))
    return {
        "name": name,
        "damage": pick.choice(("1d6", "2d4+1", "3d8")),
        "kind": kind,
        "range_m": 10,
        "long_m": 30,
        "light": pick.random() < 0.5,
        "hands": pick.choice((1, 2)),
        "actions": pick.choice((1, 2)),
        "ammunition": "arrow" if kind == "ranged" else "",
        "family": pick.choice(("", "archery", "blunderbuss")),
        "size": pick.choice(("small", "medium", "large", "polearm")),
    }


SPELLS = (
    "magic missile", "sleep", "cure wounds", "fireball", "hold person", "aid", "grease", "mass healing word",
    "power word kill", "lesser restoration", "invisibility", "thunderwave", "fly",
)  # fmt: skip


def fighter(pick: random.Random, name: str, ruleset: str) -> dict[str, Any]:
    return {
        "name": name,
        "kind": pick.choice(("character", "npc")),
        "hp": pick.randint(1, 30),
        "ac": pick.randint(8, 18),
        "abilities": {"str": pick.randint(-1, 4), "dex": 2, "agi": 2, "con": 1, "fortitude": 1},
        "weapons": [weapon(pick, f"w{n}") for n in range(pick.randint(0, 2))],
        "place": pick.choice(PLACES),
        "ammunition": [{"name": "arrow", "count": 3}],
        "x": pick.randint(-9, 9),
        "height": pick.randint(0, 5),
        "attitude": pick.choice(("hostile", "neutral", "ally")),
        "authority": pick.random() < 0.3,
        "steps_in": pick.random() < 0.3,
        "policy": pick.choice(get_args(Policy)),
        "hidden": pick.random() < 0.1,
        "behind": pick.choice(("", "", "total", "partial" if ruleset == "ia" else "half")),
        "schedule": "works",
        "joins_round": pick.choice((None, None, 2)),
        "surprised": pick.random() < 0.2,
        "loot": ["coin"],
        "spells": list(SPELLS) if ruleset == "combate" else [],
        "slots": dict.fromkeys(range(1, 10), 2),
        "plan_b": {"heir": "x"},
        "potions": {"flask": "burn" if ruleset == "ia" else "fire"},
        "underwater": pick.random() < 0.1,
        "scores": {
            "max_actions": pick.randint(1, 3),
            "m_def": 1,
            "grips": [],
            "wings": pick.choice((0, 2)),
            "space_m": pick.choice((1, 3)),
        },
    }


def intent(pick: random.Random, ruleset: str) -> dict[str, Any]:
    who, do, target = pick.choice((*NAMES, "master")), pick.choice(get_args(Deed)), pick.choice(NAMES)
    if do in TO_OTHERS:
        target = pick.choice([name for name in NAMES if name != who])
    return {
        "who": who,
        "do": do,
        "target": target,
        "enemy": pick.choice(("", *(name for name in NAMES if name != target))),
        "turn": pick.choice((None, None, 1, 2, 4)),
        "after_s": pick.choice((0, 20, 50, 90)),
        "words": pick.choice(("", "kill", "no lo mato", "le pego")),
        "off_hand": pick.random() < 0.2,
        "to": pick.choice(PLACES),
        "spell": pick.choice(("", *SPELLS)) if ruleset == "combate" else "",
        "metres": pick.choice((0, 5, -5, 100)),
        "height": pick.choice((None, 0, 6)),
        "reaction": pick.random() < 0.1,
        "hours": pick.choice((0, 0.02, 3, 30)),
        "dc": pick.randint(0, 30),
        "item": pick.choice(("", "flask")),
        "amount": 5,
        "risk": ["real", "immediate"],
        "damage": pick.choice(("", "2d6")),
        "save": pick.choice(("", "dex")),
        "limb": pick.choice((None, *get_args(Limb))),
        "sever": pick.random() < 0.5,
        "quick": pick.choice((None, None, 1, 5)),
        "by_surprise": pick.random() < 0.5,
    }


def scenario(seed: int, ruleset: str) -> Scenario:
    pick = random.Random(seed)
    goals = ("chase", "control", "last_team_standing", "survival", "very_important_target")
    goal = {
        "kind": pick.choice(goals),
        "target": "Ana",
        "then": pick.choice(("", "Doro")),
        "place": "square",
        "rounds": 3,
    }
    return Scenario.model_validate(
        {
            "ruleset": ruleset,
            "language": pick.choice(LANGUAGES),
            "rounds": 15,
            "bleeding": pick.choice(("", "1d4")),
            "written_for": pick.choice((None, 1, 5)),
            "fighters": [fighter(pick, name, ruleset) for name in NAMES],
            "script": [intent(pick, ruleset) for _ in range(pick.randint(0, 30))],
            "goal": goal if ruleset == "ia" else None,
        }
    )


@pytest.mark.parametrize("ruleset", ["combate", "ia"])
@pytest.mark.parametrize("first", range(0, 150, 50))
def test_any_scenario_ends_replays_and_can_be_told(ruleset: str, first: int) -> None:
    for seed in range(first, first + 50):
        log = resolve(scenario(seed, ruleset), seed)
        assert log[-1].kind == "end"
        read = load_log(dump_log(log))
        assert replayed(read).is_whole, seed
        assert agrees(read), seed
        for language in LANGUAGES:
            with speaking(language):
                assert "…" not in "\n".join(lines(read)), seed


def test_no_state_leaves_its_bounds() -> None:
    for seed in range(80):
        log = resolve(scenario(seed, ("combate", "ia")[seed % 2]), seed)
        for status in replayed(log).states.values():
            assert 0 <= status.hp <= status.max_hp
            assert all(count >= 0 for count in (*status.ammunition.values(), *status.slots.values()))
            assert not (status.dead and status.is_up)


@pytest.mark.parametrize("ruleset", ["combate", "ia"])
def test_the_largest_fight_is_broken_off_in_seconds(ruleset: str) -> None:
    """40 fighters, ten attacks each, 200 rounds."""
    many = [
        {
            "name": f"F{n}",
            "kind": "character" if n % 2 else "npc",
            "attitude": "hostile",
            "hp": 100_000,
            "ac": 1,
            "attacks": 10,
            "scores": {"max_actions": 10},
            "weapons": [{"name": "w", "damage": "1d2", "attack": 1}],
        }
        for n in range(40)
    ]
    large = Scenario.model_validate({"ruleset": ruleset, "rounds": 200, "fighters": many})
    began = time.process_time()
    log = resolve(large, 1)
    assert time.process_time() - began < 15
    assert log[-1].values["outcome"] == "broken_off"
