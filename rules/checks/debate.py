"""The debate: did everybody who must judge give a verdict, and is what a checker says of the plan true?"""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from functools import cache
from typing import NamedTuple

from rules.checks import lexicon, reviews
from rules.checks.completeness import LETTER, missing_fields, truncations
from rules.checks.context import Context
from rules.checks.hit import Hit
from rules.checks.structure import last_line
from rules.checks.text import Marks, Sentence, Word, clip, words_of
from rules.claims.model import ArmorClass, BareDC, Check, Save
from rules.document import DebateMessage, FieldKey, Passage, PlanScene
from rules.wording import LANGUAGES

_NAMED_WITHIN = 4
"""Words after a denial in which it is said what is not there."""
_HEADED_WITHIN = 20
"""Characters of a line in which it says of which scene it speaks."""
_REVIEWERS = ("checker", "critic")
_MOST_LISTED = 24
"""Things that the plan gives, as one finding names them."""
_FIRST_WORDS = re.compile(r"(?:[\W_]*[^\W_]+){0,4}")
_FIGURES = re.compile(r"[\d.]+")


def verdict_of(passage: Passage) -> str:
    """Return the last verdict that a message states, `accept` or `refine`; empty where it states none."""
    lines = _lines(passage)
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


def _lines(passage: Passage) -> list[Passage]:
    """Return the lines of a message that hold a word."""
    found: list[Passage] = []
    at = passage.start
    for line in passage.text.split("\n"):
        if LETTER.search(line):
            found.append(Passage(line, at))
        at += len(line) + 1
    return found


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
        yield ctx.say("accepted-unresolved.plan", scenes=", ".join(sorted(broken)))


def _verdict_reasons(ctx: Context) -> Iterator[str]:
    for role in _REVIEWERS:
        last = next((m for m in reversed(ctx.document.debate) if m.role == role), None)
        verdict = _verdict(ctx, last.passage) if last else "accept"
        if last and verdict != "accept":
            key = "accepted-unresolved.refined" if verdict else "accepted-unresolved.silent"
            yield ctx.say(key, speaker=last.speaker)


class _Statement(NamedTuple):
    """A reviewer's sentence about one planned scene."""

    scene: PlanScene
    sentence: Sentence
    labelled: bool


def false_claim(ctx: Context) -> Iterator[Hit]:
    """A reviewer says that something is not given, and the plan under review gives it."""
    under_review: dict[str, PlanScene] = {}
    for message in ctx.document.debate:
        if message.role == "proposer":
            under_review |= {s.id: s for s in message.scenes}
        elif message.role in _REVIEWERS:
            told: set[int] = set()
            for statement in _statements(ctx, message, under_review):
                for hit in _judge(ctx, statement):
                    told.add(statement.sentence.end)
                    yield hit
            yield from _read_as_grammar(ctx, message, under_review, told)


def _read_as_grammar(
    ctx: Context, message: DebateMessage, under_review: dict[str, PlanScene], told: set[int]
) -> Iterator[Hit]:
    """Give what else a review denies or states falsely, by the grammar of its sentences."""
    accepts = _verdict(ctx, message.passage) == "accept"
    for spoken in _spoken_of(ctx, message, under_review):
        found = None if spoken.sentence.end in told else reviews.judged(ctx, spoken, accepts=accepts)
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
    for line in _lines(message.passage):
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


def _statements(
    ctx: Context, message: DebateMessage, under_review: dict[str, PlanScene]
) -> Iterator[_Statement]:
    """Give the sentences that may deny something, each with the scene that was named last."""
    current: PlanScene | None = None
    denials = _denials(message.passage)
    for line in _lines(message.passage) if denials else ():
        denies = bisect_left(denials, line.start) < bisect_left(denials, line.end)
        several = denies and len(set(_scene_ids(line.text))) > 1
        for sentence in ctx.sentences(line) if several else ():
            current = _scene_named(ctx.source[sentence.start : sentence.end], under_review, current)
            if current is not None:
                yield _Statement(current, sentence, True)
        current = _scene_named(line.text, under_review, current)
        if current is not None and denies and not several:
            for sentence in ctx.sentences(line):
                if bisect_left(denials, sentence.start) < bisect_left(denials, sentence.end):
                    yield _Statement(current, sentence, ":" in line.text)


def _scene_named(text: str, under_review: dict[str, PlanScene], before: PlanScene | None) -> PlanScene | None:
    """Return the scene that a text names, if only one; none where it is headed by one not under review."""
    ids = _scene_ids(text)
    named = {w: under_review[w] for w in ids if w in under_review}
    if len(named) == 1:
        return next(iter(named.values()))
    return None if ids and not named and text.find(ids[0]) < _HEADED_WITHIN else before


def _denials(passage: Passage) -> list[int]:
    """Return where in a message something is denied, in order."""
    words = words_of(passage)
    return sorted(words[first].start for at in _denial_marks().find(words).values() for first, _ in at)


@cache
def _denial_marks() -> Marks:
    names = ("not_given",)
    return Marks({n: [p for lang in LANGUAGES for p in lexicon.word_list(n, lang)] for n in names})


def _scene_ids(line: str) -> list[str]:
    return [word for m in _FIGURES.finditer(line) if (word := m.group().strip(".")).count(".") == 1]


def _judge(ctx: Context, statement: _Statement) -> Iterator[Hit]:
    words = statement.sentence.words
    scene = statement.scene
    denial = lexicon.phrases_any("not_given").first(words)
    given = ""
    if denial and statement.labelled:
        label = words[: denial[0]]
        hedged = lexicon.phrases_any("hedges").any(words[denial[1] : denial[1] + 3])
        given = (
            "" if hedged or len(label) > 5 else _given(ctx, scene, label, words[denial[1] :][:_NAMED_WITHIN])
        )
    if given:
        start, end = clip(ctx.source, *_trimmed(ctx.source, statement.sentence))
        yield Hit(
            scene.id,
            "debate",
            start,
            end,
            ctx.say("false-claim.message", scene=scene.id),
            given,
            ctx.plan_source(scene, scene.passage.start),
        )


def _trimmed(source: str, sentence: Sentence) -> tuple[int, int]:
    start = sentence.start
    while start < sentence.end and (source[start].isspace() or source[start] in "-•#>"):
        start += 1
    return start, sentence.end


def _given(ctx: Context, scene: PlanScene, label: tuple[Word, ...], denied: tuple[Word, ...]) -> str:
    """Return what the plan gives of that which the label names; empty where it does not."""
    if lexicon.phrases_any("label_numbers").any(label):
        return ctx.keep("numbers", str(scene.passage.start), lambda: _numbers(ctx, scene))
    if lexicon.phrases_any("label_outcomes").any(label) and "outcomes" not in missing_fields(scene):
        return _listed(_outcomes_meant(scene, denied))
    named: tuple[tuple[str, FieldKey], ...] = (
        ("label_state", "state_change"),
        ("label_action", "player_action"),
    )
    for name, key in named:
        field = scene.field(key)
        if field and lexicon.phrases_any(name).any(label) and key not in missing_fields(scene):
            return _shortened(field.text.text)
    return ""


def _outcomes_meant(scene: PlanScene, denied: tuple[Word, ...]) -> list[str]:
    """Return the labels of the outcomes of the degree that is denied (`no hay éxito parcial`); else all."""
    for degree in ("critical_success", "critical_failure", "partial", "failure", "success"):
        phrases = lexicon.phrases_any(f"degree_{degree}")
        if phrases.any(denied):
            return [o.label.text for o in scene.outcomes if phrases.any(words_of(o.label))]
    return [o.label.text for o in scene.outcomes]


def _shortened(text: str, limit: int = 120) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= limit else flat[: limit - 1].rsplit(" ", 1)[0] + "…"


def _listed(texts: Sequence[str]) -> str:
    """Return what a plan gives as a list that has an end."""
    return ", ".join(texts if len(texts) <= _MOST_LISTED else [*texts[:_MOST_LISTED], "…"])


def _numbers(ctx: Context, scene: PlanScene) -> str:
    scene = ctx.twin(scene)
    quotes = [
        " ".join(c.quote.split())
        for c in ctx.plan_claims(scene, Check) + ctx.plan_claims(scene, Save) + ctx.plan_claims(scene, BareDC)
        if c.dc is not None
    ]
    return _listed(quotes + [" ".join(c.quote.split()) for c in ctx.plan_claims(scene, ArmorClass)])
