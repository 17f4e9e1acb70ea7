"""Degrees of success in a prose: which outcomes of a plan it names by their degree, and which it leaves out.

A prose that says what comes of a success and of a partial success, each by its degree, and has no word for a
failure beside them has lost the failure: that somebody `fails` a saving throw further up tells nothing of it.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import NamedTuple

from rules.checks import lexicon
from rules.checks.context import Context
from rules.checks.text import Marks, Word
from rules.claims.model import Check, Save
from rules.document import Passage

DEGREES = ("critical_success", "critical_failure", "partial", "failure", "success")
"""The degrees of an outcome; the longer names first, since they hold the shorter ones."""
_LABEL, _CUE = "degree_", "cue_"
_LEAST_NAMED = 2
"""Outcomes that a prose names by their degree from which on the others should be, too."""
_MOST_GRADED = 24
"""Outcomes with a degree that are looked for in a prose: no scene has as many."""
_OWN = 0.34
"""Share of an outcome's own words beside a degree's name that shows that it is that outcome's."""
_BEFORE, _AFTER = 1, 3
"""Parts of the prose before the first outcome named and after the last in which another may be told."""
_PARTS = re.compile(";")


class Naming(NamedTuple):
    """A place where a degree is named."""

    degree: str
    part: int
    """Which part of the prose it stands in: a sentence, or what a semicolon leaves of one."""
    start: int
    is_label: bool
    """It is the degree's name (`failure`) and not only a way to say it (`otherwise`)."""


class Told(NamedTuple):
    """An outcome of the plan with a degree."""

    degree: str
    own: frozenset[str]
    """Stems that tell it from the scene's other outcomes."""


def degree_of(ctx: Context, words: Sequence[Word]) -> str:
    """Return the degree that a label names; empty where it names a choice or an event."""
    return next((name for name in DEGREES if ctx.phrases(f"{_LABEL}{name}").any(words)), "")


def left_out(ctx: Context, prose: Passage, outcomes: Mapping[int, Told]) -> frozenset[int]:
    """Return the outcomes, by their keys, whose degree is not named where at least two others' are."""
    if not _LEAST_NAMED < len(outcomes) <= _MOST_GRADED:
        return frozenset()
    starts = _parts(ctx, prose)
    namings = list(_namings(ctx, prose, starts))
    parts = {key: _named_in(ctx, prose, starts, namings, told) for key, told in outcomes.items()}
    named = {key for key, at in parts.items() if at}
    if len(named) < _LEAST_NAMED or len(named) == len(outcomes):
        return frozenset()
    taken = frozenset[int]().union(*parts.values())
    cued = {n.degree for n in namings if _may_tell(ctx, prose, n, taken)}
    return frozenset(key for key, told in outcomes.items() if key not in named and told.degree not in cued)


def _may_tell(ctx: Context, prose: Passage, naming: Naming, taken: frozenset[int]) -> bool:
    """Tell whether a degree is named near the outcomes that are told, and is not that of a roll."""
    first, last = min(taken), max(taken)
    if not first - _BEFORE <= naming.part <= last + _AFTER or (naming.part in taken and not naming.is_label):
        return False
    begin = ctx.sentence_at(prose, naming.start).start
    if naming.part < first:  # what comes of a saving throw is told in its paragraph
        begin = max(prose.start, ctx.source.rfind("\n\n", prose.start, naming.start))
    return not any(ctx.told_between(prose, kind, begin, naming.start) for kind in (Check, Save))


@cache
def _marks(language: str) -> Marks:
    """Return the names of the degrees and the ways to say them, ready to be found in one pass."""
    names = [prefix + degree for prefix in (_LABEL, _CUE) for degree in DEGREES]
    return Marks({name: lexicon.word_list(name, language) for name in names})


def _parts(ctx: Context, prose: Passage) -> Sequence[int]:
    """Return where the parts of a prose begin."""
    inside = {prose.start + m.end() for m in _PARTS.finditer(prose.text)}
    return sorted(inside.union(s.start for s in ctx.sentences(prose)))


def _namings(ctx: Context, prose: Passage, starts: Sequence[int]) -> Iterator[Naming]:
    """Give the degrees that are named; `success` in `partial success` is none."""
    words = ctx.words(prose)
    found = _marks(ctx.language).find(words)
    spans = [(*span, name) for name, group in found.items() for span in group]
    longest: dict[int, int] = {}
    for first, after, _ in spans:
        for index in range(first, after):
            longest[index] = max(longest.get(index, 0), after - first)
    for first, after, name in sorted(spans):
        if all(longest[index] == after - first for index in range(first, after)):
            prefix = _LABEL if name.startswith(_LABEL) else _CUE
            start = words[first].start
            part = bisect_right(starts, start) - 1
            yield Naming(name.removeprefix(prefix), part, start, prefix == _LABEL)


def _named_in(
    ctx: Context, prose: Passage, starts: Sequence[int], namings: Sequence[Naming], told: Told
) -> frozenset[int]:
    """Return the parts in which an outcome's degree stands with words of its own, there or just after."""
    if not told.own:
        return frozenset()
    parts = {n.part for n in namings if n.degree == told.degree}
    least = _OWN * len(told.own)
    return frozenset(p for p in parts if len(told.own & _stems(ctx, prose, starts, p)) >= least)


def _stems(ctx: Context, prose: Passage, starts: Sequence[int], part: int) -> frozenset[str]:
    """Return the stems of a part and of the one after it: a label may be a sentence by itself."""

    def once() -> frozenset[str]:
        end = starts[part + 2] if part + 2 < len(starts) else prose.end
        return ctx.stems_of(ctx.words_between(prose, starts[part], end))

    return ctx.keep("stems of a part", f"{prose.start}-{part}", once)
