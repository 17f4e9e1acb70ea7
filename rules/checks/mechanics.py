"""Mechanics of the ruleset: does what the text says work in the game?"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence

from rules.checks import denials, extremes, holds, triggers
from rules.checks.context import Context, Unit, passages_of
from rules.checks.hit import Hit
from rules.checks.text import Sentence, Word, flat, words_of
from rules.claims.model import (
    ActionUse,
    ArmorClass,
    Attack,
    BareDC,
    Check,
    Claim,
    Condition,
    Critical,
    Duration,
    Save,
)
from rules.document import Passage

_FREEING = ("str", "dex", "athletics", "acrobatics")
"""What one gets free with."""
_FORBIDDEN_WITHIN = 14
"""Words on each side of a bonus action in which it is forbidden."""
_ALREADY_WITHIN = 6
"""Words before a condition in which it is said that somebody is in it already."""
_INSTEAD_WITHIN = 5
"""Words before an opportunity attack in which it is said that something else is done instead."""
_EVENT_WITHIN = 5
"""Words at a sentence's beginning in which it is said who does something."""
_WORST = ("natural_1", "critical_failure")
_TOLD_TWICE = 60
"""Characters between two names of one result."""
_SKILL_WITHIN = 40
"""Characters after an extreme result in which the skill is named that it is rolled with."""
_SKILL_BESIDE = 5
"""Words on either side of an extreme result in which the skill is named that it is rolled with."""
_BLOW_WITHIN = 10
"""Words before a DC in which a blow is named that must reach it."""
_ROLL_WITHIN = 6
"""Words after a DC in which it is said to be an attack roll's."""
_LINK_WITHIN = 4
"""Words between a roll and what it is rolled against."""
_BEFORE = 12
"""Words before a condition in which it is kept off."""
_SUPPOSED_WITHIN = 7
"""Words of a clause that only supposes a condition."""


def attack_against_dc(ctx: Context) -> Iterator[Hit]:
    """An attack is rolled against a DC."""
    for unit in ctx.units:
        for bare in ctx.told(unit.passage, BareDC):
            sentence = ctx.sentence_at(unit.passage, bare.start)
            at = _bonus_before(ctx, unit, bare, sentence)
            at = _attack_before(ctx, unit, bare, sentence) if at is None else at
            at = _attack_beside(ctx, unit, bare, sentence) if at is None else at
            if at is not None and not bare.escape:
                message = ctx.say("attack-against-dc.message", dc=bare.dc)
                span = (at, bare.end)
                source = ctx.say("attack-against-dc.source")
                yield ctx.clause_hit(unit.scene, unit.part, unit.passage, span, message, "", source)
        yield from _against_armor(ctx, unit)


def _against_armor(ctx: Context, unit: Unit) -> Iterator[Hit]:
    """Find checks and saves that are rolled against an AC."""
    for armor in ctx.told(unit.passage, ArmorClass):
        sentence = ctx.sentence_at(unit.passage, armor.start)
        kinds = (Check, Save)
        rolls = [c for k in kinds for c in ctx.told_between(unit.passage, k, sentence.start, armor.start)]
        last = max(rolls, key=lambda c: c.end, default=None)
        between = ctx.words_between(unit.passage, last.end, armor.start) if last and not last.dcs else ()
        links = [w.text in ctx.word_list("rolled_against") for w in between[: _LINK_WITHIN + 1]]
        joined = len(links) <= _LINK_WITHIN and any(links[:1])
        if last and joined and not ctx.phrases("attack_words").any(between):
            message = ctx.say("attack-against-dc.armor", ac=armor.value)
            span = (last.start, armor.end)
            source = ctx.say("attack-against-dc.source")
            yield ctx.clause_hit(unit.scene, unit.part, unit.passage, span, message, "", source)


def _bonus_before(ctx: Context, unit: Unit, bare: BareDC, sentence: Sentence) -> int | None:
    """Return where an attack's bonus stands right before a DC (`attacks at +6 against DC 16`)."""
    hits = [
        a for a in ctx.told_between(unit.passage, Attack, sentence.start, bare.start) if a.bonus is not None
    ]
    link = [w.text for w in ctx.words_between(unit.passage, hits[-1].end, bare.start)] if hits else []
    if link and len(link) <= _LINK_WITHIN and link[0] in ctx.word_list("rolled_against"):
        return hits[-1].start
    before = sentence.before(bare.start)
    while before and before[-1].text in (*ctx.word_list("definite"), *ctx.word_list("indefinite")):
        before = before[:-1]
    if len(before) < 2 or before[-1].text not in ctx.word_list("rolled_against"):
        return None
    figure = before[-2]
    signed = figure.text.isdigit() and ctx.source[figure.start - 1] == "+"
    attacks = ctx.phrases("strikes").any(before)
    rolls = any(ctx.told_between(unit.passage, k, sentence.start, bare.end) for k in (Check, Save))
    rolled = ctx.phrases("rolls_attack").first(before)
    if rolled and not rolls and not ctx.phrases("not_an_attack").any(sentence.words):
        return before[rolled[0]].start  # `attacks with a spear against DC 13`
    return figure.start - 1 if signed and attacks and not rolls else None


def _attack_before(ctx: Context, unit: Unit, bare: BareDC, sentence: Sentence) -> int | None:
    """Return where the attack is named to which a DC belongs; None where it belongs to something else."""
    named = ctx.keep("attacks", str(sentence.start), lambda: _attacks(ctx, sentence))
    before = bisect_right(named, bare.start, key=_end_of)
    if before < len(named) and ctx.source[bare.end : named[before][0]].strip(" *_)") == "":
        return bare.start  # `a DC 14 attack roll`
    after = sentence.after(bare.end)[:1]
    if after and after[0].text in ctx.word_list("attack_nouns") and after[0].start - bare.end == 1:
        return bare.start  # `a DC 15 attack`
    if _is_for_attacks(ctx, sentence.after(bare.end)):
        return bare.start  # `DC 17 for any attack`
    if not before:
        return None
    start = named[before - 1][0]
    between = ctx.words_between(unit.passage, named[before - 1][1], bare.start)
    kinds = ctx.word_list("attack_kinds")
    beside = all(w.text in kinds for w in between)  # `a melee attack, DC 12`, `un ataque a distancia, CD 12`
    if not beside and any(c in ctx.source[start : bare.start] for c in ",;:."):
        return None
    others = (Check, Save, ArmorClass)
    return None if any(ctx.told_between(unit.passage, k, start, bare.end + 12) for k in others) else start


def _is_for_attacks(ctx: Context, after: Sequence[Word]) -> bool:
    """Tell whether a DC is said to be for attacks (`DC 17 for any attack`, `CD 15 para los ataques`)."""
    rolled = ctx.phrases("in_attack_roll").first(after[:_ROLL_WITHIN])
    if rolled is not None and rolled[0] == 0:
        return True  # `beat DC 19 on the attack roll`
    if not after or after[0].text not in ctx.word_list("meant_for"):
        return False
    return any(w.text in ctx.word_list("attack_nouns") for w in after[1:3])


def _attack_beside(ctx: Context, unit: Unit, bare: BareDC, sentence: Sentence) -> int | None:
    """Return where a DC is one that is hit, or at which one shoots (`hit DC 17`, `attack it: DC 18`)."""
    others = any(ctx.told_between(unit.passage, k, sentence.start, sentence.end) for k in (Check, Save))
    if others or ctx.phrases("not_an_attack").any(sentence.words):
        return None
    before, after = sentence.before(bare.start), sentence.after(bare.end)[:_LINK_WITHIN]
    if ctx.phrases("hits_figure").any(before[-2:]) or ctx.phrases("rolls_attack").any(after):
        return before[-1].start if before else bare.start
    blow = next(reversed(list(ctx.phrases("blows").find(before[-_BLOW_WITHIN:]))), None)
    if blow is not None and ctx.phrases("reaches_figure").any(before[-_BLOW_WITHIN:][blow[1] :]):
        return before[-_BLOW_WITHIN:][blow[0]].start  # `an arrow that beats DC 16 cuts it`
    first = ctx.phrases("attacks_it").first(before[:1])
    beside = ctx.source[before[-1].end : bare.start].strip(" *_") in (":", ",", "(") if before else False
    return before[0].start if first and beside and len(before) <= _LINK_WITHIN + 1 else None


def _attacks(ctx: Context, sentence: Sentence) -> list[tuple[int, int]]:
    """Return where a sentence names an attack; nowhere where it says that it is none."""
    words = sentence.words
    if ctx.phrases("not_an_attack").any(words):
        return []
    return [(words[i].start, words[k - 1].end) for i, k in ctx.phrases("attack_words").find(words)]


def _end_of(span: tuple[int, int]) -> int:
    return span[1]


def opportunity_attack_trigger(ctx: Context) -> Iterator[Hit]:
    """An opportunity attack is provoked by something else than leaving a reach."""
    for unit, sentence, use in _action_uses(ctx, "opportunity_attack"):
        before = sentence.before(use.start)
        if ctx.phrases("instead_of").any(before[-_INSTEAD_WITHIN:]):
            continue  # `she may cast a spell instead of an opportunity attack`
        near = _previous(ctx, unit, sentence)
        if ctx.phrases("oa_by_trait").any((*(near.words if near else ()), *sentence.words)):
            continue  # `has Polearm Master, so entering his reach provokes one`
        span = _wrong_trigger(ctx, sentence, use)
        forced = triggers.is_forced_out(ctx, sentence, use)
        if forced is not None or span is not None:
            key = "message" if forced is None else "forced"
            message = ctx.say(f"opportunity-attack-trigger.{key}")
            span = (forced, use.end) if forced is not None else span or (use.start, use.end)
            source = ctx.say("opportunity-attack-trigger.source")
            yield ctx.clause_hit(unit.scene, unit.part, unit.passage, span, message, "", source)


def _wrong_trigger(ctx: Context, sentence: Sentence, use: ActionUse) -> tuple[int, int] | None:
    """Return where something else than leaving a reach is told to provoke an attack, or None."""
    before = sentence.before(use.start)
    into = triggers.comes_into_reach(ctx, before)
    wrong = ctx.phrases("wrong_triggers").first(before) or ctx.phrases("coming").first(before) or into
    comes = ctx.phrases("coming").any(before) or into is not None
    comes = comes and not ctx.phrases("going").any(sentence.words)
    away = any(ctx.phrases(name).any(sentence.words) for name in ("leaving", "leaving_reach"))
    leaves = away and not comes
    avoided = ctx.phrases("without_provoking").any(sentence.words)
    later = None if wrong else triggers.wrong_target(ctx, sentence, use)
    if later is not None and not avoided:
        wrong, leaves = (0, 0), False
    deed = None if wrong or avoided else triggers.groundless(ctx, sentence, use)
    if deed is None and not (wrong and not leaves and not avoided):
        return None
    start = before[wrong[0]].start if wrong and later is None else use.start
    return (start if deed is None else deed, use.end if later is None else later)


def bonus_action_off_turn(ctx: Context) -> Iterator[Hit]:
    """A bonus action is taken outside of the creature's own turn."""
    for unit, sentence, use in _action_uses(ctx, "bonus_action"):
        words = sentence.words
        off = ctx.phrases("off_turn").first(words)
        # `fuera de su turno` says no own turn
        rest = words if off is None else (*words[: off[0]], *words[off[1] :])
        own_turn = ctx.phrases("own_turn").any(rest)
        answered = ctx.phrases("on_failure").any(words) and ctx.phrases("at_once").any(words)
        near = _previous(ctx, unit, sentence)
        provoked = (
            ctx.phrases("at_once").any(words) and near and ctx.phrases("on_failure").any(near.words[:6])
        )
        stepped_in = _another_acts(ctx, sentence, use)
        if denials.is_disowned(ctx, unit, use.start) or _is_forbidden(ctx, sentence, use):
            continue
        reacts = triggers.is_reaction(ctx, sentence, use) or triggers.is_in_anothers_turn(ctx, sentence, use)
        if reacts or (not own_turn and (off or answered or provoked or stepped_in)):
            message = ctx.say("bonus-action-off-turn.message")
            span = (use.start, use.end)
            expected = ctx.ruleset.word("action", "reaction", ctx.language)
            source = ctx.say("bonus-action-off-turn.source")
            yield ctx.clause_hit(unit.scene, unit.part, unit.passage, span, message, expected, source)


def _is_forbidden(ctx: Context, sentence: Sentence, use: ActionUse) -> bool:
    """Tell whether a sentence says when it must not be used (`never on another's turn`)."""
    around = sentence.around(use.start, use.end, _FORBIDDEN_WITHIN)
    return ctx.phrases("forbidden").any(around) and ctx.phrases("own_turn_rule").any(sentence.words)


def _another_acts(ctx: Context, sentence: Sentence, use: ActionUse) -> bool:
    """Tell whether a creature acts upon what somebody else does (`when an intruder enters, the dog …`)."""
    comma = ctx.source.find(",", sentence.start, use.start)
    event = ctx.phrases("foreign_event").first(sentence.words[:_EVENT_WITHIN])
    if comma < 0 or event is None:
        return False
    clause = sentence.before(comma)
    main = [w for w in sentence.words if comma < w.start < use.start]
    named = len(main) > 1 and main[0].text in ctx.word_list("definite")
    return named and main[1].text not in {w.text for w in clause} and not ctx.phrases("of_players").any(main)


def _action_uses(ctx: Context, action: str) -> Iterator[tuple[Unit, Sentence, ActionUse]]:
    for unit in ctx.units:
        for use in ctx.told(unit.passage, ActionUse):
            if use.action.id == action:
                yield unit, ctx.sentence_at(unit.passage, use.start), use


def _previous(ctx: Context, unit: Unit, sentence: Sentence) -> Sentence | None:
    """Return the sentence before, in the same paragraph."""
    before = (
        ctx.sentence_at(unit.passage, sentence.start - 1) if sentence.start > unit.passage.start else None
    )
    if (
        before is None
        or before == sentence
        or "\n\n" in ctx.source[before.start : sentence.start].rstrip(" ")
    ):
        return None
    return before


def crit_on_check(ctx: Context) -> Iterator[Hit]:
    """A natural 1 or 20, or a critical result, is given an effect on an ability check."""
    for unit in ctx.units:
        told: dict[tuple[int, bool], int] = {}
        for critical in ctx.told(unit.passage, Critical):
            if critical.what == "critical_hit" or not _on_check(ctx, unit, critical):
                continue
            sentence = ctx.sentence_at(unit.passage, critical.start)
            if extremes.is_taken_as(ctx, sentence, critical.end):
                continue
            denied = extremes.is_denied_after(ctx, sentence, critical.end)
            if denied or denials.is_denied(ctx, unit, critical.start):
                continue
            # `a natural 1 (a critical failure)` is one thing, told twice
            key = (ctx.sentence_at(unit.passage, critical.start).start, critical.what in _WORST)
            near = critical.start - told.get(key, -_TOLD_TWICE) < _TOLD_TWICE
            told[key] = critical.end
            if near:
                continue
            message = ctx.say("crit-on-check.message", told=flat(critical.quote))
            span = (critical.start, critical.end)
            source = ctx.say("crit-on-check.source")
            yield ctx.clause_hit(unit.scene, unit.part, unit.passage, span, message, "", source)
        for start, end in extremes.plain(ctx, unit):
            told_plainly = flat(ctx.source[start:end])
            message = ctx.say("crit-on-check.message", told=told_plainly)
            source = ctx.say("crit-on-check.source")
            yield ctx.clause_hit(unit.scene, unit.part, unit.passage, (start, end), message, "", source)


def _on_check(ctx: Context, unit: Unit, critical: Critical) -> bool:
    """Tell whether an extreme result is that of an ability check, by what is rolled last before it."""
    sentence = ctx.sentence_at(unit.passage, critical.start)
    beside = sentence.around(critical.start, critical.end, _SKILL_BESIDE)
    if extremes.names_a_skill(ctx, sentence, beside) and not _planned_degree(ctx, unit, critical):
        return True
    if ctx.phrases("attack_words").any(sentence.words) or ctx.phrases("attack_rolls").any(sentence.words):
        return False
    if _planned_degree(ctx, unit, critical):
        return False
    if _names_a_skill(ctx, unit, critical) or extremes.names_a_skill(ctx, sentence):
        return True
    if any(ctx.phrases(name).any(sentence.words) for name in ("check_scenes", "surely_check")):
        return True
    rolls = ctx.keep("rolls", str(unit.passage.start), lambda: _rolls(ctx, unit.passage))
    before = bisect_left(rolls, critical.start, key=_start_of)
    return bool(rolls) and isinstance(rolls[max(0, before - 1)], Check)


def _rolls(ctx: Context, passage: Passage) -> list[Claim]:
    """Return the rolls of a passage in order."""
    return [c for c in ctx.claims(passage) if isinstance(c, (Check, Save, Attack)) and not c.in_speech]


def _start_of(claim: Claim) -> int:
    return claim.start


def _names_a_skill(ctx: Context, unit: Unit, critical: Critical) -> bool:
    """Tell whether a skill is named right after an extreme result (`a natural 20 on Persuasion`)."""
    after = [w.text for w in ctx.words_between(unit.passage, critical.end, critical.end + _SKILL_WITHIN)]
    if not after or after[0] not in ctx.word_list("rolled_on"):
        return False
    names = (" ".join(after[i : i + n]) for i in (1, 2) for n in (1, 2, 3))
    return any(ctx.ruleset.find("skill", name, ctx.language) for name in names if name)


def _planned_degree(ctx: Context, unit: Unit, critical: Critical) -> bool:
    """Tell whether the plan has an outcome of that degree: then the prose only calls it by its name."""
    if critical.what not in ("critical_success", "critical_failure"):
        return False
    phrases = ctx.phrases(f"degree_{critical.what}")

    def once() -> bool:
        labels = (o.label for s in ctx.plans_by_id.get(unit.scene, ()) for o in s.outcomes)
        return any(phrases.any(words_of(label)) for label in labels)

    return ctx.keep(f"planned {critical.what}", unit.scene, once)


def condition_no_escape(ctx: Context) -> Iterator[Hit]:
    """Somebody is held, and the text does not say how one gets free."""
    for unit in ctx.units:
        for claim in holds.held(ctx, unit):
            held = claim.mechanical and not claim.negated and claim.condition.id in holds.HOLDS
            if held and not _is_kept_off(ctx, unit, claim) and not _ends(ctx, unit, claim):
                if _plan_says_it(ctx, unit, claim):
                    continue
                message = ctx.say("condition-no-escape.message", word=claim.condition.text)
                span = (claim.start, claim.end)
                source = ctx.say("condition-no-escape.source")
                yield ctx.clause_hit(unit.scene, unit.part, unit.passage, span, message, "", source)


def _is_kept_off(ctx: Context, unit: Unit, claim: Condition) -> bool:
    """Tell whether the text says that somebody does not get into a condition (`can't be restrained`)."""
    sentence = ctx.sentence_at(unit.passage, claim.start)
    before = sentence.before(claim.start)[-_BEFORE:]
    if any(ctx.phrases(name).any(before) for name in ("not_imposed", "required_state")):
        return True
    if _is_supposed(ctx, sentence, claim) or _is_so_already(ctx, sentence, claim):
        return True
    return _is_explained(ctx, sentence, claim)


def _is_so_already(ctx: Context, sentence: Sentence, claim: Condition) -> bool:
    """Tell whether a condition is one that somebody is in before (`one creature grappled by the vampire`)."""
    before = sentence.before(claim.start)[-_ALREADY_WITHIN:]
    if any(ctx.phrases(name).any(before) for name in ("imposing", "leaves_somebody")):
        return False
    so = next(reversed(list(ctx.phrases("already_so").find(before))), None)
    if so is not None and (so[1] == len(before) or before[-1].text in ctx.word_list("joining")):
        return True  # `that is grappled`, `that is charmed or grappled`; not `who is near it is grappled`
    by = ctx.phrases("held_by").first(sentence.after(claim.end)[:1])
    return by is not None and ctx.phrases("who_is_held").any(before[-1:])


def _is_explained(ctx: Context, sentence: Sentence, claim: Condition) -> bool:
    """Tell whether a clause begins with what it is to be in a condition (`being grappled sets …`)."""
    before = sentence.before(claim.start)
    if not ctx.phrases("state_as_subject").any(before[-1:]):
        return False
    return len(before) == 1 or any(c in ";:,(" for c in ctx.source[before[-2].end : before[-1].start])


def _is_supposed(ctx: Context, sentence: Sentence, claim: Condition) -> bool:
    """Tell whether a condition is only supposed (`if the bearer is grappled, …`)."""
    before = sentence.before(claim.start)
    opener = next(reversed(list(ctx.phrases("supposing").find(before))), None)
    if opener is None or len(before) - opener[1] > _SUPPOSED_WITHIN:
        return False
    clause = before[opener[1] :]
    cause = ctx.phrases("imposing").any(clause) or "," in ctx.source[before[opener[0]].start : claim.start]
    return not cause and "," in ctx.source[claim.end : sentence.end]


def _whole_scene(ctx: Context, unit: Unit) -> tuple[Passage, ...]:
    if unit.part == "plan":
        return tuple(p for s in ctx.plans_by_id.get(unit.scene, ())[:1] for p in passages_of(s))
    return (unit.passage,)


def _ends(ctx: Context, unit: Unit, claim: Condition) -> bool:
    sentence = ctx.sentence_at(unit.passage, claim.start)
    following = ctx.sentence_at(unit.passage, sentence.end)
    limit = max(sentence.end, following.end)
    timed = bool(ctx.told_between(unit.passage, Duration, sentence.start, limit))
    near = (sentence, following, ctx.sentence_at(unit.passage, following.end))
    lasts = any(ctx.phrases("lasts_with").any(s.words) for s in near[:2])
    lasts = lasts or any(ctx.phrases("escapes_near").any(s.words) for s in near)
    key = unit.scene if unit.part == "plan" else f"@{unit.passage.start}"
    freed = _rolled_off(ctx, unit, sentence)
    return timed or lasts or freed or ctx.keep("escapes", key, lambda: _has_escape(ctx, unit))


def _has_escape(ctx: Context, unit: Unit) -> bool:
    """Tell whether a scene says anywhere how somebody gets free."""
    scene = _whole_scene(ctx, unit)
    freed = any(b.escape for p in scene for b in ctx.told(p, BareDC))
    return freed or any(ctx.phrases("escapes").any(s.words) for p in scene for s in ctx.sentences(p))


def _rolled_off(ctx: Context, unit: Unit, sentence: Sentence) -> bool:
    """Tell whether a check by which one gets free is given in the same sentence or the two that follow."""
    end = ctx.sentence_at(unit.passage, ctx.sentence_at(unit.passage, sentence.end).end).end
    checks = ctx.told_between(unit.passage, Check, sentence.start, max(end, sentence.end))
    ways = {*c.abilities, *c.skills} if (c := next(iter(checks), None)) else set[str]()
    return bool(ways & set(_FREEING))


def _plan_says_it(ctx: Context, unit: Unit, claim: Condition) -> bool:
    """Tell whether the scene's plan has the same condition: it is reported there, once."""
    if unit.part != "prose":
        return False
    plans = ctx.plans_by_id.get(unit.scene, ())[:1]
    planned = ctx.keep(
        "planned conditions",
        unit.scene,
        lambda: {c.condition.id for s in plans for c in ctx.plan_claims(s, Condition)},
    )
    return claim.condition.id in planned
