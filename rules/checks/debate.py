"""The debate: did everybody who must judge give a verdict, and is what a checker says of the plan true?"""

import re
from collections.abc import Iterator

from rules.checks import lexicon, reviews
from rules.checks.completeness import missing_fields, truncations
from rules.checks.context import Context
from rules.checks.hit import Hit
from rules.checks.structure import last_line
from rules.checks.text import Sentence, Word, clip, lines_of, words_of
from rules.document import DebateMessage, Passage, PlanScene

_HEADED_WITHIN = 20
"""Characters of a line in which it says of which scene it speaks."""
_REVIEWERS = ("checker", "critic")
_FIRST_WORDS = re.compile(r"(?:[\W_]*[^\W_]+){0,4}")
_FIGURES = re.compile(r"[\d.]+")


def verdict_of(passage: Passage) -> str:
    """Return the last verdict that a message states, `accept` or `refine`; empty where it states none."""
    lines = lines_of(passage)
    for index in range(len(lines) - 1, -1, -1):
        label = lexicon.phrases_any("verdict_labels").first(_first_words(lines[index]))
        if label is None:
            continue
        words = words_of(lines[index])
        following = words[label[1] :] or (words_of(lines[index + 1]) if index + 1 < len(lines) else ())
        verdict = _verdict_word(following[:6])
        if verdict:
            return verdict
    last = words_of(lines[-1]) if lines else ()
    return _verdict_word(last) if len(last) <= 2 else ""


def _first_words(line: Passage) -> tuple[Word, ...]:
    """Return the words in which a line's label may stand."""
    opening = _FIRST_WORDS.match(line.text)
    return words_of(Passage(opening[0], line.start)) if opening else ()


def _verdict(ctx: Context, passage: Passage) -> str:
    return ctx.keep("verdict", str(passage.start), lambda: verdict_of(passage))


def _verdict_word(words: tuple[Word, ...]) -> str:
    accept = lexicon.phrases_any("verdict_accept").first(words)
    refine = lexicon.phrases_any("verdict_refine").first(words)
    if refine and (accept is None or refine[0] < accept[0]):
        return "refine"
    if accept is None:
        return ""
    return "refine" if lexicon.phrases_any("denied").any(words[: accept[0]]) else "accept"


def verdict_missing(ctx: Context) -> Iterator[Hit]:
    """A checker or critic gave no verdict: silence is never consent."""
    for message in ctx.document.debate:
        if message.role not in _REVIEWERS or _verdict(ctx, message.passage):
            continue
        line = last_line(message.passage) or message.passage
        start, end = clip(ctx.source, line.start, line.end)
        yield Hit(
            ctx.chapter, "debate", start, end, ctx.say("verdict-missing.message", speaker=message.speaker)
        )


def accepted_unresolved(ctx: Context) -> Iterator[Hit]:
    """The file says accepted, and the plan is not whole or somebody did not accept it."""
    outcome = ctx.document.outcome
    if outcome is None or ctx.document.ending != "accepted":
        return
    reasons = [*_plan_reasons(ctx), *_verdict_reasons(ctx)]
    if reasons:
        message = ctx.say("accepted-unresolved.message", reasons="; ".join(reasons))
        yield Hit(ctx.chapter, "file", outcome.start, outcome.end, message)


def _plan_reasons(ctx: Context) -> Iterator[str]:
    broken = {s.id for s in ctx.plan_scenes if missing_fields(s)} | {s.id for s, _ in truncations(ctx)}
    if broken:
        yield ctx.say("accepted-unresolved.plan", count=len(broken), scenes=", ".join(sorted(broken)))


def _verdict_reasons(ctx: Context) -> Iterator[str]:
    if ctx.document.debate and ctx.document.debate[-1].role == "designer":
        return  # whose word it is, whatever the reviewers said
    for role in _REVIEWERS:
        last = next((m for m in reversed(ctx.document.debate) if m.role == role), None)
        verdict = _verdict(ctx, last.passage) if last else "accept"
        if last and verdict != "accept":
            key = "accepted-unresolved.refined" if verdict else "accepted-unresolved.silent"
            yield ctx.say(key, speaker=last.speaker)


def false_claim(ctx: Context) -> Iterator[Hit]:
    """A reviewer says that something is not given, and the plan under review gives it."""
    under_review: dict[str, PlanScene] = {}
    for message in ctx.document.debate:
        if message.role == "proposer":
            under_review |= {s.id: s for s in message.scenes}
        elif message.role in _REVIEWERS:
            yield from _judged(ctx, message, under_review)


def _judged(ctx: Context, message: DebateMessage, under_review: dict[str, PlanScene]) -> Iterator[Hit]:
    """Give what a review denies or states falsely, by the grammar of its sentences."""
    accepts = _verdict(ctx, message.passage) == "accept"
    for spoken in _spoken_of(ctx, message, under_review):
        found = reviews.judged(ctx, spoken, accepts=accepts)
        if found:
            scene, given = found
            start, end = clip(ctx.source, *_trimmed(ctx.source, spoken.sentence))
            text = ctx.say("false-claim.message", scene=scene.id)
            source = ctx.plan_source(scene, scene.passage.start)
            yield Hit(scene.id, "debate", start, end, text, given, source)


def _spoken_of(
    ctx: Context, message: DebateMessage, under_review: dict[str, PlanScene]
) -> Iterator[reviews.Spoken]:
    """Give a review's sentences that may judge a plan, each with the scenes of which it may speak.

    One scene where it is named, in the sentence or before it; otherwise all, and it is not sure which.
    """
    current: PlanScene | None = None
    every = list(under_review.values())
    for line in lines_of(message.passage):
        here = _scene_named(line.text, under_review, current)
        several = len(set(_scene_ids(line.text))) > 1
        foreign = here is None and not several and bool(_scene_ids(line.text))
        question: Sentence | None = None
        for sentence in ctx.sentences(line):
            if several:
                here = _scene_named(ctx.source[sentence.start : sentence.end], under_review, here)
            scenes = [] if foreign else [here] if here else every
            spoken = reviews.spoken_of(scenes, sentence, here is not None, question) if scenes else None
            if spoken:
                yield spoken
            asks = ctx.source[sentence.start : sentence.end].rstrip().endswith("?")
            question = sentence if asks else None
        current = here if line.text.lstrip()[:1] in "-*•#" or _scene_ids(line.text) else current


def _scene_named(text: str, under_review: dict[str, PlanScene], before: PlanScene | None) -> PlanScene | None:
    """Return the scene that a text names, if only one; none where it is headed by one not under review."""
    ids = _scene_ids(text)
    named = {w: under_review[w] for w in ids if w in under_review}
    if len(named) == 1:
        return next(iter(named.values()))
    return None if ids and not named and text.find(ids[0]) < _HEADED_WITHIN else before


def _scene_ids(line: str) -> list[str]:
    return [word for m in _FIGURES.finditer(line) if (word := m.group().strip(".")).count(".") == 1]


def _trimmed(source: str, sentence: Sentence) -> tuple[int, int]:
    start = sentence.start
    while start < sentence.end and (source[start].isspace() or source[start] in "-•#>"):
        start += 1
    return start, sentence.end
