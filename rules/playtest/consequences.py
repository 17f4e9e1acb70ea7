"""Which outcomes bring the outline's graded consequences."""

from collections.abc import Mapping, Sequence

from rules.checks.context import Context
from rules.checks.text import words_of
from rules.document import Passage
from rules.playtest.model import Degree, SceneScript

_SAME = 2.0
"""What an equal degree counts, in words shared."""
_NAMES: tuple[Degree, ...] = ("critical_success", "critical_failure", "partial", "failure", "success")
_LEAST = 2
"""Consequences that a scene must bring, to be the scene that decides."""
_RANKS: Mapping[Degree, int] = {
    "critical_success": 2,
    "success": 2,
    "partial": 1,
    "failure": 0,
    "critical_failure": 0,
    "choice": -1,
}


def degree_of(ctx: Context, text: str) -> Degree:
    """Return the degree that the words before a consequence's colon name, else `choice`."""
    words = words_of(Passage(text.partition(":")[0][:100], 0))
    found: list[Degree] = [name for name in _NAMES if ctx.phrases(f"degree_{name}").any(words)]
    return found[0] if found else "choice"


def bringing(
    ctx: Context, scripts: Sequence[SceneScript], degrees: Sequence[Sequence[Degree]], texts: Sequence[str]
) -> tuple[int, tuple[int, ...]] | None:
    """Return the scene that decides and the index of the outcome that brings each consequence; or None.

    It is the scene whose outcomes have the degrees of the consequences and share most of their words.
    """
    scored: list[tuple[float, int, tuple[int, ...]]] = []
    for place, script in enumerate(scripts):
        found = _matched(ctx, script, degrees[place], texts)
        if found is not None:
            scored.append((found[0], -place, found[1]))
    if not scored:
        return None
    _, place, outcomes = max(scored)
    return -place, outcomes


def _matched(
    ctx: Context, script: SceneScript, degrees: Sequence[Degree], texts: Sequence[str]
) -> tuple[float, tuple[int, ...]] | None:
    free = set(range(len(script.ways)))
    chosen: list[int] = []
    score = 0.0
    for text in texts:
        fitting = [(_likeness(ctx, script, degrees, index, text), -index) for index in free]
        likeness, index = max(fitting, default=(0.0, 0))
        if likeness < _SAME:
            return None
        free.discard(-index)
        chosen.append(-index)
        score += likeness
    return (score, tuple(chosen)) if len(chosen) >= _LEAST else None


def _likeness(ctx: Context, script: SceneScript, degrees: Sequence[Degree], index: int, text: str) -> float:
    wanted, way = degree_of(ctx, text), script.ways[index]
    if wanted == "choice" or _RANKS[wanted] != _RANKS[degrees[index]]:
        return 0.0
    shared = _stems(ctx, text) & _stems(ctx, f"{way.label}: {way.text}")
    exact = 0.5 if wanted == degrees[index] else 0.0
    return _SAME + exact + len(shared)


def _stems(ctx: Context, text: str) -> frozenset[str]:
    return ctx.stems_of(words_of(Passage(text, 0)))
