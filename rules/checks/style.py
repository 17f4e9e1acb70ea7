"""Style: what a reader at the table stumbles over. Notes and warnings, never errors."""

import re
from collections.abc import Iterator, Sequence

from rules.checks import agency
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
_ASIDE_WITHIN = 8
"""Words of what is said in commas between who is told of and what they do."""
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
        told = list(_statements(ctx, unit, names))
        known = {mark.sentence.start for mark in told}
        for mark in (*told, *_felt(ctx, unit, names, known)):
            if is_mentioned(ctx, unit, mark.start):
                continue
            message = ctx.say("player-agency.message")
            span = (mark.start, mark.end)
            yield ctx.clause_hit(unit.scene, unit.part, unit.passage, span, message)


def _felt(ctx: Context, unit: Unit, names: list[list[str]], known: set[int]) -> Iterator[Mark]:
    """Give what grammar finds in the sentences of which nothing is said yet, where it is no mere offer."""
    for mark in agency.willed(ctx, unit, names):
        before = [w for w in mark.sentence.words if w.end <= mark.start]
        if mark.sentence.start not in known and not _is_open(ctx, unit, mark, before):
            yield mark


def _statements(ctx: Context, unit: Unit, names: list[list[str]]) -> Iterator[Mark]:
    for mark in ctx.marked(unit.passage, "agency"):
        before = mark.sentence.before(mark.start)
        subject = _subject(ctx, unit, before, names)
        if subject is None or agency.is_offered(ctx, before[subject:]):
            continue
        if not _is_open(ctx, unit, mark, before[:subject]):
            yield mark
    yield from _on_the_spot(ctx, unit, names)
    for mark in ctx.marked(unit.passage, "agency_you"):
        if not _is_open(ctx, unit, mark, mark.sentence.before(mark.start)):
            yield mark
    for mark in ctx.marked(unit.passage, "agency_you_aloud"):
        before = mark.sentence.before(mark.start)
        if is_quoted(unit.passage) and not _is_open(ctx, unit, mark, before):
            yield mark


def _on_the_spot(ctx: Context, unit: Unit, names: list[list[str]]) -> Iterator[Mark]:
    """Find what the player characters do without a thought (`without hesitation, you …`)."""
    for mark in ctx.marked(unit.passage, "agency_unthinking"):
        after = mark.sentence.after(mark.end)[:_SUBJECT_WITHIN]
        verb = any(w.text.endswith(ctx.word_list("you_endings")) for w in after[:2])
        you = ctx.phrases("you_subject").any(after[:1]) or ctx.phrases("players").any(after)
        named = any(contains(name, [w.text for w in after]) for name in names)
        if (verb or you or named) and not _is_open(ctx, unit, mark, mark.sentence.before(mark.start)):
            yield mark


def _subject(ctx: Context, unit: Unit, before: Sequence[Word], names: list[list[str]]) -> int | None:
    """Return the index of the player characters named right before a statement; None for somebody else."""
    if before and ctx.phrases("you_subject").any(before[-1:]):
        sentence = ctx.sentence_at(unit.passage, before[-1].start)
        return None if ctx.phrases("directing").any(sentence.words) else len(before) - 1
    leads = ctx.phrases("players").first(before[:_SUBJECT_WITHIN])
    if leads and before[-1].text in ctx.word_list("they_subject") and len(before) <= _CHOICE_WITHIN * 2:
        return leads[0]  # `the heroes realize that the abbot lied, and they swear …`
    aside = _aside(ctx, before, names)
    if aside is not None:
        return aside
    for first, after in reversed(list(ctx.phrases("players").find(before))):
        between = [w.text for w in before[after:]]
        if ctx.phrases("choice_after").any(before[after:]):
            return None  # `the characters decide whether they trust him`
        joined = any(t in ctx.word_list("joints") for t in between)
        bare = not any(t in ctx.word_list("definite") for t in between)
        most = _JOINED_WITHIN if joined and bare else _SUBJECT_WITHIN - 1
        return first if len(between) <= most else None
    low = max(0, len(before) - _SUBJECT_WITHIN)
    texts = [w.text for w in before]
    return next((i for i in range(low, len(before)) for n in names if texts[i : i + len(n)] == n), None)


def _aside(ctx: Context, before: Sequence[Word], names: list[list[str]]) -> int | None:
    """Return the index of a subject after which something is put in commas (`the heroes, moved by it,`)."""
    if not before or ctx.source[before[-1].end : before[-1].end + 1] != ",":
        return None
    near = before[-_ASIDE_WITHIN:]
    for word in reversed(near[:-1]):
        if ctx.source[word.end : word.end + 1] == ",":
            index = before.index(word)
            head = before[max(0, index - _SUBJECT_WITHIN) : index + 1]
            texts = [w.text for w in head]
            ends = [n for n in names if texts[-len(n) :] == n]
            span = next((s for s in ctx.phrases("players").find(head) if s[1] == len(head)), None)
            start = len(head) - len(ends[0]) if ends else span[0] if span else None
            return None if start is None else index + 1 - len(head) + start
    return None


def _is_open(ctx: Context, unit: Unit, mark: Mark, before: Sequence[Word]) -> bool:
    """Tell whether a statement only offers something, hangs on a condition, or follows from a roll."""
    after = mark.sentence.after(mark.end)[:1]
    asked = ctx.source[mark.sentence.start : mark.sentence.end].rstrip(' *_\n\r\t"»”').endswith("?")
    near = before[-_CHOICE_WITHIN:]
    that = ctx.phrases("result_that").first(near)  # `the smell is such that you flee` offers nothing
    offered = ctx.phrases("open_choice").any(near if that is None else near[that[1] :])
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
