"""Style: what a reader at the table stumbles over. Notes and warnings, never errors."""

import re
from collections.abc import Iterator, Sequence

from rules.checks.context import Context, Mark, Unit
from rules.checks.denials import is_mentioned
from rules.checks.hit import Hit
from rules.checks.text import Word, clip, contains, fold, words_of
from rules.claims.model import ArmorClass, Check, Damage, HitPoints, Save
from rules.document import Passage

_SUBJECT_WITHIN = 3
"""Words between who is told of and what is said that they do."""
_JOINED_WITHIN = 5
"""The same, where the subject does one thing and another (`shudder and decide`)."""
_PAIR_WITHIN = 10
"""Words between the halves of `not just a …, but a …`."""
_CHOICE_WITHIN = 8
"""Words before a statement in which a condition or an offer makes it harmless."""
LONG_READ = 120
"""Words of read-aloud text from which it is a note: about a minute's reading."""
TOO_LONG_READ = 200
"""Words from which it is a warning."""
_QUOTED = re.compile(r"[ \t]{0,3}>[ \t]?")
_NO_PROSE = re.compile(r"[ \t]*(?:>[ \t]*)*(?:[#|]|[-*+] |\*\*[^*\n]{1,40}\*\*\s*[:.\d])")


def ai_prose(ctx: Context) -> Iterator[Hit]:
    """A worn phrase that models write by habit."""
    for unit in ctx.prose_units:
        for mark in ctx.marked(unit.passage, "stale"):
            told = ctx.source[mark.start : mark.end]
            message = ctx.say("ai-prose.message", told=" ".join(told.split()))
            yield Hit(unit.scene, unit.part, mark.start, mark.end, message)
        for mark in ctx.marked(unit.passage, "not_just"):
            after = mark.sentence.after(mark.end)[:_PAIR_WITHIN]
            other = ctx.phrases("but_a").first(after)
            if other:
                start, end = mark.start, after[other[1] - 1].end
                told = " ".join(ctx.source[start:end].split())
                yield Hit(unit.scene, unit.part, start, end, ctx.say("ai-prose.message", told=told))


def player_agency(ctx: Context) -> Iterator[Hit]:
    """The text says what the player characters decide, feel or do of their own will."""
    names = [fold(sheet.name).split() for sheet in ctx.facts.party]
    for unit in ctx.prose_units:
        for mark in _statements(ctx, unit, names):
            if is_mentioned(ctx, unit, mark.start):
                continue
            message = ctx.say("player-agency.message")
            span = (mark.start, mark.end)
            yield ctx.clause_hit(unit.scene, unit.part, unit.passage, span, message)


def _statements(ctx: Context, unit: Unit, names: list[list[str]]) -> Iterator[Mark]:
    for mark in ctx.marked(unit.passage, "agency"):
        before = mark.sentence.before(mark.start)
        subject = _subject(ctx, before, names)
        if subject is not None and not _is_open(ctx, unit, mark, before[:subject]):
            yield mark
    for mark in ctx.marked(unit.passage, "agency_you"):
        if not _is_open(ctx, unit, mark, mark.sentence.before(mark.start)):
            yield mark
    for mark in ctx.marked(unit.passage, "agency_you_aloud"):
        before = mark.sentence.before(mark.start)
        if is_quoted(unit.passage) and not _is_open(ctx, unit, mark, before):
            yield mark


def _subject(ctx: Context, before: Sequence[Word], names: list[list[str]]) -> int | None:
    """Return the index of the player characters named right before a statement; None for somebody else."""
    for first, after in reversed(list(ctx.phrases("players").find(before))):
        between = [w.text for w in before[after:]]
        joined = any(t in ctx.word_list("joints") for t in between)
        bare = not any(t in ctx.word_list("definite") for t in between)
        most = _JOINED_WITHIN if joined and bare else _SUBJECT_WITHIN - 1
        return first if len(between) <= most else None
    near = [w.text for w in before[-_SUBJECT_WITHIN:]]
    return max(0, len(before) - len(near)) if any(contains(name, near) for name in names) else None


def _is_open(ctx: Context, unit: Unit, mark: Mark, before: Sequence[Word]) -> bool:
    """Tell whether a statement only offers something, hangs on a condition, or follows from a roll."""
    after = mark.sentence.after(mark.end)[:1]
    asked = ctx.source[mark.sentence.start : mark.sentence.end].rstrip(' *_\n\r\t"»”').endswith("?")
    offered = ctx.phrases("open_choice").any(before[-_CHOICE_WITHIN:])
    # `deciden si ayudan` leaves the choice where it belongs.
    chosen = ctx.phrases("choosing").any(ctx.words_between(unit.passage, mark.start, mark.end))
    left = chosen and ctx.phrases("choice_after").any(after)
    low, high = mark.sentence.start, mark.sentence.end
    rolled = any(ctx.told_between(unit.passage, kind, low, high) for kind in (Check, Save))
    return asked or offered or left or rolled


def is_quoted(passage: Passage) -> bool:
    """Tell whether a passage is a quotation block, as adventures set what is read aloud."""
    return bool(_QUOTED.match(passage.text))


def read_aloud_length(ctx: Context) -> Iterator[Hit]:
    """What is to be read aloud is too long to be listened to."""
    for unit, block in _blocks(ctx):
        words = len(words_of(block))
        if words <= LONG_READ:
            continue
        message = ctx.say("read-aloud-length.message", words=words, most=LONG_READ)
        start = words_of(block)[0].start
        begin, end = clip(ctx.source, start, min(block.end, start + 160))
        severity = "warning" if words > TOO_LONG_READ else None
        yield Hit(unit.scene, unit.part, begin, end, message, severity=severity)


def _blocks(ctx: Context) -> Iterator[tuple[Unit, Passage]]:
    """Give the quotation blocks that are prose: one block has no line without a mark."""
    for unit in ctx.prose_units:
        for block in _cut(unit.passage):
            if not _has_figures(ctx, unit.passage, block):
                yield unit, block


def _cut(passage: Passage) -> Iterator[Passage]:
    lines: list[str] = []
    start = at = passage.start
    for line in passage.text.splitlines(keepends=True):
        if _QUOTED.match(line):
            start = start if lines else at
            lines.append(line)
        elif lines:
            yield Passage("".join(lines), start)
            lines = []
        at += len(line)
    if lines:
        yield Passage("".join(lines), start)


def _has_figures(ctx: Context, passage: Passage, block: Passage) -> bool:
    """Tell whether a block is a list, a table or a stat block, which nobody reads aloud."""
    if any(_NO_PROSE.match(line) for line in block.text.splitlines()):
        return True
    low, high = block.start, block.end
    kinds = (ArmorClass, HitPoints, Damage, Check, Save)
    return any(ctx.told_between(passage, kind, low, high) for kind in kinds)
