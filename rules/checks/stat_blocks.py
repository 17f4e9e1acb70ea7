"""The text against a creature's block: its senses, its figures, how it moves."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from rules.checks import replacements
from rules.checks.context import Context, Unit
from rules.checks.hit import Hit
from rules.checks.review_figures import is_proposed
from rules.checks.text import Sentence, Word, flat, fold
from rules.claims.model import ArmorClass, Attack, Distance, HitPoints, Sense
from rules.document import Passage
from rules.facts import StatFacts

_BESIDE = (1, 2, 3)
"""Characters between two figures of one creature."""
_NEAR = 4
"""Words that may stand between a creature and its figure."""
_PASSIVE_WITHIN = 3
"""Words after `passive Perception` in which its figure stands."""
_DENIED_WITHIN = 6
"""Words before something in which it is denied."""
_SHORTEST_PART = 4
"""Letters of a name's part by which its creature may be called."""
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
            block = _owner(ctx, blocks, ctx.sentence_at(unit.passage, sense.start), sense.start)
            if block and sense.sense.id and sense.sense.id not in block.senses and block.senses:
                has = ", ".join(f"{_sense_word(ctx, s)}" for s in block.senses if s in ctx.ruleset.senses)
                message = ctx.say("stat-block-drift.sense", name=block.name, sense=sense.sense.text)
                span = (sense.start, sense.end)
                source = ctx.say("common.stat_block", name=block.name)
                yield ctx.clause_hit(unit.scene, unit.part, unit.passage, span, message, has, source)
        yield from _figures(ctx, unit, blocks)
        yield from _speeds(ctx, unit, blocks)
        yield from _attacks(ctx, unit, blocks)
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


def _attacks(ctx: Context, unit: Unit, blocks: dict[str, StatFacts]) -> Iterator[Hit]:
    """Give the attack bonuses that a creature's block gives none of its attacks."""
    for attack in ctx.told(unit.passage, Attack):
        sentence = ctx.sentence_at(unit.passage, attack.start)
        block = _owner(ctx, blocks, sentence, attack.start) if attack.bonus is not None else None
        own = sorted({a.attack for a in block.actions if a.attack is not None}) if block else []
        if block and own and attack.bonus not in own:
            yield _other_figure(ctx, unit, block, (attack.start, attack.end), f"+{own[0]}")


def _passive(ctx: Context, unit: Unit, blocks: dict[str, StatFacts]) -> Iterator[Hit]:
    """Give the passive Perceptions that are other than a block's."""
    for mark in ctx.marked(unit.passage, "passive_perception"):
        number = next(
            (w for w in mark.sentence.after(mark.end)[:_PASSIVE_WITHIN] if w.text.isdecimal()), None
        )
        block = _owner(ctx, blocks, mark.sentence, mark.start) if number else None
        block = block or (_only_named(ctx, blocks, mark.sentence) if number else None)
        right = block.senses.get("passive_perception") if block else None
        if number and block and right is not None and number.text != f"{right:g}":
            yield _other_figure(ctx, unit, block, (mark.start, number.end), f"{right:g}")


def _only_named(ctx: Context, blocks: dict[str, StatFacts], sentence: Sentence) -> StatFacts | None:
    """Return the block of the creature that a sentence names last, wherever."""
    return _owner(ctx, blocks, sentence, sentence.end)


def _other_figure(ctx: Context, unit: Unit, block: StatFacts, span: tuple[int, int], right: str) -> Hit:
    told = flat(ctx.source[span[0] : span[1]])
    message = ctx.say("stat-block-drift.figure", name=block.name, told=told, right=right)
    source = ctx.say("common.stat_block", name=block.name)
    return Hit(unit.scene, unit.part, *span, message, right, source)


def _sense_word(ctx: Context, sense: str) -> str:
    return ctx.ruleset.word("sense", sense, ctx.language)


def _figures(ctx: Context, unit: Unit, blocks: dict[str, StatFacts]) -> Iterator[Hit]:
    claims = [(c, c.value, "ac") for c in ctx.told(unit.passage, ArmorClass)]
    claims += [(c, c.value, "hp") for c in ctx.told(unit.passage, HitPoints) if not c.change]
    ends = {claim.end: claim.start for claim, *_ in claims}
    for claim, value, what in claims:
        sentence = ctx.sentence_at(unit.passage, claim.start)
        # `Velaria (AC 14, 80 HP)`: what is her first figure's owner is her second's
        first = next((ends[claim.start - k] for k in _BESIDE if claim.start - k in ends), claim.start)
        block = _owner(ctx, blocks, sentence, first, _NEAR) or _named_in(ctx, blocks, sentence, claim)
        right = getattr(block, what) if block else None
        if block and right is not None and value is not None and value != right:
            message = ctx.say("stat-block-drift.figure", name=block.name, told=flat(claim.quote), right=right)
            expected = str(right)
            source = ctx.say("common.stat_block", name=block.name)
            known = replacements.number(ctx, claim, right)
            span = (claim.start, claim.end)
            yield Hit(unit.scene, unit.part, *span, message, expected, source, replacement=known)


def _named_in(
    ctx: Context, blocks: dict[str, StatFacts], sentence: Sentence, claim: ArmorClass | HitPoints
) -> StatFacts | None:
    """Return the block whose creature is named inside a figure (`la CA del Espectro del Peaje es 17`)."""
    inside = sentence.around(claim.start, claim.end, 0)
    named = _owner(ctx, blocks, Sentence(claim.start, claim.end, inside), claim.end)
    return named if len(inside) > _NEAR else None


def _speeds(ctx: Context, unit: Unit, blocks: dict[str, StatFacts]) -> Iterator[Hit]:
    """Give the ways of moving that a block does not have, and speeds that are other than its own."""
    for distance in ctx.told(unit.passage, Distance):
        sentence = ctx.sentence_at(unit.passage, distance.start)
        way, said = _way(ctx, sentence.just_before(distance.start, _NEAR))
        block = _owner(ctx, blocks, sentence, distance.start) if way else None
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
    return "", False


def _owner(
    ctx: Context, blocks: dict[str, StatFacts], sentence: Sentence, offset: int, near: int | None = None
) -> StatFacts | None:
    """Return the block of the creature that is named last before a figure, and that has it."""
    before = sentence.before(offset)
    names = ctx.keep("names by first word", "", lambda: _by_first_word(ctx, blocks))
    for index in range(len(before) - 1, -1, -1):
        group = names.get(before[index].text, ())
        parts = next((p for p in group if _stands(p, before, index)), None)
        if parts is None:
            continue
        name = " ".join(parts)
        if name not in blocks and not _is_capital(ctx, before[index], name):
            continue  # `a coral gate` is not Judge Coral's
        between = before[index + len(parts) :]
        if ctx.phrases("denied").any(between[-_DENIED_WITHIN:]) or (
            near is not None and not _has(ctx, between, near)
        ):
            return None
        return blocks.get(name) or blocks.get(_whole_names(ctx, blocks).get(name, ""))
    return None


def _is_capital(ctx: Context, word: Word, name: str) -> bool:
    """Tell whether a word is written as a name, where it is a part of a creature's only."""
    known = any(" ".join(fold(n).split()) == name for n in ctx.facts.names)
    return known or ctx.source[word.start].isupper()


def _whole_names(ctx: Context, blocks: Iterable[str]) -> dict[str, str]:
    """Return the creatures' names by the part of them that nobody else has (`Pell` of `Warden Pell`)."""

    def make() -> dict[str, str]:
        everybody = {" ".join(fold(name).split()) for name in ctx.facts.names} | set(blocks)
        shared = Counter(part for name in everybody for part in set(name.split()))
        return {
            part: name
            for name in blocks
            for part in name.split()[1:]
            if shared[part] == 1 and len(part) >= _SHORTEST_PART
        }

    return ctx.keep("short names", "", make)


def _by_first_word(ctx: Context, blocks: Iterable[str]) -> dict[str, list[tuple[str, ...]]]:
    """Return the words of all names by their first one, the longest name first."""
    found: dict[str, list[tuple[str, ...]]] = {}
    short = _whole_names(ctx, blocks)
    names = {tuple(name.split()) for name in (*map(fold, ctx.facts.names), *blocks, *short)}
    for parts in sorted(filter(None, names), key=lambda p: (-len(p), p)):
        found.setdefault(parts[0], []).append(parts)
    return found


def _stands(parts: tuple[str, ...], words: Sequence[Word], index: int) -> bool:
    return tuple(w.text for w in words[index : index + len(parts)]) == parts


def _has(ctx: Context, between: Sequence[Word], near: int) -> bool:
    """Tell whether nothing but `has`, `with` and small words stands between a creature and its figure."""
    having = ctx.word_list("having")
    return len(between) <= near and all(w.text in having or w.text in ctx.small_words for w in between)
