"""Encounters of a chapter: their budgets, and the fight that the party would have, sampled."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import accumulate
from typing import TYPE_CHECKING, Any

from rules.checks.context import Context
from rules.checks.encounters import Foe
from rules.checks.text import words_of
from rules.document import Passage, PlanScene
from rules.facts import ActionFacts, PartySheet, StatFacts
from rules.odds.attacks import Attack, Target, attack_odds
from rules.odds.combatants import MOST_ATTACKS
from rules.odds.creatures import creature_side, does_more
from rules.odds.dice import spread
from rules.odds.errors import OddsError
from rules.odds.parser import parse
from rules.playtest.foes import foes_of
from rules.playtest.grades import attack_bonus
from rules.playtest.model import Encounter
from rules.playtest.phrasing import phrases

if TYPE_CHECKING:
    from numpy.typing import NDArray

SAMPLES = 2_000
SEED = 0
MOST_FIGHTERS = 40
MOST_ROUNDS = 40
TIERS = (5, 11, 17)
"""Levels at which a character strikes once more a turn (or its cantrip grows a die)."""
WEAPON = "1d8"
_LONGEST_DAMAGE = 80
"""Characters of an action's damage that are read."""
_DICE = re.compile(r"\d{0,3}d\d{1,3}(?:\s*[+-]\s*\d{1,3})?|\d{1,3}")


@dataclass(frozen=True, slots=True)
class Fighter:
    """Somebody in a fight."""

    hp: int
    ac: int
    initiative: int
    attacks: tuple[Attack, ...]
    """Of one turn."""


def encounters(ctx: Context, scenes: Sequence[PlanScene], sampled: bool = True) -> Iterator[Encounter]:
    """Give the fights of scenes: those that set creatures of known strength against the party.

    They are weighed by the ruleset's budgets and, where they are to be sampled, fought.
    """
    levels = [sheet.level for sheet in ctx.facts.party]
    if not levels or not ctx.ruleset.encounters or not all(1 <= level <= 20 for level in levels):
        return
    played: dict[tuple[tuple[str, int], ...], Encounter] = {}
    for scene in scenes:
        foes = foes_of(ctx, scene)
        key = tuple((foe.name, foe.number) for foe in foes)
        if key and key not in played:
            played[key] = _weighed(ctx, scene.id, foes, levels)
            if sampled:
                played[key] = _fought(ctx, played[key], foes)
        if key:
            yield replace(played[key], scene=scene.id)


def _weighed(ctx: Context, scene: str, foes: Sequence[Foe], levels: Sequence[int]) -> Encounter:
    xp = [foe.xp for foe in foes for _ in range(foe.number)]
    tables = ctx.ruleset.encounters
    return Encounter(
        scene,
        tuple((foe.name, foe.number) for foe in foes),
        sum(xp),
        {name: table.degree(xp, levels) for name, table in tables.items()},
        {name: {d: table.party_budget(levels, d) for d in table.degrees} for name, table in tables.items()},
        {name: table.weight(xp, len(levels)) for name, table in tables.items()},
    )


def _fought(ctx: Context, found: Encounter, foes: Sequence[Foe]) -> Encounter:
    """Return an encounter with what comes of its fight, where the attacks of all are known."""
    sides = {foe.name: fighter(ctx, foe.name) for foe in foes}
    unknown = tuple(name for name, side in sides.items() if side is None)
    enemies = tuple(side for foe in foes if (side := sides[foe.name]) for _ in range(foe.number))
    more = tuple(foe.name for foe in foes if _does_more(ctx, foe.name))
    heroes = tuple(_hero(sheet) for sheet in ctx.facts.party)
    if unknown or len(enemies) + len(heroes) > MOST_FIGHTERS:
        return replace(found, unknown=unknown)
    win, rounds, losses, error = _fought_once(heroes, enemies)
    return replace(found, win=win, rounds=rounds, losses=losses, error=error, samples=SAMPLES, left_out=more)


def _hero(sheet: PartySheet) -> Fighter:
    """A character attacks with what it is best at: 1d8 and the modifier, more often at higher levels."""
    modifier = max(sheet.abilities.values(), default=0)
    strikes = 1 + sum(sheet.level >= level for level in TIERS)
    attack = Attack(attack_bonus(sheet), parse(f"{WEAPON}{modifier:+d}"))
    return Fighter(sheet.hp, sheet.ac, sheet.abilities.get("dex", 0), (attack,) * strikes)


def fighter(ctx: Context, name: str) -> Fighter | None:
    """Return a creature ready to fight; None where hit points, AC or attacks are not known."""
    block = ctx.facts.stat_blocks.get(name)
    try:
        return _from_block(ctx, block) if block is not None else _from_ruleset(ctx, name)
    except OddsError:
        return None


def _from_ruleset(ctx: Context, name: str) -> Fighter | None:
    side = creature_side(name, ctx.ruleset)
    turn = (side.attack,) * side.attacks + side.also
    return Fighter(side.hp, side.ac, side.initiative, turn) if turn else None


def _from_block(ctx: Context, block: StatFacts) -> Fighter | None:
    ways = [turn for turn in _turns(ctx, block) if turn]
    if block.hp is None or block.ac is None or not ways:
        return None
    return Fighter(block.hp, block.ac, block.abilities.get("dex", 0), max(ways, key=_strength))


def _turns(ctx: Context, block: StatFacts) -> Iterator[tuple[Attack, ...]]:
    """Give what a block's creature may do in a turn: several actions, or one as often as that says."""
    single = {action.name: _attack(ctx, action) for action in block.actions}
    for way in block.turns:
        made = [(attack, times) for name, times in way.items() if (attack := single.get(name))]
        yield tuple(attack for attack, times in made for _ in range(min(times, MOST_ATTACKS)))
    for action in block.actions:
        attack = single[action.name]
        yield (attack,) * min(action.count, MOST_ATTACKS) if attack else ()


def _does_more(ctx: Context, name: str) -> bool:
    """Tell whether a creature has ways to harm that are no plain attacks."""
    block = ctx.facts.stat_blocks.get(name)
    if block is not None:
        return any(action.save_dc is not None or action.attack is None for action in block.actions)
    creature = ctx.ruleset.find_creature(name, ctx.language)
    if creature is None:
        return False
    return does_more(creature)


def _attack(ctx: Context, action: ActionFacts) -> Attack | None:
    damage = _damage_of(ctx, action.damage[:_LONGEST_DAMAGE]) if action.damage else None
    return None if action.attack is None or damage is None else Attack(action.attack, parse(damage))


def _damage_of(ctx: Context, text: str) -> str | None:
    """Return the dice of a hit as they are written: `1d8+3 slashing plus 2d6 fire`, not `or 1d10+3`."""
    found: list[str] = []
    last = 0
    for dice in _DICE.finditer(text):
        between = text[last : dice.start()]
        if found and not ("+" in between or phrases(ctx, "plus").any(words_of(Passage(between, 0)))):
            break
        found.append(dice[0])
        last = dice.end()
    return " + ".join(found) or None


def _strength(attacks: Sequence[Attack]) -> float:
    """Return what a turn does if all hits, as a duel's creature chooses (`rules.odds.creatures`)."""
    return sum(spread(attack.damage).mean for attack in attacks)


@lru_cache(maxsize=256)
def _fought_once(
    heroes: tuple[Fighter, ...], enemies: tuple[Fighter, ...]
) -> tuple[float, float, float, float]:
    """Fight once a process: a plan is played in each round of a debate, mostly with the same fights."""
    return fought(heroes, enemies)


def fought(
    heroes: Sequence[Fighter], enemies: Sequence[Fighter], samples: int = SAMPLES, seed: int = SEED
) -> tuple[float, float, float, float]:
    """Return the chance that the first side wins, the rounds, its losses, and the standard error.

    Sides act in turn, by an initiative of the whole side. The first side strikes whoever of the others it has
    struck before; the others strike anybody who stands. Who is at 0 hit points is out of the fight.
    """
    import numpy as np  # here: most chapters are played without

    random = np.random.default_rng(seed)
    mine = np.tile(np.array([f.hp for f in heroes], dtype=np.int64), (samples, 1))
    theirs = np.tile(np.array([f.hp for f in enemies], dtype=np.int64), (samples, 1))
    edges = [sum(f.initiative for f in side) / len(side) for side in (heroes, enemies)]
    rolls = random.integers(1, 21, (2, samples))
    first = rolls[0] + edges[0] >= rolls[1] + edges[1]
    rounds = np.zeros(samples)
    for _ in range(MOST_ROUNDS):
        going = (mine > 0).any(axis=1) & (theirs > 0).any(axis=1)
        if not going.any():
            break
        rounds += going
        for mover in (True, False):
            _strike(random, heroes, mine, enemies, theirs, first == mover, focus=True)
            _strike(random, enemies, theirs, heroes, mine, first != mover, focus=False)
    wins = (mine > 0).any(axis=1) & ~(theirs > 0).any(axis=1)
    share = float(wins.mean())
    losses = float((mine <= 0).sum(axis=1).mean())
    return share, float(rounds.mean()), losses, float(np.sqrt(share * (1 - share) / samples))


def _strike(
    random: Any,
    side: Sequence[Fighter],
    own: "NDArray[Any]",
    others: Sequence[Fighter],
    left: "NDArray[Any]",
    acting: "NDArray[Any]",
    focus: bool,
) -> None:
    """Let a side attack in the samples in which it acts now; `left` is what the others have left."""
    import numpy as np

    for index, fighter in enumerate(side):
        for attack in fighter.attacks:
            able = np.flatnonzero(acting & (own[:, index] > 0) & (left > 0).any(axis=1))
            if not len(able):
                break
            standing = left[able] > 0
            weights = np.arange(len(others), 0, -1) if focus else random.random(standing.shape)
            target = np.argmax(standing * weights, axis=1)
            dealt = np.zeros(len(able), dtype=np.int64)
            for ac in {other.ac for other in others}:
                hit = np.array([other.ac == ac for other in others])[target]
                dealt[hit] = _damage(random, attack, ac, int(hit.sum()))
            left[able, target] -= dealt


def _damage(random: Any, attack: Attack, ac: int, count: int) -> "NDArray[Any]":
    import numpy as np

    amounts, shares = _table(attack, ac)
    rolls: NDArray[np.float64] = random.random(count)
    places = np.searchsorted(np.array(shares), rolls, side="right")
    return np.array(amounts, dtype=np.int64)[np.minimum(places, len(amounts) - 1)]


@lru_cache(maxsize=1024)
def _table(attack: Attack, ac: int) -> tuple[tuple[int, ...], tuple[float, ...]]:
    """Return what an attack may do, the least first, and the chance of so much or less."""
    damage = attack_odds(attack, Target(ac)).damage
    items = list(damage.items())
    sums = accumulate(weight for _, weight in items)
    return tuple(amount for amount, _ in items), tuple(each / damage.total for each in sums)


def by_scene(found: Sequence[Encounter]) -> Mapping[str, Encounter]:
    """Return encounters by the scene in which they stand."""
    return {encounter.scene: encounter for encounter in found}
