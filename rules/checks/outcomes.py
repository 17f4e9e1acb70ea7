"""Prose against plan: is every outcome there?"""

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from rules.checks.completeness import announces
from rules.checks.context import Context, Pair
from rules.checks.degrees import Told, degree_of, left_out
from rules.checks.hit import Hit
from rules.checks.text import Sentence, flat, stem, words_of
from rules.claims.model import ActionUse, Claim, Condition, Cover, Damage
from rules.document import Passage, PlanOutcome

_WINDOW = 3
"""Sentences in which an outcome may be told."""
_TOLD = 0.34
"""Share of an outcome's own words that shows that it is told."""
_HINTED = 0.15
_GLIMPSED = 0.1
_TOLD_APART = 0.5
_LEAST_LISTED = 2
"""Outcomes with labels in the prose from which on the others should have one."""
_LONGEST_LABEL = 80
_LIST_SIGNS = ("-", "*", "+", "_", ">", "|")
_LABEL_ENDS = re.compile(r"[:|]|\.(?=[*_])")
_SETTING = ("place", "present", "situation", "player_action")
_ENOUGH = 3
"""Stems by which an outcome can be known."""


@dataclass(frozen=True, slots=True)
class _Reading:
    """What the prose of a scene offers."""

    sentences: tuple[Sentence, ...]
    stems: tuple[frozenset[str], ...]
    places: Mapping[str, Sequence[int]]
    """Sentences by the stems in them."""

    cued: dict[str, bool] = field(default_factory=dict[str, bool])
    """Degrees of outcomes that were asked for: whether a cue of theirs is there."""
    shares: dict[frozenset[str], int] = field(default_factory=dict[frozenset[str], int])
    """What was asked of `most_told`, and its answers: outcomes repeat each other."""

    def most_told(self, own: frozenset[str]) -> int:
        """Return how many of some stems stand together in a few sentences, at most."""
        known = self.shares.get(own)
        if known is None:
            known = self.shares[own] = self._most_told(own)
        return known

    def _most_told(self, own: frozenset[str]) -> int:
        near = {i for one in own for at in self.places.get(one, ()) for i in range(at - _WINDOW + 1, at + 1)}
        windows = (self.stems[max(0, i) : i + _WINDOW] for i in near)
        return max((len(own & frozenset[str]().union(*w)) for w in windows), default=0)


def outcome_dropped(ctx: Context) -> Iterator[Hit]:
    """An outcome of the plan is not in the prose."""
    for pair in ctx.pairs:
        sentences = ctx.sentences(pair.prose)
        if sentences and announces(pair.prose.text):
            sentences = sentences[:-1]  # a label with nothing after it tells no outcome
        reading = _reading(ctx, sentences)
        apart = _to_be_told_apart(ctx, pair)
        loose = _reading(ctx, _unlabelled(pair, sentences)) if apart else reading
        for outcome in pair.plan.outcomes:
            own = outcome.label.start in apart
            if not (
                _is_told_apart(ctx, pair, outcome, loose) if own else _is_told(ctx, pair, outcome, reading)
            ):
                label = outcome.label.text.strip(" *_")
                at = pair.prose.start
                yield Hit(
                    pair.scene,
                    "prose",
                    at,
                    at,
                    ctx.say("outcome-dropped.message", label=label),
                    flat(f"{label}: {outcome.text.text}"),
                    ctx.plan_source(pair.plan, outcome.label.start),
                )


def _reading(ctx: Context, sentences: Sequence[Sentence]) -> _Reading:
    stems = tuple(ctx.stems(s) for s in sentences)
    places: dict[str, list[int]] = {}
    for index, group in enumerate(stems):
        for one in group:
            places.setdefault(one, []).append(index)
    return _Reading(tuple(sentences), stems, places)


def _unlabelled(pair: Pair, sentences: Sequence[Sentence]) -> Sequence[Sentence]:
    """Return the sentences of a prose that stand under no label of the plan's: those under one tell that."""
    prose = pair.prose
    own = {tuple(w.text for w in words_of(outcome.label)) for outcome in pair.plan.outcomes}
    labels = (label for label in _labels_in(prose) if tuple(w.text for w in words_of(label)) in own)
    starts = [label.end for label in labels]
    ends = [prose.text.find("\n", start - prose.start) for start in starts]

    def is_under_one(sentence: Sentence) -> bool:
        at = bisect_right(starts, sentence.end - 1) - 1
        return at >= 0 and (ends[at] < 0 or sentence.end - 1 < prose.start + ends[at])

    return [s for s in sentences if not is_under_one(s)]


def _to_be_told_apart(ctx: Context, pair: Pair) -> frozenset[int]:
    """Return the outcomes, by the place of their labels, that lack a label or a degree which others have."""
    listed = _listed(ctx, pair)
    bare = frozenset(outcome.label.start for outcome in pair.plan.outcomes) - listed
    if not bare or len(listed) >= _LEAST_LISTED:
        return bare
    graded = {
        outcome.label.start: Told(degree, _own_stems(ctx, pair, outcome))
        for outcome in pair.plan.outcomes
        if (degree := _degree(ctx, outcome))
    }
    return left_out(ctx, pair.prose, graded)


def _listed(ctx: Context, pair: Pair) -> frozenset[int]:
    """Return the outcomes, by the place of their labels, that the prose has under a label of its own."""
    labels = [words_of(label) for label in _labels_in(pair.prose)]
    texts = {tuple(w.text for w in label) for label in labels}
    degrees = {degree for label in labels if (degree := degree_of(ctx, label))}
    return frozenset(
        outcome.label.start
        for outcome in pair.plan.outcomes
        if tuple(w.text for w in words_of(outcome.label)) in texts or _degree(ctx, outcome) in degrees
    )


def _labels_in(prose: Passage) -> Iterator[Passage]:
    """Give what a line is labelled with (`- **Success**:`, `*Fallo.*`, a row's first cell)."""
    start = prose.start
    for line in prose.text.split("\n"):
        text = line.lstrip(" \t-*+_>|")
        marked = line.lstrip()[:1] in _LIST_SIGNS
        end = _LABEL_ENDS.search(text, 0, _LONGEST_LABEL) if marked else None
        if end and (label := text[: end.start()]).strip(" *_"):
            yield Passage(label, start + len(line) - len(text))
        start += len(line) + 1


def _is_told_apart(ctx: Context, pair: Pair, outcome: PlanOutcome, reading: _Reading) -> bool:
    """Tell whether an outcome that has no label among the others' is told all the same, names aside."""
    names = {w.text for w in words_of(outcome.text)[1:] if ctx.source[w.start].isupper()}
    telling = _own_stems(ctx, pair, outcome) - frozenset(map(stem, names))
    told = reading.most_told(telling)
    return told > 1 and told / len(telling) >= _TOLD_APART


def _is_told(ctx: Context, pair: Pair, outcome: PlanOutcome, reading: _Reading) -> bool:
    own = _own_stems(ctx, pair, outcome)
    if not own:
        return True
    share = reading.most_told(own) / len(own)
    if share >= _TOLD:
        return True
    degree = _degree(ctx, outcome)
    if degree == "success":
        return _cued(ctx, degree, reading) or len(own & reading.places.keys()) / len(own) >= _GLIMPSED
    placed = _claims_placed(ctx, pair, outcome)
    if degree:
        return _cued(ctx, degree, reading) and placed
    _, setting = ctx.keep("stems", str(pair.plan.passage.start), lambda: _scene_stems(ctx, pair))
    label = _stems(ctx, outcome.label) - setting  # who is there anyway shows nothing
    return placed and (not label.isdisjoint(reading.places) or share >= _HINTED)


def _own_stems(ctx: Context, pair: Pair, outcome: PlanOutcome) -> frozenset[str]:
    """Return the stems of an outcome that neither the scene's other outcomes nor its set-up have."""
    whole = _stems(ctx, outcome.text)
    tellers, setting = ctx.keep("stems", str(pair.plan.passage.start), lambda: _scene_stems(ctx, pair))
    own = frozenset(one for one in whole if tellers[one] == 1)
    telling = own - setting
    return telling if len(telling) >= _ENOUGH else own or whole


def _scene_stems(ctx: Context, pair: Pair) -> tuple[Counter[str], frozenset[str]]:
    """Return in how many outcomes of a scene each stem stands, and the stems of its set-up."""
    tellers = Counter(one for outcome in pair.plan.outcomes for one in _stems(ctx, outcome.text))
    setting = (_stems(ctx, f.text) for f in pair.plan.fields if f.key in _SETTING)
    return tellers, frozenset[str]().union(*setting)


def _stems(ctx: Context, passage: Passage) -> frozenset[str]:
    return ctx.keep("stems", f"{passage.start}-{passage.end}", lambda: ctx.stems_of(ctx.words(passage)))


def _degree(ctx: Context, outcome: PlanOutcome) -> str:
    """Return the degree that a label names; empty where it names a choice or an event."""
    return degree_of(ctx, words_of(outcome.label))


def _cued(ctx: Context, degree: str, reading: _Reading) -> bool:
    known = reading.cued.get(degree)
    if known is None:
        cues = ctx.phrases(f"cue_{degree}")
        known = reading.cued[degree] = any(cues.any(s.words) for s in reading.sentences)
    return known


def _claims_placed(ctx: Context, pair: Pair, outcome: PlanOutcome) -> bool:
    """Tell whether the prose has a mechanic of the outcome; also where the outcome has none."""
    wanted = _marks(ctx.claims(outcome.text))
    return not wanted or bool(wanted & _told_marks(ctx, pair.prose))


def _told_marks(ctx: Context, prose: Passage) -> frozenset[str]:
    return ctx.keep("told marks", str(prose.start), lambda: _marks(ctx.claims(prose)))


def _marks(claims: Sequence[Claim]) -> frozenset[str]:
    found: set[str] = set()
    for claim in claims:
        if isinstance(claim, Damage):
            found.add("damage")
        elif isinstance(claim, Condition) and claim.condition.id and claim.mechanical:
            found.add(claim.condition.id)
        elif isinstance(claim, Cover) and claim.degree.id:
            found.add("cover")
        elif isinstance(claim, ActionUse) and claim.action.id not in (None, "action"):
            found.add(str(claim.action.id))
    return frozenset(found)
