"""Mechanics of the ruleset: the damage of a fall."""

from bisect import bisect_left
from collections.abc import Iterator, Set
from dataclasses import replace

from rules.checks import replacements
from rules.checks.context import Context, Unit
from rules.checks.hit import Hit
from rules.checks.text import Sentence, flat
from rules.claims.model import Check, Damage, Dice, Distance, Fall
from rules.document import Passage
from rules.figures import FallingBySize
from rules.ruleset import Falling

_HEIGHTS = ("height", "depth")
_SEVERAL = 2
_SAME_M = 0.2
"""Metres by which two lengths differ that are the same rounded (`10 feet`, 3 m)."""
_AFTER = 4
_AHEAD = 2
"""Words before a length by which it is a height (`and, below, six metres`)."""
_LEAD = 8
"""Characters before damage in which it is said to be another's."""
_SUBJECT_WITHIN = 5
"""Words before a fall in which is said what falls: a rock's damage is its own."""


def fall_damage(ctx: Context) -> Iterator[Hit]:
    """A fall deals other damage than the rules give for its height."""
    falling = ctx.ruleset.falling
    for unit in ctx.units if falling else ():
        falls = _falls_by_sentence(ctx, unit) if falling else {}
        if not falling or not falls:
            continue
        heights = _heights(ctx, unit)
        usual = frozenset(map(falling.dice, heights))
        highest = max(heights, default=None)
        for damage in ctx.told(unit.passage, Damage):
            sentence = ctx.sentence_at(unit.passage, damage.start)
            if sentence.start not in falls or not damage.dice:
                continue
            if _is_of_another_type(ctx, unit, damage, falling, falls[sentence.start]):
                yield _type_hit(ctx, unit, damage, falling)
                continue
            if (rate := _rate(ctx, unit, damage, sentence)) is not None:
                yield from _judge_rate(ctx, unit, damage, sentence, rate, falling)
                continue
            if _is_stopped(ctx, unit, damage, sentence, falling):
                continue
            if _is_a_things(ctx, unit, damage, sentence):
                continue
            if _other_harm(ctx, unit.passage, damage, falling, sentence):
                continue
            stated = falls[sentence.start]
            if stated is not None:
                yield from _judge_stated(ctx, unit, damage, sentence, stated, falling)
                continue
            near = _near_lengths(ctx, unit, damage)
            if not _is_right(damage.dice, usual.union(map(falling.dice, near)), falling):
                metres = max(near) if highest is None else highest
                certain = len(heights) == 1 and not near and _is_plain(ctx, unit, sentence)
                yield _hit(ctx, unit, damage, metres, certain, falling)
    yield from _falls_by_size(ctx)


def _judge_stated(
    ctx: Context, unit: Unit, damage: Damage, sentence: Sentence, stated: float, falling: Falling
) -> Iterator[Hit]:
    """Judge the damage of a fall whose height its own sentence states."""
    own = _own_height(ctx, unit, sentence, damage)
    allowed = {falling.dice(m) for m in (stated, own) if m is not None}
    if not damage.dice or _is_right(damage.dice, allowed, falling):
        return
    if damage.dice.count < min(allowed) and _is_near(ctx, unit, sentence, "fall_eased"):
        return
    lengths = ctx.told_between(unit.passage, Distance, sentence.start, sentence.end)
    certain = all(d.metres == stated for d in lengths) and _is_plain(ctx, unit, sentence)
    yield _hit(ctx, unit, damage, stated if own is None else own, certain, falling)


def _rate(ctx: Context, unit: Unit, damage: Damage, sentence: Sentence) -> Distance | None:
    """Return the length for each of which a fall is said to deal damage (`1d6 for every 10 feet`)."""
    after = sentence.after(damage.end)[:_AFTER]
    if not ctx.phrases("for_each").any(after):
        return None
    lengths = ctx.told_between(unit.passage, Distance, damage.end, after[-1].end + 1)
    return lengths[0] if lengths else None


def _judge_rate(
    ctx: Context, unit: Unit, damage: Damage, sentence: Sentence, rate: Distance, falling: Falling
) -> Iterator[Hit]:
    """Judge how much a fall is said to deal for each length of it."""
    if not damage.dice or _is_near(ctx, unit, sentence, "fall_eased"):
        return
    dice = damage.dice.count * falling.metres_per_die
    if damage.dice.sides == falling.sides and not damage.dice.bonus and abs(dice - rate.metres) < _SAME_M:
        return
    right = f"1d{falling.sides}"
    message = ctx.say(
        "fall-damage.rate",
        told=flat(damage.quote),
        length=_as_told(ctx, unit, rate.metres),
        right=right,
        metres=f"{falling.metres_per_die:g}".replace(".", ctx.decimal_mark),
    )
    span = (damage.start, rate.end)
    yield ctx.clause_hit(unit.scene, unit.part, unit.passage, span, message, right, ctx.cite(falling.source))


def _is_near(ctx: Context, unit: Unit, sentence: Sentence, name: str) -> bool:
    """Tell whether words of a list stand in a sentence, or in the one before or after."""
    before = ctx.sentence_at(unit.passage, max(unit.passage.start, sentence.start - 1))
    after = ctx.sentence_at(unit.passage, min(unit.passage.end - 1, sentence.end + 1))
    return any(ctx.phrases(name).any(one.words) for one in (before, sentence, after))


def _is_plain(ctx: Context, unit: Unit, sentence: Sentence) -> bool:
    """Tell whether a sentence tells of one fall and one throw of dice alone, and nothing softens the fall."""
    falls = ctx.told_between(unit.passage, Fall, sentence.start, sentence.end)
    marks = _fall_marks(ctx, unit).get(sentence.start, ())
    several = max(len(falls), len(marks), _dice_in(ctx, sentence)) >= _SEVERAL
    return not several and not any(
        _is_near(ctx, unit, sentence, name) for name in ("fall_eased", "fall_softened")
    )


def _fall_marks(ctx: Context, unit: Unit) -> dict[int, list[tuple[int, bool]]]:
    """Return by sentence where something falls, and whether that is a thing, whose damage is its own."""

    def find() -> dict[int, list[tuple[int, bool]]]:
        found: dict[int, list[tuple[int, bool]]] = {}
        for mark in ctx.marked(unit.passage, "falls"):
            is_thing = _is_thing(ctx, mark.sentence, mark.start)
            found.setdefault(mark.sentence.start, []).append((mark.start, is_thing))
        return found

    return ctx.keep("fall marks", str(unit.passage.start), find)


def _dice_in(ctx: Context, sentence: Sentence) -> int:
    """Return how many dice a sentence throws, said to be damage or not (`to a ledge (2d6), then …`)."""
    return sum(1 for _ in replacements.DICE.finditer(ctx.source, sentence.start, sentence.end))


def _is_of_another_type(
    ctx: Context, unit: Unit, damage: Damage, falling: Falling, metres: float | None
) -> bool:
    """Tell whether a fall's own dice are said to be damage of another type (`a 40-foot fall: 4d6 fire`).

    Who lands in a fire or on spikes is harmed by them.
    """
    sentence = ctx.sentence_at(unit.passage, damage.start)
    known = {t.id for t in damage.types if t.status in ("canonical", "synonym")}
    if metres is None or not known or falling.damage_type in known or not damage.dice:
        return False
    if len(ctx.told_between(unit.passage, Damage, sentence.start, sentence.end)) >= _SEVERAL:
        return False
    own = _is_right(damage.dice, {falling.dice(metres)}, falling)
    return own and not ctx.phrases("lands_in").any(sentence.words)


def _type_hit(ctx: Context, unit: Unit, damage: Damage, falling: Falling) -> Hit:
    right = ctx.ruleset.printed("damage_type", falling.damage_type, ctx.language)
    message = ctx.say("fall-damage.type", told=flat(damage.quote), right=right)
    span = (damage.start, damage.end)
    return ctx.clause_hit(unit.scene, unit.part, unit.passage, span, message, right, ctx.cite(falling.source))


def _is_stopped(ctx: Context, unit: Unit, damage: Damage, sentence: Sentence, falling: Falling) -> bool:
    """Tell whether something stops a fall on its way, and the dice are those of the way that is told."""
    before = ctx.sentence_at(unit.passage, max(unit.passage.start, sentence.start - 1))
    if not any(_says_stopped(ctx, s) for s in (before, sentence)):
        return False
    near = set(_near_lengths(ctx, unit, damage))
    ways = frozenset(map(falling.dice, near))
    return len(near) < _SEVERAL or bool(damage.dice and _is_right(damage.dice, ways, falling))


def _says_stopped(ctx: Context, sentence: Sentence) -> bool:
    """Tell whether one clause says so (`la cuerda la frena`, not `se rompe la cuerda, la caída …`)."""
    words = sentence.words
    spans = ctx.phrases("fall_stopped").find(words)
    return any("," not in ctx.source[words[first].start : words[last - 1].end] for first, last in spans)


def _own_height(ctx: Context, unit: Unit, sentence: Sentence, damage: Damage) -> float | None:
    """Return the length just before damage where several falls are told (`and one of 500 feet`)."""
    if _dice_in(ctx, sentence) < _SEVERAL:
        return None
    before = ctx.told_between(unit.passage, Distance, sentence.start, damage.start)
    return before[-1].metres if before else None


def _falls_by_sentence(ctx: Context, unit: Unit) -> dict[int, float | None]:
    """Return the falls of a text by their sentence's start: the metres, or None where it does not say."""
    found: dict[int, float | None] = {}
    for start, marks in _fall_marks(ctx, unit).items():
        if not all(is_thing for _, is_thing in marks):
            found[start] = None
    for mark in ctx.marked(unit.passage, "lands_hard"):
        hurt = ctx.phrases("is_hurt").any(mark.sentence.after(mark.end))  # a hammer that lands hard hurts
        if hurt and _is_above(ctx, unit, mark.sentence):
            found[mark.sentence.start] = None
    found |= dict.fromkeys(_depths_fallen(ctx, unit))
    stated: dict[int, float | None] = {}
    for fall in reversed(ctx.told(unit.passage, Fall)):
        sentence = ctx.sentence_at(unit.passage, fall.start)
        if not _is_thing(ctx, sentence, fall.start):
            stated[sentence.start] = fall.metres
    return found | stated


def _depths_fallen(ctx: Context, unit: Unit) -> Iterator[int]:
    """Give the sentences with damage at a depth's end (`50 feet deep: 5d6 damage at the bottom`)."""
    for damage in ctx.told(unit.passage, Damage):
        sentence = ctx.sentence_at(unit.passage, damage.start)
        ends = ctx.phrases("at_bottom").first(sentence.after(damage.end)[:_AFTER])
        deep = ctx.told_between(unit.passage, Distance, sentence.start, damage.start) if ends else ()
        if ends and ends[0] == 0 and len(deep) == 1 and deep[0].shape == "depth":
            yield sentence.start


def _is_above(ctx: Context, unit: Unit, sentence: Sentence) -> bool:
    """Tell whether a height is told in a sentence or just before: who lands hard there has fallen it."""
    before = ctx.sentence_at(unit.passage, max(unit.passage.start, sentence.start - 1))
    lengths = ctx.told_between(unit.passage, Distance, before.start, sentence.end)
    return any(d.shape in _HEIGHTS for d in lengths)


def _is_thing(ctx: Context, sentence: Sentence, start: int) -> bool:
    """Tell whether what falls is a rock or the like, whose damage is its own (`a block falls 20 feet`)."""
    words = sentence.before(start)[-_SUBJECT_WITHIN:]
    joints = [k for k, w in enumerate(words) if w.text in ctx.word_list("joints")]
    subject = words[joints[-1] + 1 :] if joints else words
    clause = [w for w in subject if "," not in ctx.source[w.end : start]]
    return ctx.phrases("falling_things").any(clause)


def _falls_by_size(ctx: Context) -> Iterator[Hit]:
    """Judge falls of a game in which the die's size is the creature's: how many dice, what DR to land."""
    falling = ctx.ruleset.falling_by_size
    for unit in ctx.units if falling else ():
        falls = _falls_by_sentence(ctx, unit)
        for claim in (*ctx.told(unit.passage, Damage), *ctx.told(unit.passage, Check)) if falls else ():
            sentence = ctx.sentence_at(unit.passage, claim.start)
            if sentence.start not in falls or falling is None:
                continue
            lengths = ctx.told_between(unit.passage, Distance, sentence.start, sentence.end)
            metres = falls[sentence.start] or (lengths[0].metres if len(lengths) == 1 else None)
            if metres is not None:
                yield from _judge_by_size(ctx, unit, claim, metres, falling)


def _judge_by_size(
    ctx: Context, unit: Unit, claim: Damage | Check, metres: float, falling: FallingBySize
) -> Iterator[Hit]:
    key, right = "", ""
    if isinstance(claim, Damage) and claim.dice:
        types = {t.id for t in claim.types if t.id}
        wrong = claim.dice.count != falling.dice(metres) and types <= {falling.damage_type}
        key, right = ("fall-damage.dice", str(falling.dice(metres))) if wrong else ("", "")
    elif isinstance(claim, Check) and falling.landing_ability in claim.abilities and claim.dc is not None:
        wrong = claim.dc != falling.landing_dr(metres)
        key, right = ("fall-damage.landing", f"{falling.landing_dr(metres):g}") if wrong else ("", "")
    if key:
        message = ctx.say(key, told=flat(claim.quote), metres=f"{metres:g}", right=right)
        span = (claim.start, claim.end)
        yield ctx.clause_hit(
            unit.scene, unit.part, unit.passage, span, message, right, ctx.cite(falling.source)
        )


def _other_harm(ctx: Context, passage: Passage, damage: Damage, falling: Falling, sentence: Sentence) -> bool:
    """Tell whether damage beside a fall comes from something else, is a rate, or has no height told."""
    known = {t.id for t in damage.types if t.status in ("canonical", "synonym")}
    if known and falling.damage_type not in known:
        return True
    after = sentence.after(damage.end)[:_AFTER]
    own = [w for w in sentence.words if damage.start - _LEAD <= w.start < damage.end]
    second = any(
        d.end <= damage.start for d in ctx.told_between(passage, Damage, sentence.start, damage.start)
    )
    if second and ctx.phrases("another_harm").any(own):
        return True  # `a fall deals 1d6; the tiles that follow, another 2d4`
    return ctx.phrases("for_each").any(after) or ctx.phrases("part_way").any(sentence.words)


def _is_a_things(ctx: Context, unit: Unit, damage: Damage, sentence: Sentence) -> bool:
    """Tell whether what fell last before damage is a thing (`the boulder that falls after it deals`)."""
    before = [thing for at, thing in _fall_marks(ctx, unit).get(sentence.start, ()) if at < damage.start]
    return bool(before) and before[-1]


def _is_right(dice: Dice, allowed: Set[int], falling: Falling) -> bool:
    """Tell whether dice are those of a fall from one of some heights, or none is known."""
    if not allowed:
        return True
    return dice.sides == falling.sides and dice.count in allowed and not dice.bonus


def _hit(ctx: Context, unit: Unit, damage: Damage, metres: float, certain: bool, falling: Falling) -> Hit:
    """Make the finding; `certain`: no other height can be meant."""
    count = falling.dice(metres)
    right = f"{count}d{falling.sides}" if count else ctx.say("fall-damage.none")
    key = "fall-damage.message" if count else "fall-damage.harmless"
    height = _as_told(ctx, unit, metres)
    message = ctx.say(key, told=flat(damage.quote), height=height, right=right)
    span = (damage.start, damage.end)
    known = replacements.dice(ctx, damage, right) if certain and count else None
    hit = ctx.clause_hit(unit.scene, unit.part, unit.passage, span, message, right, ctx.cite(falling.source))
    return replace(hit, replacement=known)


def _as_told(ctx: Context, unit: Unit, metres: float) -> str:
    """Return a height in the words of the text (`40 feet`); in metres where it is not told as a length."""
    lengths = reversed(ctx.told(unit.passage, Distance))
    told = ctx.keep("lengths told", str(unit.passage.start), lambda: {d.metres: d for d in lengths})
    length = told.get(metres)
    if length is None:
        return f"{metres:g} m"
    names = ctx.ruleset.units[length.unit].names[ctx.language]
    word = names.word if length.value == 1 else names.plural or names.word
    return f"{length.value:g} {word}".replace(".", ctx.decimal_mark)


def _heights(ctx: Context, unit: Unit) -> list[float]:
    """Return the lengths of a text that are heights."""
    found: list[float] = []
    for length in ctx.told(unit.passage, Distance):
        sentence = ctx.sentence_at(unit.passage, length.start)
        beside = sentence.before(length.start)[-_AHEAD:], sentence.after(length.end)[:_AFTER]
        if length.shape in _HEIGHTS or any(ctx.phrases("height_words").any(words) for words in beside):
            found.append(length.metres)
    return found


def _near_lengths(ctx: Context, unit: Unit, damage: Damage) -> list[float]:
    """Return the lengths in the damage's sentence and in the one before."""
    sentence = ctx.sentence_at(unit.passage, damage.start)
    first = ctx.sentence_at(unit.passage, max(unit.passage.start, sentence.start - 1)).start
    lengths = ctx.told(unit.passage, Distance)
    low = bisect_left(lengths, first, key=lambda d: d.start)
    high = bisect_left(lengths, sentence.end, key=lambda d: d.start)
    return [d.metres for d in lengths[low:high] if not _is_area(ctx, unit, d)]


def _is_area(ctx: Context, unit: Unit, length: Distance) -> bool:
    """Tell whether a length says who is near, and not how far one falls (`anyone within 10 feet`)."""
    before = ctx.sentence_at(unit.passage, length.start).before(length.start)[-_AFTER:]
    return ctx.phrases("area_words").any(before)
