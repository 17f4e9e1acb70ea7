"""What a reviewer states of a plan: its figures and saves, how many outcomes, checks and scenes."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import TypeVar

from rules.checks import lexicon
from rules.checks.context import Context
from rules.checks.review_denials import Clause, Spans, clauses, marks, word_list
from rules.checks.text import Sentence
from rules.claims.model import ArmorClass, BareDC, Check, Claim, Damage, DCChange, HitPoints, Roll, Save
from rules.document import Passage, PlanScene
from rules.wording import LANGUAGES

C = TypeVar("C", bound=Claim)

_ALL_WITHIN = 2
"""Words before a count in which it is said that it is the whole."""
_COUNT_WITHIN = 2
"""Words between a number and what it counts."""
_MOST = 12
COUNTED = ("outcomes", "scenes", "checks", "saves")
"""What a reviewer counts."""
_COUNTED = frozenset(f"counted_{noun}" for noun in COUNTED)


def may_state(sentence: Sentence, found: Spans, accepts: bool) -> bool:
    """Tell whether a sentence may state a figure of the plan at all."""
    if not accepts and not found.get("states"):
        return False
    return "thing_save" in found or any(any(map(str.isdecimal, w[0])) for w in sentence.words)


def has_figure(sentence: Sentence) -> bool:
    """Tell whether a sentence has a number in figures."""
    return any(w[0].isdecimal() for w in sentence.words)


def has_number(sentence: Sentence) -> bool:
    """Tell whether a sentence has a number that may count something, in figures or in words."""
    known, one = _number_words(), word_list("words", "one")
    return any(w.text.isdecimal() or w.text in known or w.text in one for w in sentence.words)


def stated(ctx: Context, versions: Sequence[PlanScene], sentence: Sentence, found: Spans) -> str:
    """Return what a scene's versions give where a sentence states another figure of it; empty otherwise.

    What is proposed, compared or supposed is no statement of the plan.
    """
    text = ctx.source[sentence.start : sentence.end]
    of_damage = "thing_damage" in found
    for claim in ctx.claims(Passage(text, sentence.start)):
        if "proposes" in found and is_proposed(ctx, sentence, claim.end):
            continue
        harm = isinstance(claim, Roll) and of_damage
        for given in _other_dice(ctx, versions, claim) if harm else _others(ctx, versions, claim):
            return given
    return ""


def is_proposed(ctx: Context, sentence: Sentence, end: int) -> bool:
    """Tell whether a figure is proposed, compared or denied: before it, or in the rest of its clause."""
    before = sentence.before(end)
    after = sentence.after(end)
    rest = next(clauses(ctx.source, after)).words if after else ()
    gap = ctx.source[end : after[0].start] if after else ""
    joint = next((i for i, w in enumerate(rest) if w.text in word_list("words", "joints")), len(rest))
    own = () if any(mark in gap for mark in ",;:.") else rest[:joint]
    return "proposes" in marks().find((*before, *own))


def _others(ctx: Context, versions: Sequence[PlanScene], claim: Claim) -> Iterator[str]:
    """Give what the plan has in the place of a claim that is not in it."""
    if isinstance(claim, Check | Save | BareDC) and claim.dc is not None:
        yield from _other_dc(ctx, versions, claim, claim.dc)
    elif isinstance(claim, ArmorClass | HitPoints) and claim.value is not None:
        if isinstance(claim, HitPoints) and claim.change:
            return
        given = _planned(ctx, versions, type(claim))
        blocks = {v for b in ctx.facts.stat_blocks.values() for v in (b.ac, b.hp)}
        if given and claim.value not in blocks and all(c.value != claim.value for c in given):
            yield _quoted(given)
    elif isinstance(claim, Damage) and claim.dice:
        yield from _other_dice(ctx, versions, claim)
    if isinstance(claim, Save) and claim.abilities:
        saves = [s for s in _planned(ctx, versions, Save) if s.abilities]
        told = {a.id for s in saves for a in s.abilities}
        if saves and told.isdisjoint(a.id for a in claim.abilities):
            yield _quoted(saves)


def _other_dice(ctx: Context, versions: Sequence[PlanScene], claim: Claim) -> Iterator[str]:
    dice: list[Damage | Roll] = [d for d in _planned(ctx, versions, Damage) if d.dice]
    told = getattr(claim, "dice", None)
    if dice and all(d.dice != told for d in (*dice, *_planned(ctx, versions, Roll))):
        yield _quoted(dice)


def _other_dc(
    ctx: Context, versions: Sequence[PlanScene], claim: Check | Save | BareDC, value: int
) -> Iterator[str]:
    rolls: list[Check | Save | BareDC] = [
        *_planned(ctx, versions, Check),
        *_planned(ctx, versions, Save),
        *_planned(ctx, versions, BareDC),
    ]
    values = {d.value for c in rolls for d in c.dcs}
    values |= {to for c in _planned(ctx, versions, DCChange) for to in c.to}
    if values and value not in values:
        yield _quoted([c for c in rolls if c.dc is not None])
    elif isinstance(claim, Check) and claim.skills:
        same = [c for c in rolls if isinstance(c, Check) and set(c.skills) & set(claim.skills)]
        if same and all(c.dcs and value not in {d.value for d in c.dcs} for c in same):
            yield _quoted(same)


def _planned(ctx: Context, versions: Sequence[PlanScene], kind: type[C]) -> list[C]:
    return [c for scene in versions for c in ctx.plan_claims(ctx.twin(scene), kind)]


def _quoted(claims: Sequence[Claim]) -> str:
    return ", ".join(dict.fromkeys(" ".join(c.quote.split()) for c in claims[:_MOST]))


def miscounted(ctx: Context, scene: PlanScene | None, scenes: int, told: Sequence[Clause]) -> str:
    """Return how many outcomes, checks, saves or scenes there are where a sentence counts others."""
    for clause in told:
        if _COUNTED.isdisjoint(clause.found) or _is_proposed(clause):
            continue
        for noun in COUNTED:
            for first, _ in clause.found.get(f"counted_{noun}", ()):
                count = _count_before(ctx, clause, first)
                have = scenes if noun == "scenes" else _have(ctx, scene, noun)
                if count and have is not None and _is_wrong(clause, count, have, noun):
                    return str(have)
    return ""


def _is_proposed(clause: Clause) -> bool:
    """Tell whether a clause denies or proposes; `not enough` only says that a count is the whole."""
    judging = {i for first, last in clause.found.get("only", ()) for i in range(first, last)}
    others = (*clause.found.get("particles", ()), *clause.found.get("proposes", ()))
    return any(first not in judging for first, _ in others)


@cache
def _number_words() -> Mapping[str, int]:
    """Return the numbers in words of all languages."""
    return {k: int(v) for lang in LANGUAGES for k, v in lexicon.table("numbers", lang).items()}


def _count_before(ctx: Context, clause: Clause, noun: int) -> tuple[int, int] | None:
    """Return the number that counts a noun and its place; None where there is none, or an ordinal's."""
    names = _number_words()
    if _is_headed(ctx, clause, noun):
        return None
    for index in range(noun - 1, max(-1, noun - 2 - _COUNT_WITHIN), -1):
        word = clause.words[index].text
        if word in word_list("words", "one"):
            return 1, index
        if word in names or (word.isdecimal() and len(word) <= 2):
            return (int(word) if word.isdecimal() else names[word]), index
        if word not in word_list("words", "kinds"):
            return None
    return None


def _is_headed(ctx: Context, clause: Clause, noun: int) -> bool:
    """Tell whether a noun heads what follows, after a scene's id (`Scene 1.4 · outcomes: …`)."""
    before = clause.words[noun - 1] if noun else None
    return before is not None and "·" in ctx.source[before.end : clause.words[noun].start]


def _have(ctx: Context, scene: PlanScene | None, noun: str) -> int | None:
    if scene is None:
        return None
    if noun == "outcomes":
        return len(scene.outcomes) or None
    twin = ctx.twin(scene)
    saves = len(ctx.plan_claims(twin, Save))
    if noun == "saves":
        return saves
    return len(ctx.plan_claims(twin, Check)) + len(ctx.plan_claims(twin, BareDC)) + saves


def _is_wrong(clause: Clause, count: tuple[int, int], have: int, noun: str) -> bool:
    """Tell whether a count says other than what there is: more, or fewer where it is said to be all."""
    value, at = count
    if value > have:
        return value > 1
    if value >= have or noun == "saves":
        return False
    if noun == "checks":  # one may be made for another, and a contest counts once: only `only` denies it
        return any(
            0 <= at - i <= _ALL_WITHIN or first == at or i == at + 1
            for first, i in clause.found.get("only", ())
        )
    before = [i for name in ("only", "has_count") for _, i in clause.found.get(name, ())]
    after = [i for i, _ in clause.found.get("only", ())]
    whole = any(0 <= at - i <= _ALL_WITHIN for i in before) or any(i > at for i in after)
    partitive = any(w.text in word_list("words", "partitive") for w in clause.words[at + 1 : at + 3])
    return whole and not partitive
