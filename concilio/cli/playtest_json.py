"""A played chapter for programs: one object."""

from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any, cast

from concilio.chapterfile.escape import unescape

if TYPE_CHECKING:
    from concilio.cli.playtest import Played

DIGITS = 9
"""Of probabilities and times: what is behind them is rounding of the machine."""


def to_object(played: "Played") -> dict[str, Any]:
    """Return a played chapter: probabilities 0 to 1, times in minutes, ids as in the plan."""
    from rules.playtest.results import decisive

    found = decisive(played.result)
    result = played.result
    named = replace(result, scenes=tuple(replace(s, title=unescape(s.title)) for s in result.scenes))
    rounded = cast("dict[str, Any]", _rounded(asdict(named)))
    return {
        "file": played.file,
        "chapter": played.document.chapter,
        "ruleset": played.table.ruleset.id,
        "party": [
            {"name": s.name, "level": s.level, "hp": s.hp, "ac": s.ac} for s in played.table.facts.party
        ],
        **rounded,
        "decisive": found.scene if found else None,
    }


def _rounded(value: object) -> object:
    if isinstance(value, float):
        return round(value, DIGITS)
    if isinstance(value, dict):
        return {key: _rounded(one) for key, one in cast("dict[str, object]", value).items()}
    if isinstance(value, list | tuple):
        return [_rounded(one) for one in cast("list[object]", value)]
    return value
