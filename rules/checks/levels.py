"""Mechanics against the party's level: DCs that nobody reaches or misses, traps too harsh or too mild."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from rules.checks.context import Context, Unit
from rules.checks.encounters import named_creatures
from rules.checks.hit import Hit
from rules.checks.text import Sentence, Word, contains, flat, fold
from rules.claims.model import Attack, Check, CheckOption, Damage, Difficulty, Fall, Save, Spell
from rules.facts import PartySheet

_DIE = 20
_NEAR = 320
"""Characters before a figure in which the trap that deals it is named."""
_DICE = re.compile(r"(\d{1,3})d(\d{1,3})")
_MONSTROUS = 1.5
"""Times the deadliest trap's damage from which no place deals it that is not called a trap."""
_BEST_ABILITY = 5
"""Modifier of an ability of 20, the most that a character has by level alone (SRD 5.1, Ability Scores)."""
_LAST_LEVEL = 20
_MILD = 2
"""How many times below the mildest trap even the highest roll must lie to be a note."""


def dc_for_level(ctx: Context) -> Iterator[Hit]:
    """A check's DC lies outside the ladder, or no one in the party can reach or miss it."""
    for unit in ctx.judged_units:
        for check in ctx.told(unit.passage, Check):
            if check.form == "check" and check.dcs and not check.against:
                yield from _judge_check(ctx, unit, check, check.dcs[0])
        yield from _judge_saves(ctx, unit)


def _judge_check(ctx: Context, unit: Unit, check: Check, dc: Difficulty) -> Iterator[Hit]:
    steps = ctx.ruleset.dc_ladder.steps
    bonuses = _bonuses(ctx, check)
    span = (check.start, check.end)
    if steps and dc.value > steps[-1][0]:
        message = ctx.say("dc-for-level.above", dc=dc.value, most=steps[-1][0])
        expected = ctx.say("dc-for-level.expected", dc=steps[-1][0])
        yield Hit(unit.scene, unit.part, *span, message, expected, ctx.say("dc-for-level.source"))
    elif bonuses and dc.value - max(bonuses) >= _DIE:
        best = max(bonuses)
        key = "only_20" if dc.value - best == _DIE else "beyond"
        message = ctx.say(f"dc-for-level.{key}", dc=dc.value, best=f"{best:+d}", total=best + _DIE)
        yield Hit(unit.scene, unit.part, *span, message, _most(ctx, max(bonuses)))
    elif not bonuses:
        yield from _judge_reach(ctx, unit, check, dc.value, 2)
    elif dc.value <= min(bonuses) + 1:
        message = ctx.say("dc-for-level.trivial", dc=dc.value, worst=f"{min(bonuses):+d}")
        yield replace(Hit(unit.scene, unit.part, *span, message), severity="note")


def _most(ctx: Context, best: int) -> str:
    """Return the highest DC of the ladder that somebody reaches with less than a 20."""
    fit = [dc for dc, _ in ctx.ruleset.dc_ladder.steps if dc - best < _DIE]
    return ctx.say("dc-for-level.expected", dc=fit[-1]) if fit else ""


def _bonuses(ctx: Context, check: Check) -> list[int]:
    """Return what each of the party adds, by the best way that the check allows; empty where unknown."""
    party = [[_bonus(ctx, sheet, option) for option in check.options] for sheet in ctx.facts.party]
    if any(bonus is None for row in party for bonus in row):
        return []
    best = max if check.joined != "and" else min
    return [best(bonus for bonus in row if bonus is not None) for row in party if row]


def _bonus(ctx: Context, sheet: PartySheet, option: CheckOption) -> int | None:
    skill = option.skill.id if option.skill else None
    ability = option.ability.id if option.ability else None
    if option.skill and skill is None:
        return None
    if skill and skill in sheet.skills:
        return sheet.skills[skill]
    if skill and not ability:
        ability = ctx.ruleset.ability_of(skill)
    if ability is None or ability not in sheet.abilities:
        return None
    return sheet.abilities[ability] + (sheet.proficiency if option.note else 0)


def _judge_saves(ctx: Context, unit: Unit) -> Iterator[Hit]:
    """Hold a trap's save DC against the severity that the text gives it."""
    for save in ctx.told(unit.passage, Save) if ctx.ruleset.traps else ():
        yield from _judge_reach(ctx, unit, save, save.dc, 1)
        severity = _severity(ctx, unit, save.start) if save.dc is not None and not save.death else None
        if severity is None or save.dc is None:
            continue
        least, most = ctx.ruleset.traps[severity].save_dc
        if not least <= save.dc <= most:
            message = ctx.say("dc-for-level.trap", dc=save.dc, least=least, most=most)
            source = ctx.cite(ctx.ruleset.traps[severity].source)
            yield Hit(unit.scene, unit.part, save.start, save.end, message, f"{least}–{most}", source)


def _judge_reach(ctx: Context, unit: Unit, roll: Check | Save, dc: int | None, times: int) -> Iterator[Hit]:
    """Hold a DC against the best that any character of the party's level can have, whatever the sheet.

    That is an ability of 20 and the proficiency bonus, `times` over (expertise doubles it).
    """
    level = ctx.level
    if dc is None or level is None or not 1 <= level <= _LAST_LEVEL:
        return
    best = _BEST_ABILITY + times * _proficiency(level)
    if dc - best >= _DIE:
        message = ctx.say("dc-for-level.nobody", dc=dc, level=level, best=f"{best:+d}", total=best + _DIE)
        yield Hit(unit.scene, unit.part, roll.start, roll.end, message, _most(ctx, best))


def _proficiency(level: int) -> int:
    """Return a character's proficiency bonus (SRD 5.1, Beyond 1st Level: one more every four levels)."""
    return 2 + (level - 1) // 4


def _severity(ctx: Context, unit: Unit, offset: int) -> str | None:
    """Return the severity that the text states of its trap; None where it states none, or two."""
    words = ctx.words_between(unit.passage, max(unit.passage.start, offset - _NEAR), offset + _NEAR)
    stated = [name for name in ctx.ruleset.traps if ctx.phrases(f"trap_{name}").any(words)]
    return stated[0] if len(stated) == 1 else None


def damage_for_level(ctx: Context) -> Iterator[Hit]:
    """A trap deals damage that does not fit the party's level, or its own severity."""
    level = ctx.level
    if level is None or not ctx.ruleset.traps:
        return
    for unit in ctx.judged_units:
        if ctx.told(unit.passage, Attack):
            continue
        for damage in ctx.told(unit.passage, Damage):
            if ctx.phrases("creature_roll").any(_near_words(ctx, unit, damage)):
                continue
            if damage.dice and _from_trap(ctx, unit, damage):
                yield from _judge_damage(ctx, unit, damage, level)
            elif damage.dice and _is_ownerless(ctx, unit, damage):
                yield from _judge_monstrous(ctx, unit, damage, level)


def _from_trap(ctx: Context, unit: Unit, damage: Damage) -> bool:
    """Tell whether a trap or hazard is named not far before the damage, and it is no fall's or creature's."""
    sentence = ctx.sentence_at(unit.passage, damage.start)
    if ctx.told_between(unit.passage, Fall, sentence.start, sentence.end):
        return False
    words = [w.text for w in sentence.words]
    if any(contains(fold(name).split(), words) for name in ctx.facts.stat_blocks):
        return False
    near = ctx.words_between(unit.passage, damage.start - _NEAR, sentence.end)
    return any(ctx.phrases(name).any(near) for name in ("trap", "hazard"))


def _near_words(ctx: Context, unit: Unit, damage: Damage) -> Sequence[Word]:
    """Return the words of a damage's sentence and of the one before."""
    sentence = ctx.sentence_at(unit.passage, damage.start)
    before = ctx.sentence_at(unit.passage, max(unit.passage.start, sentence.start - 1))
    return sentence.words if before.start == sentence.start else (*before.words, *sentence.words)


def _is_ownerless(ctx: Context, unit: Unit, damage: Damage) -> bool:
    """Tell whether a save keeps damage off that something of the place deals: no creature, spell or fall."""
    sentence = ctx.sentence_at(unit.passage, damage.start)
    if _is_an_event(ctx, unit, sentence, damage):
        return True
    before = ctx.sentence_at(unit.passage, max(unit.passage.start, sentence.start - 1))
    if not any(ctx.told_between(unit.passage, Save, s.start, s.end) for s in (before, sentence)):
        return False
    if any(ctx.told_between(unit.passage, kind, before.start, sentence.end) for kind in (Fall, Spell)):
        return False
    words = _near_words(ctx, unit, damage)
    if not ctx.phrases("place_harms").any(words) or ctx.phrases("creature_harms").any(words):
        return False
    texts = [w.text for w in words]
    named = any(contains(fold(name).split(), texts) for name in (*ctx.facts.stat_blocks, *ctx.facts.names))
    return not named and not named_creatures(ctx, words)


def _is_an_event(ctx: Context, unit: Unit, sentence: Sentence, damage: Damage) -> bool:
    """Tell whether a sentence says when damage strikes whoever is there, and names nobody who deals it."""
    words = sentence.before(damage.start)
    opened = ctx.phrases("done_when").first(words)
    if opened is None or not ctx.phrases("whoever_is_there").any(sentence.words):
        return False
    deals = (Fall, Spell, Attack)
    if any(ctx.told_between(unit.passage, kind, sentence.start, sentence.end) for kind in deals):
        return False
    texts = [w.text for w in sentence.words]
    named = any(contains(fold(name).split(), texts) for name in (*ctx.facts.stat_blocks, *ctx.facts.names))
    told = named or ctx.phrases("creature_harms").any(sentence.words)
    return not told and not named_creatures(ctx, sentence.words)


def _judge_monstrous(ctx: Context, unit: Unit, damage: Damage, level: int) -> Iterator[Hit]:
    """Tell of damage far beyond the deadliest trap's, where nothing says that it is a trap's."""
    hardest = max((trap.damage_at(level) for trap in ctx.ruleset.traps.values()), key=_mean)
    if damage.dice and damage.dice.average >= _MONSTROUS * _mean(hardest):
        yield from _judge_damage(ctx, unit, damage, level)


def _judge_damage(ctx: Context, unit: Unit, damage: Damage, level: int) -> Iterator[Hit]:
    traps = sorted(ctx.ruleset.traps.items(), key=lambda item: _mean(item[1].damage_at(level)))
    means = {name: _mean(trap.damage_at(level)) for name, trap in traps}
    stated = _severity(ctx, unit, damage.start)
    mean = damage.dice.average if damage.dice else 0
    dice = {name: trap.damage_at(level) for name, trap in traps}
    hardest, mildest = traps[-1][0], traps[0][0]
    span = (damage.start, damage.end)
    told = flat(damage.quote)
    source = ctx.cite(traps[-1][1].source)
    if mean > means[hardest]:
        message = ctx.say("damage-for-level.above", told=told, level=level, right=dice[hardest])
        yield Hit(unit.scene, unit.part, *span, message, dice[hardest], source)
    elif stated and not _is_of_severity(mean, means, stated):
        message = ctx.say("damage-for-level.stated", told=told, level=level, right=dice[stated])
        yield Hit(unit.scene, unit.part, *span, message, dice[stated], source)
    elif damage.dice and damage.dice.highest * _MILD < means[mildest]:
        message = ctx.say("damage-for-level.below", told=told, level=level, right=dice[mildest])
        yield replace(Hit(unit.scene, unit.part, *span, message, dice[mildest], source), severity="note")


def _is_of_severity(mean: float, means: Mapping[str, float], stated: str) -> bool:
    """Tell whether damage lies between the next milder and the next harder trap's."""
    milder = max((m for m in means.values() if m < means[stated]), default=0)
    harder = min((m for m in means.values() if m > means[stated]), default=mean + 1)
    return milder < mean < harder


def _mean(dice: str) -> float:
    found = _DICE.match(dice)
    return int(found[1]) * (int(found[2]) + 1) / 2 if found else 0.0
