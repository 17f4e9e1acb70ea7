"""Words of the ruleset by their place: skills, damage types, dice and lengths that it does not have."""

import re
from collections.abc import Iterator
from functools import cache
from typing import Final

from rules.checks.context import Context, Mark, Unit
from rules.checks.denials import is_disowned, is_mentioned
from rules.checks.hit import Hit
from rules.checks.text import Phrases, Sentence
from rules.claims.model import Attack, BareDC, Check, Damage, Distance, Roll, Save, UnsizedDie
from rules.wording import texts

_BOOK = "variants"
_RESULT_WITHIN = 6
"""Words after a roll in which its result is asked."""
_DC_WITHIN = 3
"""Characters between a skill and the word for its DC (`Climb DC 14`, `Climb (DC 14)`)."""
_AMOUNT = re.compile(r"\d[^.;:!?\n]{0,20}\Z")
"""What stands before a damage type: an amount and the words between (`3d6 points of`)."""
_AMOUNT_WITHIN = 24
_FEET = re.compile(r"(?<![\w'’.,])(\d{1,4})['′](?![\w'′])")
_QUOTES: Final = re.compile(r"(?<!\w)['‘]")


def old_skills(ctx: Context, unit: Unit) -> Iterator[Hit]:
    """Find skills of other games by their DC (`Climb DC 14`) or ability (`Charisma (Disguise)`)."""
    if not ctx.ruleset.skills:
        return
    for mark in ctx.marked(unit.passage, "old_skill", _BOOK):
        told = " ".join(ctx.source[mark.start : mark.end].split())
        if not ctx.source[mark.start].isupper() or is_mentioned(ctx, unit, mark.start):
            continue
        if ctx.ruleset.lookup("skill", told, ctx.language)[1] in ("canonical", "synonym"):
            continue
        checks = ctx.told_between(unit.passage, Check, mark.sentence.start, mark.sentence.end)
        if any(c.unknown and c.start <= mark.start < c.end for c in checks):
            continue  # it is told already
        if _has_own_dc(ctx, unit, mark) or _is_of_ability(ctx, mark):
            message = ctx.say("unknown-skill.message", word=told)
            yield Hit(unit.scene, unit.part, mark.start, mark.end, message, "", ctx.ruleset.id)


def _has_own_dc(ctx: Context, unit: Unit, mark: Mark) -> bool:
    """Tell whether the word for a check, or a DC that is of no other skill, follows a word."""
    following = mark.sentence.after(mark.end)[:1]
    if _phrases("skill_frame", ctx.language).any(following):
        return True
    gap = ctx.source[mark.end : mark.end + _DC_WITHIN].partition("\n")[0]
    closed = 1 if gap.startswith(")") else 0
    opens = not mark.sentence.before(mark.start)
    if gap[closed:].lstrip().startswith("(") and opens:
        return False  # `Jump (DC 13)` may be what is done
    low, high = mark.end, mark.end + closed + _DC_WITHIN
    return any(
        low <= dc.start <= high and not ctx.source[low : dc.start].strip(" ()*_")
        for dc in ctx.told_between(unit.passage, BareDC, low, mark.sentence.end)[:1]
    )


def _is_of_ability(ctx: Context, mark: Mark) -> bool:
    if ctx.source[mark.start - 1] != "(" or ctx.source[mark.end : mark.end + 1] != ")":
        return False
    before = mark.sentence.before(mark.start)[-1:]
    return any(ctx.ruleset.lookup("ability", w.text, ctx.language)[0] for w in before)


def odd_damage(ctx: Context, unit: Unit) -> Iterator[Hit]:
    """Find words that are no damage type between an amount and its end (`2d6 physical damage`)."""
    if not ctx.ruleset.damage_types:
        return
    for mark in ctx.marked(unit.passage, "odd_damage", _BOOK):
        amount = _AMOUNT.search(ctx.source, max(unit.passage.start, mark.start - _AMOUNT_WITHIN), mark.start)
        claims = ctx.told_between(unit.passage, Damage, mark.start - _AMOUNT_WITHIN, mark.end)
        if amount is None or any(c.types for c in claims) or is_mentioned(ctx, unit, mark.start):
            continue
        told = " ".join(ctx.source[mark.start : mark.end].split())
        message = ctx.say("damage-type.message", word=told)
        source = ctx.say("damage-type.source")
        yield Hit(unit.scene, unit.part, amount.start(), mark.end, message, "", source, "warning")


def unsized_dice(ctx: Context, unit: Unit) -> Iterator[Hit]:
    """Find dice that are counted and have no size (`takes two dice of damage`)."""
    for mark in ctx.marked(unit.passage, "unsized_dice", _BOOK):
        sized = _sizes(ctx, unit, mark.sentence)
        given = ctx.phrases("definite").any(mark.sentence.before(mark.start)[-1:])
        if sized or given or is_known_dice(ctx, mark.sentence) or is_mentioned(ctx, unit, mark.start):
            continue
        if not is_disowned(ctx, unit, mark.start):
            yield Hit(unit.scene, unit.part, mark.start, mark.end, ctx.say("ambiguous-die.message"))


def parity_dice(ctx: Context, unit: Unit) -> Iterator[Hit]:
    """Find dice of no size that are rolled to be even or odd (`roll the dice: on an even result, …`)."""
    for mark in ctx.marked(unit.passage, "parity_rolls", _BOOK):
        if not _phrases("parity", ctx.language).any(mark.sentence.after(mark.end)):
            continue
        before = ctx.sentence_at(unit.passage, max(unit.passage.start, mark.sentence.start - 1))
        sized = ctx.told_between(unit.passage, Roll, before.start, mark.sentence.end)
        if not sized and not is_known_dice(ctx, mark.sentence) and not is_mentioned(ctx, unit, mark.start):
            yield Hit(unit.scene, unit.part, mark.start, mark.end, ctx.say("ambiguous-die.message"))


def bare_results(ctx: Context, unit: Unit) -> Iterator[Hit]:
    """Find results of a die of no size (`five or more on one die`, `somebody rolls: on a 7 …`)."""
    for name in ("die_results", "rolls_bare"):
        for mark in ctx.marked(unit.passage, name, _BOOK):
            if name == "rolls_bare" and not _asks_result(ctx, unit, mark):
                continue
            sized = _sizes(ctx, unit, mark.sentence) or is_known_dice(ctx, mark.sentence)
            told = ctx.told_between(unit.passage, UnsizedDie, mark.sentence.start, mark.sentence.end)
            if not sized and not told and not is_mentioned(ctx, unit, mark.start):
                yield Hit(unit.scene, unit.part, mark.start, mark.end, ctx.say("ambiguous-die.message"))


def _asks_result(ctx: Context, unit: Unit, mark: Mark) -> bool:
    """Tell whether a roll of no die is followed by its result, and nothing else says what is rolled."""
    stopped = ctx.source[mark.end : mark.end + 1] in (":", ";", ".", ",")
    following = ctx.words_from(unit.passage, mark.end, _RESULT_WITHIN)
    first = _phrases("on_result", ctx.language).first(following)
    asked = first is not None and first[0] == 0 and any(w.text.isdigit() for w in following[first[1] :])
    opens = mark.start == mark.sentence.words[0].start  # then it may go on from the sentence before
    before = ctx.sentence_at(unit.passage, max(unit.passage.start, mark.sentence.start - 1))
    low = before.start if opens else mark.sentence.start
    rolled = any(ctx.told_between(unit.passage, k, low, mark.sentence.end) for k in (Check, Save, Attack))
    return stopped and asked and not rolled and not (opens and _sizes(ctx, unit, before))


def _sizes(ctx: Context, unit: Unit, sentence: Sentence) -> bool:
    """Tell whether a sentence says which dice are rolled."""
    found = (
        claim
        for kind in (Roll, Damage)
        for claim in ctx.told_between(unit.passage, kind, sentence.start, sentence.end)
    )
    return any(getattr(claim, "dice", None) for claim in found)


def is_story(ctx: Context, unit: Unit, die: UnsizedDie, sentence: Sentence) -> bool:
    """Tell whether somebody in the story rolls a die, and nothing comes of it (`the gambler rolls a die`).

    Whom the table tells to roll, and a die whose result decides something, are of the game.
    """
    own = ctx.words_between(unit.passage, die.start, die.end)
    before, after = sentence.before(die.start), sentence.after(die.end)
    if not own or not before or own[0].text not in ctx.word_list("story_rolls"):
        return False
    if any(ctx.phrases(name).any(before) for name in ("of_players", "rolls_at_table")):
        return False
    following = ctx.sentence_at(unit.passage, sentence.end)
    told = [*after, *(following.words if following.start >= sentence.end else ())]
    decides = ":" in ctx.source[die.end : sentence.end] or any(w.text.isdigit() for w in told)
    return not decides and not ctx.phrases("die_decides").any(told)


def is_known_dice(ctx: Context, sentence: Sentence) -> bool:
    """Tell whether a sentence speaks of dice that rules or story give (`the weapon's damage dice`)."""
    return _phrases("known_dice", ctx.language).any(sentence.words)


def feet_marks(ctx: Context, unit: Unit) -> Iterator[Distance]:
    """Give the lengths in feet that a stroke marks (`30'`), where it closes no quotation."""
    foot = ctx.ruleset.units.get("foot")
    text = unit.passage.text
    found = _FEET.finditer(text) if foot is not None and foot.metres and "'" in text.replace("′", "'") else ()
    for match in found:
        line = text.rfind("\n", 0, match.start()) + 1
        if _QUOTES.search(text, line, match.start()) or foot is None or not foot.metres:
            continue
        start = unit.passage.start + match.start()
        yield Distance(
            start=start,
            end=unit.passage.start + match.end(),
            quote=match[0],
            in_speech=False,
            metres=round(float(match[1]) * foot.metres, 4),
            value=float(match[1]),
            unit="foot",
            unit_text=match[0][-1],
        )


@cache
def _phrases(name: str, language: str) -> Phrases:
    return Phrases(texts(language, _BOOK)[name])
