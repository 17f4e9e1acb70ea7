"""The text against a creature's block: its senses, its figures, how it moves."""

from collections.abc import Collection, Iterator, Sequence
from itertools import takewhile

from rules.checks import replacements
from rules.checks.context import Context, Unit
from rules.checks.hit import Hit
from rules.checks.owners import Blocks, carried, owner
from rules.checks.review_figures import is_proposed
from rules.checks.text import Sentence, Word, flat, fold, stem
from rules.claims.model import ArmorClass, Attack, Distance, HitPoints, Save, Sense
from rules.document import Passage
from rules.facts import ActionFacts, StatFacts

_BESIDE = (1, 2, 3)
"""Characters between two figures of one creature."""
_NEAR = 4
"""Words that may stand between a creature and its figure."""
_PASSIVE_WITHIN = 3
"""Words after `passive Perception` in which its figure stands."""
_DENIED_WITHIN = 6
"""Words before something in which it is denied."""
_SHORTEST_PART = 4
"""Letters of a word that may name an action, or be its verb."""
_DONE_WITHIN = 3
"""Words after `when` in which stands what is done."""
_LEAST_ROOT = 3
"""Letters that a verb and its noun share at least."""
_ENDING = 2
"""Letters of a verb's ending."""
WAYS = ("fly", "swim", "climb", "walk")
"""Ways of moving, those with words of their own first."""
_LEAST_M = 0.3
"""Metres by which two speeds differ that are not the same rounded."""


def stat_block_drift(ctx: Context) -> Iterator[Hit]:
    """A creature has something in the text that its stat block does not have."""
    blocks = {" ".join(fold(name).split()): block for name, block in ctx.facts.stat_blocks.items()}
    if not blocks:
        return
    for unit in ctx.units:
        for sense in ctx.told(unit.passage, Sense):
            block = owner(ctx, blocks, ctx.sentence_at(unit.passage, sense.start), sense.start)
            if block and sense.sense.id and sense.sense.id not in block.senses and block.senses:
                has = ", ".join(f"{_sense_word(ctx, s)}" for s in block.senses if s in ctx.ruleset.senses)
                message = ctx.say("stat-block-drift.sense", name=block.name, sense=sense.sense.text)
                span = (sense.start, sense.end)
                source = ctx.say("common.stat_block", name=block.name)
                yield ctx.clause_hit(unit.scene, unit.part, unit.passage, span, message, has, source)
        yield from _ranges(ctx, unit, blocks)
        yield from _figures(ctx, unit, blocks)
        yield from _speeds(ctx, unit, blocks)
        yield from _attacks(ctx, unit, blocks)
        yield from _saves(ctx, unit, blocks)
        yield from _passive(ctx, unit, blocks)
    for line in _reviewed(ctx):
        yield from _figures(ctx, line, blocks)


def _reviewed(ctx: Context) -> Iterator[Unit]:
    """Give the reviewers' sentences that state figures; not those that propose others."""
    for message in ctx.document.debate:
        if message.role not in ("checker", "critic"):
            continue
        for sentence in ctx.sentences(message.passage):
            figure = next((w for w in sentence.words if w.text.isdecimal()), None)
            if figure and not is_proposed(ctx, sentence, figure.end):
                text = ctx.source[sentence.start : sentence.end]
                yield Unit(ctx.chapter, "debate", Passage(text, sentence.start))


def _whose(ctx: Context, unit: Unit, blocks: Blocks, sentence: Sentence, offset: int) -> StatFacts | None:
    """Return the block of the creature named in a sentence before a figure, or in the sentence before it."""
    return owner(ctx, blocks, sentence, offset) or carried(ctx, unit, blocks, sentence)


def _ranges(ctx: Context, unit: Unit, blocks: Blocks) -> Iterator[Hit]:
    """Give the ranges of senses that are other than a block's; an unbound distance may be less."""
    for sense in ctx.told(unit.passage, Sense):
        sentence = ctx.sentence_at(unit.passage, sense.start)
        block = _whose(ctx, unit, blocks, sentence, sense.start)
        right = block.senses.get(sense.sense.id or "") if block else None
        if block is None or right is None:
            continue
        told = ctx.told_between(unit.passage, Distance, sentence.start, sentence.end)
        if sense.metres is not None:
            if abs(sense.metres - right) >= _LEAST_M:
                end = next((d.end for d in told if d.start >= sense.end), sense.end)
                yield _other_figure(ctx, unit, block, (sense.start, end), _told(right))
            continue
        if (
            len(told) == 1
            and told[0].metres > right + _LEAST_M
            and not ctx.phrases("denied").any(sentence.just_before(told[0].start, _DENIED_WITHIN))
        ):
            yield _other_figure(ctx, unit, block, (told[0].start, told[0].end), _told(right))


def _attacks(ctx: Context, unit: Unit, blocks: Blocks) -> Iterator[Hit]:
    """Give the attack bonuses that a creature's block gives none of its attacks."""
    for attack in ctx.told(unit.passage, Attack):
        sentence = ctx.sentence_at(unit.passage, attack.start)
        block = owner(ctx, blocks, sentence, attack.start) if attack.bonus is not None else None
        own = sorted({a.attack for a in block.actions if a.attack is not None}) if block else []
        if block and own and attack.bonus not in own:
            yield _other_figure(ctx, unit, block, (attack.start, attack.end), f"+{own[0]}")


def _saves(ctx: Context, unit: Unit, blocks: Blocks) -> Iterator[Hit]:
    """Give the save DCs that a creature's block does not give the action that is named beside them."""
    for save in ctx.told(unit.passage, Save):
        if save.dc is None:
            continue
        sentence = ctx.sentence_at(unit.passage, save.start)
        block = owner(ctx, blocks, sentence, save.start)
        if block is None:
            acting = _acting(ctx, blocks, sentence, save.start)
        else:
            told = ctx.stems_of(sentence.words) - {stem(w) for w in fold(block.name).split()}
            named = [a for a in block.actions if a.save_dc is not None and _is_named(ctx, told, a.name)]
            acting = (block, named[0]) if named else None
        if acting and save.dc not in {a.save_dc for a in acting[0].actions}:
            yield _other_figure(ctx, unit, acting[0], (save.start, save.end), f"{acting[1].save_dc}")


def _acting(
    ctx: Context, blocks: Blocks, sentence: Sentence, offset: int
) -> tuple[StatFacts, ActionFacts] | None:
    """Return the one creature, and its action, of which a sentence says when it is done.

    `When it bellows, each creature makes a saving throw` is about the creature that has `Icy Bellow`.
    """
    before = sentence.before(offset)
    opened = ctx.phrases("done_when").first(before)
    verbs = before[opened[1] : opened[1] + _DONE_WITHIN] if opened else ()
    roots = {w.text for w in verbs if w.text not in ctx.small_words and len(w.text) >= _SHORTEST_PART}
    found = [
        (block, action)
        for block in blocks.values()
        for action in block.actions
        if action.save_dc is not None
        and any(_of_one_root(word, verb) for word in fold(action.name).split() for verb in roots)
    ]
    return found[0] if len(found) == 1 else None


def _of_one_root(word: str, verb: str) -> bool:
    """Tell whether a noun may be of a verb (`rugido` of `ruge`): all but the verb's ending is shared."""
    alike = (a == b for a, b in zip(word, verb, strict=False))
    shared = sum(takewhile(bool, alike))
    return shared >= max(_LEAST_ROOT, len(verb) - _ENDING) and len(word) >= _SHORTEST_PART


def _is_named(ctx: Context, told: Collection[str], action: str) -> bool:
    """Tell whether a text has a word of an action's name, small words aside."""
    words = (w for w in fold(action).split() if w not in ctx.small_words and len(w) >= _SHORTEST_PART)
    return any(stem(w) in told for w in words)


def _passive(ctx: Context, unit: Unit, blocks: Blocks) -> Iterator[Hit]:
    """Give the passive Perceptions that are other than a block's."""
    for mark in ctx.marked(unit.passage, "passive_perception"):
        number = next(
            (w for w in mark.sentence.after(mark.end)[:_PASSIVE_WITHIN] if w.text.isdecimal()), None
        )
        block = owner(ctx, blocks, mark.sentence, mark.start) if number else None
        block = block or (_only_named(ctx, blocks, mark.sentence) if number else None)
        right = block.senses.get("passive_perception") if block else None
        if number and block and right is not None and number.text != f"{right:g}":
            yield _other_figure(ctx, unit, block, (mark.start, number.end), f"{right:g}")


def _only_named(ctx: Context, blocks: Blocks, sentence: Sentence) -> StatFacts | None:
    """Return the block of the creature that a sentence names last, wherever."""
    return owner(ctx, blocks, sentence, sentence.end)


def _other_figure(ctx: Context, unit: Unit, block: StatFacts, span: tuple[int, int], right: str) -> Hit:
    told = flat(ctx.source[span[0] : span[1]])
    message = ctx.say("stat-block-drift.figure", name=block.name, told=told, right=right)
    source = ctx.say("common.stat_block", name=block.name)
    return Hit(unit.scene, unit.part, *span, message, right, source)


def _sense_word(ctx: Context, sense: str) -> str:
    return ctx.ruleset.word("sense", sense, ctx.language)


def _figures(ctx: Context, unit: Unit, blocks: Blocks) -> Iterator[Hit]:
    claims = [(c, c.value, "ac") for c in ctx.told(unit.passage, ArmorClass)]
    claims += [(c, c.value, "hp") for c in ctx.told(unit.passage, HitPoints) if not c.change]
    ends = {claim.end: claim.start for claim, *_ in claims}
    for claim, value, what in claims:
        sentence = ctx.sentence_at(unit.passage, claim.start)
        # `Velaria (AC 14, 80 HP)`: what is her first figure's owner is her second's
        first = next((ends[claim.start - k] for k in _BESIDE if claim.start - k in ends), claim.start)
        block = owner(ctx, blocks, sentence, first, _NEAR) or _named_in(ctx, blocks, sentence, claim)
        right = getattr(block, what) if block else None
        if block and right is not None and value is not None and value != right:
            message = ctx.say("stat-block-drift.figure", name=block.name, told=flat(claim.quote), right=right)
            expected = str(right)
            source = ctx.say("common.stat_block", name=block.name)
            known = replacements.number(ctx, claim, right)
            span = (claim.start, claim.end)
            yield Hit(unit.scene, unit.part, *span, message, expected, source, replacement=known)


def _named_in(
    ctx: Context, blocks: Blocks, sentence: Sentence, claim: ArmorClass | HitPoints
) -> StatFacts | None:
    """Return the block whose creature is named inside a figure (`la CA del Espectro del Peaje es 17`)."""
    inside = sentence.around(claim.start, claim.end, 0)
    named = owner(ctx, blocks, Sentence(claim.start, claim.end, inside), claim.end)
    return named if len(inside) > _NEAR else None


def _speeds(ctx: Context, unit: Unit, blocks: Blocks) -> Iterator[Hit]:
    """Give the ways of moving that a block does not have, and speeds that are other than its own."""
    for distance in ctx.told(unit.passage, Distance):
        sentence = ctx.sentence_at(unit.passage, distance.start)
        way, said = _way(ctx, sentence.just_before(distance.start, _NEAR))
        block = _whose(ctx, unit, blocks, sentence, distance.start) if way else None
        if block is None or not block.speeds_m:
            continue
        right = block.speeds_m.get(way)
        same = right is not None and abs(right - distance.metres) < _LEAST_M
        if same or (right is None and way == "walk") or (right is not None and not said):
            continue
        message = ctx.say(
            "stat-block-drift.figure", name=block.name, told=flat(distance.quote), right=_told(right)
        )
        span = (distance.start, distance.end)
        source = ctx.say("common.stat_block", name=block.name)
        yield ctx.clause_hit(unit.scene, unit.part, unit.passage, span, message, _told(right), source)


def _told(metres: float | None) -> str:
    return f"{metres or 0:g} m"


def _way(ctx: Context, before: Sequence[Word]) -> tuple[str, bool]:
    """Return how something moves by the words before a distance, and whether they speak of its speed."""
    for way in WAYS:
        if ctx.phrases(f"speed_{way}").any(before):
            return way, ctx.phrases("speed_said").any(before)
    said = ctx.phrases("speed_said").any(before[-1:])  # `(speed 30 feet)` is that of walking
    return ("walk", True) if said else ("", False)
