"""What `concilio odds` prints: one object for programs, and the same as lines and bars for people."""

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import click

from concilio.catalogue import say, user_language
from concilio.cli.lines import INDENT, wrapped
from concilio.figures import decimal
from concilio.shares import adding_up, rounded
from rules.attack_names import attack_name
from rules.odds.objects import Odds

BAR_WIDTH = 40
MOST_ROWS = 24
"""Rows of a plot; more outcomes are put together."""
TAIL = 0.0005
"""Probability at each end that a plot of many outcomes puts into one row."""


def show(odds: Odds, text: Callable[[Odds], Iterator[str]], form: str) -> None:
    """Print odds as one line of JSON or as text."""
    if form == "json":
        import json

        click.echo(json.dumps(odds, ensure_ascii=False))
    else:
        click.echo("\n".join(text(odds)))


def percent(share: float) -> str:
    """Return a probability as people read it: `87.8 %`, `87,8 %`, `<0.1 %`."""
    if 0 < share < 0.001:
        return "<" + _percent(0.1)
    if 0.999 < share < 1:
        return ">" + _percent(99.9)
    return _percent(100 * rounded(share))


def _percent(hundredths: float, digits: int = 1) -> str:
    return say("odds.percent", share=number(hundredths, digits))


def number(value: float, digits: int = 1) -> str:
    """Return a number with the language's decimal mark."""
    return decimal(value, digits)


def bars(rows: Sequence[tuple[str, float]], marked: str = "", most: float = 1.0) -> Iterator[str]:
    """Give a bar a row; `most` is as wide as a plot is, 1 unless said. A marked label's row is pointed at."""
    width = max(len(label) for label, _ in rows)
    full, part = _blocks()
    figures = adding_up([share for _, share in rows])
    for (label, share), figure in zip(rows, figures, strict=True):
        filled = rounded(share) / most * BAR_WIDTH
        bar = full * int(filled) + (part if filled - int(filled) >= 0.5 or 0 < filled < 1 else "")
        pointer = ">" if marked and label == marked else " "
        yield f"{pointer} {label.rjust(width)}  {bar.ljust(BAR_WIDTH)}  {percent(figure):>8}".rstrip()


def _blocks() -> tuple[str, str]:
    """Return what bars are made of: blocks, or plain signs where the terminal has none."""
    try:
        "█▌".encode(sys.stdout.encoding or "ascii")
    except (UnicodeError, LookupError):
        return "#", "-"
    return "█", "▌"


# Checks


def check_text(odds: Odds) -> Iterator[str]:
    """Give the odds of a check as lines."""
    how = _added(odds)
    what = (
        _d20(odds, odds["bonus"])
        if "bonus" in odds
        else say("odds.check.group", n=len(odds["group"]), how=how and f" ({how.strip()})")
    )
    yield _head(odds["p"], say("odds.check.against_dc", what=what, dc=odds["dc"]))
    if "each" in odds:
        each = zip(odds["group"], odds["each"], strict=True)
        yield say("odds.check.each", each=", ".join(f"{bonus:+d} {percent(p)}" for bonus, p in each))
    yield ""
    rows = [(say("odds.dc", dc=row["dc"]), row["p"]) for row in odds["by_dc"]]
    yield from bars(rows, say("odds.dc", dc=odds["dc"]))


def contest_text(odds: Odds) -> Iterator[str]:
    """Give the odds of a contest as lines."""
    what = _d20(odds, odds["bonus"])
    yield _head(odds["p"], say("odds.check.against_other", what=what, other=f"d20{odds['against']:+d}"))
    yield ""
    yield from bars(
        [
            (say(f"odds.check.{key}"), odds[name])
            for key, name in (("win", "p"), ("tie", "tie"), ("lose", "lose"))
        ]
    )


def _head(chance: float, what: str) -> str:
    return f"{click.style(percent(chance), bold=True)}  {what}"


def _d20(odds: Odds, bonus: int) -> str:
    return f"d20{bonus:+d}{_added(odds)}"


def _added(odds: Odds) -> str:
    """Return the dice that are added to a d20 and the way in which it is rolled, each after a space."""
    dice = f" + {odds['dice']}" if odds["dice"] else ""
    mode = "" if odds["mode"] == "normal" else " " + say(f"odds.mode.{odds['mode']}")
    return dice + mode


# Attacks


def attack_text(odds: Odds) -> Iterator[str]:
    """Give the odds of attacks as lines."""
    ac = say("odds.attack.ac_with_cover", ac=odds["ac"], cover=odds["cover"]) if odds["cover"] else odds["ac"]
    yield _head(odds["p_hit"], say("odds.attack.hits", what=_d20(odds, odds["attack"]), ac=ac))
    yield say("odds.attack.critical", chance=percent(odds["p_critical"]))
    values = {"damage": odds["damage"] + _taken(odds), "hit": number(odds["mean_on_hit"], 2)}
    yield say("odds.attack.mean", **values)
    yield say("odds.attack.turn", attacks=odds["attacks"], mean=number(odds["mean"], 2))
    if "hp" in odds:
        yield say("odds.attack.down", hp=odds["hp"], chance=percent(odds["p_down"]))
    yield ""
    yield from _plot(odds["outcomes"], apart=0)


def _taken(odds: Odds) -> str:
    """Return what the target does with the damage, after a space; nothing where it takes it as it is."""
    return "" if odds["takes"] == "normal" else " " + say(f"odds.takes.{odds['takes']}")


# Saving throws


def save_text(odds: Odds) -> Iterator[str]:
    """Give the odds of a saving throw as lines, with those of its damage where there is any."""
    if "damage" not in odds:
        yield from check_text(odds)
        return
    what = say("odds.check.against_dc", what=_d20(odds, odds["bonus"]), dc=odds["dc"])
    yield _head(odds["p"], say("odds.save.saves", what=what))
    yield say(
        f"odds.save.means_{odds['on_failure']}_{odds['on_success']}",
        damage=odds["damage"] + _taken(odds),
        failure=number(odds["mean_on_failure"], 2),
        success=number(odds["mean_on_success"], 2),
    )
    yield say("odds.save.mean", mean=number(odds["mean"], 2))
    if "hp" in odds:
        yield say("odds.save.down", hp=odds["hp"], chance=percent(odds["p_down"]))
    yield ""
    yield from _plot(odds["outcomes"], apart=0)


# Any dice


def roll_text(odds: Odds) -> Iterator[str]:
    """Give the distribution of dice as lines."""
    yield click.style(odds["dice"], bold=True)
    values = {"mean": number(odds["mean"], 2), "deviation": number(odds["deviation"], 2)}
    if "again" in odds:
        yield say("odds.roll.again", again=odds["again"])
    yield say("odds.roll.figures", low=odds["min"], high=odds["max"], median=odds["median"], **values)
    yield ""
    yield from _plot(odds["outcomes"])


def _plot(outcomes: Sequence[Mapping[str, Any]], apart: int | None = None) -> Iterator[str]:
    """Give the bars of a distribution; one outcome may keep a row of its own."""
    rows = [(row["value"], row["p"]) for row in outcomes]
    if len(rows) <= MOST_ROWS:
        yield from bars([(str(value), p) for value, p in rows], most=max(p for _, p in rows))
        return
    alone = [(str(value), p) for value, p in rows if value == apart]
    binned = [*alone, *_binned([(value, p) for value, p in rows if value != apart])]
    yield from bars(binned, most=max(p for _, p in binned))


def _binned(rows: Sequence[tuple[int, float]]) -> Iterator[tuple[str, float]]:
    begin, end = _body([p for _, p in rows])
    low, high = rows[begin][0], rows[end - 1][0]
    step = -(-(high - low + 1) // MOST_ROWS)
    shares: dict[int, float] = {}
    for value, p in rows[begin:end]:
        first = low + (value - low) // step * step
        shares[first] = shares.get(first, 0.0) + p
    if begin:
        yield f"<{low}", sum(p for _, p in rows[:begin])
    yield from ((_label(n, min(n + step - 1, high)), share) for n, share in shares.items())
    if end < len(rows):
        yield f">{high}", sum(p for _, p in rows[end:])


def _body(chances: Sequence[float]) -> tuple[int, int]:
    """Return where the tails end that nobody would see in a plot."""
    begin, end = 0, len(chances)
    under = over = 0.0
    while (under := under + chances[begin]) < TAIL:
        begin += 1
    while (over := over + chances[end - 1]) < TAIL:
        end -= 1
    return begin, end


def _label(low: int, high: int) -> str:
    return str(low) if low == high else f"{low}…{high}"


# Duels


def duel_text(odds: Odds) -> Iterator[str]:
    """Give the odds of a duel as lines."""
    a, b = odds["a"], odds["b"]
    if a["name"] == b["name"]:
        a, b = _lettered(a, "A"), _lettered(b, "B")
    yield from bars([(a["name"], odds["p_a"]), (b["name"], odds["p_b"])])
    yield ""
    turns = odds["turns"]
    yield say("odds.duel.endless") if turns is None else say("odds.duel.rounds", rounds=number(turns))
    yield say(f"odds.duel.first_{odds['first']}", a=a["name"], b=b["name"], chance=percent(odds["p_a_first"]))
    for side, chance in ((a, odds["p_a"]), (b, odds["p_b"])):
        values = {"hit": percent(side["p_hit"]), "mean": number(side["mean_damage"], 2)}
        line = say("odds.duel.side", name=side["name"], **values)
        left = say("odds.duel.left", left=number(side["hp_left_if_it_wins"]), hp=side["hp"]) if chance else ""
        yield from wrapped(line + left)
        if side["used"]:
            yield from wrapped(say("odds.duel.used", indent=" " * INDENT, used=_used(side)))
        if side["does_more"]:
            yield from wrapped(say("odds.duel.does_more", indent=" " * INDENT))
    if odds["method"] == "sampling":
        values = {
            "samples": odds["samples"],
            "error": _percent(100 * odds["standard_error"], 3),
            "seed": odds["seed"],
        }
        yield say("odds.duel.sampled", **values)


def _lettered(side: Odds, letter: str) -> Odds:
    """Return a side that is told from another one of its name."""
    return {**side, "name": f"{side['name']} ({letter})"}


def _used(side: Odds) -> str:
    """Return the attacks of a creature's turn by their names."""
    language = user_language()
    return ", ".join(f"{one['times']} × {attack_name(one['name'], language)}" for one in side["used"])
