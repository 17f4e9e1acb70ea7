"""Small scenarios for the tests of fights: one line a fighter, one line an intent."""

from typing import Any

from rules.fights.clock import StoryClock
from rules.fights.events import Event, Log
from rules.fights.model import Fighter, Intent, Scenario, Weapon
from rules.fights.resolve import Replay, replayed, resolve
from rules.fights.rolling import WrittenDice

SWORD = Weapon(name="sword", damage="1d8", damage_type="slashing")
CLUB = Weapon(name="club", damage="1d4", damage_type="bludgeoning", light=True)
KNIFE = Weapon(
    name="knife", damage="1d4", damage_type="piercing", kind="thrown", range_m=6, long_m=18, light=True
)
BOW = Weapon(
    name="bow", damage="1d6", damage_type="piercing", kind="ranged", range_m=24, long_m=96, ammunition="arrow"
)


def hero(name: str = "Cat", **more: Any) -> Fighter:
    values: dict[str, Any] = {
        "name": name, "kind": "character", "hp": 12, "ac": 15, "abilities": {"str": 3, "dex": 2},
        "weapons": (SWORD,), "place": "square", "policy": "passive",
    }  # fmt: skip
    return Fighter.model_validate({**values, **more})


def other(name: str = "Hugo", **more: Any) -> Fighter:
    values: dict[str, Any] = {
        "name": name, "hp": 20, "ac": 12, "weapons": (Weapon(name="hammer", damage="1d8+2", attack=4),),
        "place": "square", "xp": 50,
    }  # fmt: skip
    return Fighter.model_validate({**values, **more})


def foe(name: str = "Hugo", **more: Any) -> Fighter:
    return other(name, **{"attitude": "hostile", **more})


def does(who: str, do: str, **more: Any) -> Intent:
    return Intent.model_validate({"who": who, "do": do, **more})


def fight(
    *fighters: Fighter, script: tuple[Intent, ...] = (), dice: tuple[int, ...] = (), **more: Any
) -> Log:
    """Resolve a fight with written dice; when they run out each shows its middle."""
    scenario = Scenario.model_validate(
        {"rounds": 12, "language": "en", **more, "fighters": fighters, "script": script}
    )
    return resolve(scenario, dice=WrittenDice(dice), clock=StoryClock())


def kinds(log: Log) -> list[str]:
    return [event.kind for event in log]


def all_of(log: Log, kind: str, **values: Any) -> list[Event]:
    return [e for e in log if e.kind == kind and all(e.values.get(k) == v for k, v in values.items())]


def one(log: Log, kind: str, **values: Any) -> Event:
    found = all_of(log, kind, **values)
    assert found, f"no {kind} {values} in {kinds(log)}"
    return found[0]


def end(log: Log) -> Replay:
    """Return how the fight ends, by the changes of its events alone."""
    after = replayed(log)
    assert after.is_whole
    return after
