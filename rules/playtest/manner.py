"""How a roll is made as its words say: by a group, with advantage, several times, against whom."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from rules.checks.context import Context
from rules.checks.text import Sentence, Word
from rules.claims.model import Advantage, ArmorClass, BareDC, Check, Claim, Save
from rules.document import Passage
from rules.odds.checks import RollMode
from rules.odds.rolls import mode_of
from rules.playtest.phrasing import number, phrases

OPPONENT = 2
"""Bonus of an opponent of whom nothing is known."""
PASSIVE = 10
"""A passive score without its bonus."""
_SIGNED = re.compile(r"[+−–-]\s?\d{1,2}(?!\d)")
_RIVAL_WITHIN = 8
"""Words after a contest's other side in which its figure stands."""
_GROUP_WITHIN = 2
"""Words beside a roll in which it is called a group's."""
_AHEAD = 5
"""Words between `advantage on` and the roll that it is for."""
_SKILL_WORDS = 3
_SKILL_WITHIN = 6
"""Words before a DC in which its skill stands."""
_TOLD_WITHIN = 3
"""Words between a number and what it counts: `tres pruebas con éxito`."""
_LARGEST_SERIES = 20
_SCENE = re.compile(r"(?<!\d)\d{1,3}\.\d{1,2}(?!\d)")


class Rival(NamedTuple):
    """What a contest is rolled against."""

    figure: int
    """Bonus; of a passive score the score itself."""
    passive: bool
    known: bool
    """Whether the text states it."""


def rival(ctx: Context, passage: Passage, claim: Check, end: int) -> Rival:
    """Return the other side of a contest; `end`: where the next roll begins."""
    sentence = ctx.sentence_at(passage, claim.start)
    side = claim.against[0].skill or claim.against[0].ability if claim.against else None
    start = side.start if side else claim.end
    following = [w for w in sentence.after(start) if w.start < end][: _RIVAL_WITHIN + 1]
    beside = sentence.around(start, side.end if side else start, _GROUP_WITHIN)
    if phrases(ctx, "passive").any(beside):
        score = next((int(w.text) for w in following if w.text.isdigit() and len(w.text) <= 2), None)
        return Rival(score if score is not None else PASSIVE + OPPONENT, True, score is not None)
    stop = following[-1].end if following else claim.end
    signed = _SIGNED.search(ctx.source[start:stop])
    if signed is None:
        return Rival(OPPONENT, False, False)
    figure = int("".join(c for c in signed[0] if c.isdigit()))
    return Rival(figure if signed[0][0] == "+" else -figure, False, True)


def is_group(ctx: Context, passage: Passage, claim: Claim) -> bool:
    """Tell whether the words of a roll, or those beside it, call it a group's (`group Stealth check`)."""
    sentence = ctx.sentence_at(passage, claim.start)
    beside = sentence.around(claim.start, claim.end, _GROUP_WITHIN)
    return phrases(ctx, "group_word").any(beside)


def skill_before(ctx: Context, passage: Passage, claim: BareDC, before: int) -> str | None:
    """Return the skill of a DC of which other words part it: `Sigilo en grupo CD 12`.

    They are of a group, or of advantage on it; of anything else, the skill is told of something else.
    """
    sentence = ctx.sentence_at(passage, claim.start)
    words = [w for w in sentence.just_before(claim.start, _SKILL_WITHIN) if w.start >= before]
    covered = [a for a in ctx.told_between(passage, Advantage, sentence.start, claim.start) if a.applies]
    for at in range(len(words) - 1, -1, -1):
        for length in range(min(_SKILL_WORDS, len(words) - at), 0, -1):
            text = ctx.source[words[at].start : words[at + length - 1].end]
            skill = ctx.ruleset.find("skill", text, ctx.language)
            if skill is None:
                continue
            parted = phrases(ctx, "group_word").any(words[at + length :])
            return skill if parted or any(a.start < words[at].start < a.end for a in covered) else None
    return None


def modes(ctx: Context, passage: Passage, rolls: Sequence[Claim]) -> Mapping[int, RollMode]:
    """Return how rolls are made, by where each begins, by what is said without a condition.

    What is told after a roll is told of it (`Athletics DC 12 with advantage, then …`); `advantage on` of
    the one that follows at once; before all rolls of a sentence, or of `both`, of all of them.
    """
    found: dict[int, set[str]] = {roll.start: set() for roll in rolls}
    for sentence in ctx.sentences(passage):
        own = [roll for roll in rolls if sentence.start <= roll.start < sentence.end]
        if not own or phrases(ctx, "if_words").any(sentence.words):
            continue
        for told in ctx.told_between(passage, Advantage, sentence.start, sentence.end):
            if told.applies != "attacks":
                for roll in _meant(ctx, sentence, told, own):
                    found[roll.start].add(told.mode)
    return {start: mode_of("advantage" in names, "disadvantage" in names) for start, names in found.items()}


def leaves_out(ctx: Context, passage: Passage) -> bool:
    """Tell whether a text gives advantage or disadvantage with which no roll is made here.

    It hangs on a condition, or is told apart from the rolls: `Whoever puts the lamps to use has advantage.`
    What hangs on a scene before is remembered, and counted.
    """
    for sentence in ctx.sentences(passage):
        if _SCENE.search(ctx.source, sentence.start, sentence.end):
            continue
        if phrases(ctx, "previous_scene").any(sentence.words):
            continue
        span = (sentence.start, sentence.end)
        told = any(a.applies != "attacks" for a in ctx.told_between(passage, Advantage, *span))
        rolled = any(ctx.told_between(passage, kind, *span) for kind in (Check, Save, BareDC))
        if told and (not rolled or phrases(ctx, "if_words").any(sentence.words)):
            return True
    return False


def _meant(ctx: Context, sentence: Sentence, told: Advantage, own: Sequence[Claim]) -> Sequence[Claim]:
    after = sentence.after(told.start)[1:]
    earlier = [roll for roll in own if roll.start < told.start]
    later = [roll for roll in own if roll.start > told.start]
    ahead = phrases(ctx, "mode_on").any(after[:1]) and later
    if ahead and sum(1 for word in after if word.start < later[0].start) <= _AHEAD:
        return later[:1]
    if phrases(ctx, "each_roll").any([*sentence.just_before(told.start, 3), *after[:3]]):
        return own
    return earlier[-1:] or own


def series(ctx: Context, passage: Passage, claim: Claim, rolls: Sequence[Claim]) -> tuple[int, int] | None:
    """Return how many successes a roll needs before how many failures; None where it is made once.

    Its own sentence says so, or the one beside it, where that asks for no roll.
    """
    sentences = ctx.sentences(passage)
    at = next((i for i, s in enumerate(sentences) if s.start <= claim.start < s.end), None)
    if at is None:
        return None
    for index in (at, at + 1, at - 1):
        if 0 <= index < len(sentences):
            here = sentences[index]
            other = index != at and any(here.start <= roll.start < here.end for roll in rolls)
            found = None if other else next(_series(ctx, here.words), None)
            if found is not None:
                return found
    return None


def _series(ctx: Context, words: Sequence[Word]) -> Iterator[tuple[int, int]]:
    for start, after in phrases(ctx, "before").find(words):
        wins = _counted(ctx, words[:start], "successes")
        losses = _counted(ctx, words[after:], "failures")
        if wins and losses:
            yield wins[-1], losses[0]


def _counted(ctx: Context, words: Sequence[Word], what: str) -> list[int]:
    """Return the numbers that count successes or failures."""
    found: list[int] = []
    for index, word in enumerate(words):
        value = number(ctx, word.text)
        told = words[index + 1 : index + 1 + _TOLD_WITHIN]
        if value and 0 < value <= _LARGEST_SERIES and phrases(ctx, what).any(told):
            found.append(value)
    return found


def is_roll(claim: Claim) -> bool:
    """Tell whether a claim may ask for a roll."""
    return isinstance(claim, Check | Save | BareDC | ArmorClass)
