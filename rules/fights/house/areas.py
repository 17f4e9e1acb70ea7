"""Whom a spell with an area strikes. No grid: along a place, and in height."""

from math import hypot

from rules.fights.house.casting import Casting
from rules.fights.places import NEAR
from rules.fights.state import Status

OF_ONE: frozenset[str] = frozenset({"disintegrate", "fire_shield", "control_water"})
"""Spells whose area in the table is not that of their damage. Source: SRD 5.1, Spells."""
LINE_M = 1.5
"""Width of a line. Source: SRD 5.1, Areas of Effect; the spells say 5 feet."""


def struck(made: Casting) -> tuple[str, ...]:
    """Return whom a spell strikes, its target first: all within its area, friends too, but not the caster.

    An area at a distance lies around the target, with its edge before the caster; one that begins with the
    caster goes towards the target. Who is behind total cover or lies at 0 hit points is out of it.

    Source: Combate, Lo que dice la spec y aún no está; SRD 5.1, Areas of Effect.
    """
    others = () if made.spell.area is None or made.spell.attack or made.id in OF_ONE else _within(made)
    return (made.target, *others)


def _within(made: Casting) -> tuple[str, ...]:
    table, aim = made.table, made.table[made.target]
    names = (n for n in table.status if n not in (made.who, made.target))
    return tuple(
        n for n in names
        if table[n].present and not table[n].dead and table[n].hp > 0 and table[n].place == aim.place
        and table.sheets[n].behind != "total" and _is_in(made, table[n])
    )  # fmt: skip


def _is_in(made: Casting, other: Status) -> bool:
    me, aim = made.table[made.who], made.table[made.target]
    assert made.spell.area is not None
    shape, metres = made.spell.area.shape, made.spell.area.metres
    if made.spell.range_ft == 0 and shape in ("cone", "line", "cube"):
        return _is_ahead(me, aim, other, shape, metres)
    along, up = abs(other.x - aim.x), abs(other.height - aim.height)
    if shape in ("cube", "line"):
        return max(along, up) <= metres / 2 + NEAR
    return hypot(along, up) <= metres + NEAR


def _is_ahead(me: Status, aim: Status, other: Status, shape: str, metres: float) -> bool:
    """Tell whether somebody stands in what goes from the caster towards a target."""
    way = hypot(aim.x - me.x, aim.height - me.height)
    dx, dh = other.x - me.x, other.height - me.height
    if way < NEAR:  # hand to hand with the target: whoever is there as well
        return hypot(dx, dh) < NEAR
    far = (dx * (aim.x - me.x) + dh * (aim.height - me.height)) / way
    aside = abs(dx * (aim.height - me.height) - dh * (aim.x - me.x)) / way
    widths = {"cone": far, "line": LINE_M, "cube": metres}
    return NEAR < far <= metres + NEAR and aside <= widths[shape] / 2 + NEAR
