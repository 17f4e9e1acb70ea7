"""A played chapter on the terminal: a table, a picture of its scenes, and what is wrong with it."""

import sys
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import TYPE_CHECKING, cast

from concilio.catalogue import say, user_language
from concilio.cli.lines import INDENT, WIDTH, wrapped
from concilio.cli.playtest_words import (
    clean,
    figures_of,
    label_of,
    number,
    percent,
    place_of,
    roll_of,
    title_of,
)
from concilio.shares import Shown

if TYPE_CHECKING:
    from concilio.cli.playtest import Played
    from concilio.domain.base import Language
    from rules.playtest.model import ConsequenceOdds, DeadEnd, Encounter, EndOdds, Playtest, SceneOdds

BAR = 20
"""Characters of a bar that stands for certainty."""
_PLAIN = str.maketrans({"█": "#", "├": "|", "└": "`", "─": "-", "►": ">", "—": "-", "…": "~", "·": "-"})
_WHY_NO_FIGHT = frozenset({"uncounted", "unknown_foes"})
"""Notes that say why a fight is not fought."""
MOST_HINGES = 3
_A_LINE_EACH = ("table", "picture", "ends", "consequences")
"""Sections that keep a line for each thing; the table's are as wide as lines are."""
CHANCE = 8
"""Characters of a chance at the beginning of a line."""
LONGEST_CONSEQUENCE = 600
"""Characters of a consequence that are shown: an outline may be one paragraph."""
LEAST_CELL = 24
"""Characters that the last cell of a row has, however long the others are."""


def lines(played: "Played") -> Iterator[str]:
    """Give a played chapter as lines."""
    able = _can_draw()
    for line in _lines(played):
        yield line if able else line.translate(_PLAIN)


def _can_draw() -> bool:
    try:
        "█├└─►".encode(sys.stdout.encoding or "ascii")
    except (UnicodeError, LookupError):
        return False
    return True


def _lines(played: "Played") -> Iterator[str]:
    result, shown = played.result, figures_of(played.result)
    yield from _head(played)
    yield from _section("table", _table(result.scenes))
    yield from _section(
        "picture", [*(line for s in result.scenes for line in _picture(s, shown)), *_legend(result)]
    )
    yield from _section("ends", _ends(result, shown))
    yield from _section(
        "consequences", (line for c in result.consequences for line in _consequence(c, shown))
    )
    yield from _section("unreached", (clean(scene) for scene in result.unreached))
    yield from _section("dead_ends", _dead_ends(result.dead_ends))
    yield from _section("hinges", _hinges(played))
    yield from _section("encounters", _encounters(played))
    yield from _section("notes", (say(f"playtest.note.{code}") for code in result.notes))


def _section(name: str, body: Iterable[str]) -> Iterator[str]:
    """Give a section with its heading; nothing where it has no line."""
    found = list(body)
    if found:
        yield from ("", say(f"playtest.{name}"))
        for line in found:
            yield from [f"  {line}"] if name in _A_LINE_EACH else wrapped(f"  {line}")


def _head(played: "Played") -> Iterator[str]:
    document, result = played.document, played.result
    title = title_of(document.title.text.strip(' «»"*#')) if document.title else ""
    number_ = (
        document.chapter if document.chapter is not None else played.result.scenes[0].id.partition(".")[0]
    )
    yield say("playtest.title" if title else "playtest.title_bare", chapter=number_, title=title)
    party = played.table.facts.party
    members = ", ".join(say("playtest.member", name=clean(s.name), level=s.level) for s in party)
    own = played.table.adventure is not None and played.table.adventure.party
    who = say("playtest.party", party=members) + ("" if own else f" ({_default(played)})")
    yield from wrapped(who)
    if result.minutes is None:
        yield say("playtest.minutes_endless")
    else:
        yield say("playtest.minutes", minutes=round(result.minutes))


def _default(played: "Played") -> str:
    named = played.table.adventure is not None
    return say("playtest.nobody_named" if named else "playtest.default_party")


def _table(scenes: Iterable["SceneOdds"]) -> Iterator[str]:
    heads = [say(f"playtest.col.{name}") for name in ("scene", "played", "minutes", "roll")]
    rows = [
        [f"{clean(s.id)} {title_of(s.title, 32)}", percent(s.reach), str(round(s.minutes)), roll_of(s)]
        for s in scenes
    ]
    widths = [max(len(row[i]) for row in [heads, *rows]) for i in range(3)]
    for row in [heads, *rows]:
        before = "  ".join([row[0].ljust(widths[0]), row[1].rjust(widths[1]), row[2].rjust(widths[2]), ""])
        left = max(LEAST_CELL, WIDTH - INDENT - len(before))
        cell = wrapped(row[3], left, 0)
        yield (before + cell[0]).rstrip()
        yield from (" " * len(before) + more for more in cell[1:])


def _picture(scene: "SceneOdds", shown: Shown) -> Iterator[str]:
    bar = "█" * round(scene.reach * BAR)
    yield f"{clean(scene.id)} {title_of(scene.title, 32)}  {bar} {percent(scene.reach)}"
    for index, way in enumerate(scene.ways):
        branch = "└" if index == len(scene.ways) - 1 else "├"
        sure = "" if way.stated else " ?"
        chance = f"{percent(shown(way.chance)):>{CHANCE}}"
        yield f" {branch}─ {chance} {label_of(way)} ─► {place_of(way.to)}{sure}"


def _legend(result: "Playtest") -> Iterator[str]:
    if any(not way.stated for scene in result.scenes for way in scene.ways):
        yield f" ? {say('playtest.by_default')}"


def _ends(result: "Playtest", shown: Shown) -> Iterator[str]:
    yield from (_end(end, shown(end.chance)) for end in result.ends)
    if result.endless:
        yield say("playtest.endless", chance=f"{percent(shown(result.endless)):>{CHANCE}}")
    if result.best is not None:
        yield say("playtest.best", chance=percent(shown(result.best)))


def _end(end: "EndOdds", share: float) -> str:
    chance = f"{percent(share):>{CHANCE}}"
    if not end.label:
        return say("playtest.end_bare", chance=chance, scene=clean(end.scene))
    return say("playtest.end_line", chance=chance, label=clean(end.label), scene=clean(end.scene))


def _consequence(found: "ConsequenceOdds", shown: Shown) -> list[str]:
    """Return a consequence, whole, as lines that go on under its text."""
    values = {"text": clean(found.text, LONGEST_CONSEQUENCE), "scene": clean(found.scene)}
    values["label"] = clean(found.label)
    line = say("playtest.consequence", chance=f"{percent(shown(found.chance)):>{CHANCE}}", **values)
    return wrapped(line, WIDTH - INDENT, CHANCE + INDENT)


def _dead_ends(found: Iterable["DeadEnd"]) -> Iterator[str]:
    """Give one line a scene and reason."""
    for (scene, why, target), group in groupby(found, key=lambda one: (one.scene, one.why, one.target)):
        labels = ", ".join(clean(one.label) or "—" for one in group)
        yield say(f"playtest.{why}", scene=clean(scene), labels=labels, target=clean(target))


def _hinges(played: "Played") -> Iterator[str]:
    from rules.playtest.results import decisive

    found = decisive(played.result)
    if found is not None:
        yield say("playtest.decisive", scene=clean(found.scene))
    for hinge in [h for h in played.result.hinges if h.swing > 0.001][:MOST_HINGES]:
        values = {"success": percent(hinge.after_success), "failure": percent(hinge.after_failure)}
        values["text"] = clean(hinge.text) or say("playtest.fight_name")
        yield say("playtest.hinge", scene=clean(hinge.scene), **values)


def _encounters(played: "Played") -> Iterator[str]:
    """Give what is known of the fights; where there is none, that, unless a note says why."""
    found = played.result.encounters
    if not found and not _WHY_NO_FIGHT.intersection(played.result.notes):
        yield say("playtest.no_fights")
    for encounter in found:
        yield from _encounter(encounter, played)


def _encounter(met: "Encounter", played: "Played") -> Iterator[str]:
    from graphs.playing import weighed

    yield clean(weighed(met, played.table.ruleset, cast("Language", user_language())), 300)
    party = len(played.table.facts.party)
    if met.win is None or met.rounds is None or met.losses is None:
        names = ", ".join(clean(name) for name in met.unknown)
        yield "  " + (say("playtest.fight_unknown", names=names) if names else say("playtest.fight_large"))
        return
    error = percent(met.error or 0)
    figures = {"rounds": number(met.rounds), "losses": number(met.losses), "party": party}
    yield "  " + say("playtest.fight", win=percent(met.win), error=error, **figures)
    if not met.counted:
        yield "  " + say("playtest.fight_apart")
    if met.left_out:
        yield "  " + say("playtest.fight_worse", names=", ".join(clean(name) for name in met.left_out))
