"""Structure of the chapter file: is the plan whole, and is it what its headings say?"""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from rules.checks import lexicon
from rules.checks.completeness import (
    LETTER,
    announces,
    dangles,
    goes_on,
    is_hollow,
    is_open_ended,
    missing_fields,
    truncations,
)
from rules.checks.context import Context, Unit
from rules.checks.denials import is_mentioned
from rules.checks.hit import Hit
from rules.checks.text import Sentence, Word, clip, fold, words_of
from rules.document import DebateMessage, Passage, PlanScene

_NUMBER = re.compile(r"\d{1,3}")
_QUOTE = 200
_FEWEST = 5
"""Words of a last sentence that has no mark at its end and is no caption."""
_FEWEST_AFTER = 3
"""The same in plain words after other paragraphs."""
_DENIED_WITHIN = 6
"""Words before an approval in which it is denied."""
_SHORTEST_NAME = 4
"""Letters of a first name that is told from a word."""
_COMMENT = re.compile(r"\s*<!--(?:(?!-->).)*-->\s*")
_FENCE = re.compile(r"^[ \t>]*(?:```|~~~).*$", re.MULTILINE)


def scene_count(ctx: Context) -> Iterator[Hit]:
    """The plan is more than one scene away from what the outline asks for, or that is no number (`many`)."""
    plan = ctx.document.plan
    field = next((f for f in ctx.document.header if f.key == "scenes"), None)
    if plan is None or field is None or not plan.scenes:
        return
    wanted = _numbers(ctx, field.text)
    have = len({s.id for s in plan.scenes})
    asked = {"wanted": field.text.text.strip(" .*_"), "count": wanted[0] if len(wanted) == 1 else 2}
    if _is_many(field.text) or (wanted and not min(wanted) - 1 <= have <= max(wanted) + 1):
        yield Hit(
            ctx.chapter,
            "file",
            field.passage.start,
            field.passage.end,
            ctx.say("scene-count.message", have=have, **asked),
            ctx.say("scene-count.expected", **asked),
        )


def _is_many(text: Passage) -> bool:
    """Tell whether a text asks for `many` scenes, which is no number to hold a plan to."""
    words = words_of(text)
    found = lexicon.phrases_any("many_scenes").first(words)
    return found is not None and found[0] == 0


def _numbers(ctx: Context, text: Passage) -> list[int]:
    names = lexicon.table("numbers", ctx.language)
    words = [w.text for w in words_of(text)]
    # `una docena`: the article before another number is no number
    told = [
        w for w, after in zip(words, [*words[1:], ""], strict=True) if after.isdecimal() or after not in names
    ]
    return [int(w) if w.isdecimal() else names[w] for w in told if _NUMBER.fullmatch(w) or w in names]


def field_missing(ctx: Context) -> Iterator[Hit]:
    """A planned scene lacks fields that the table needs, or has only what stands for them (`TBD`)."""
    for scene in ctx.plan_scenes:
        yield from _hollow_fields(ctx, scene)
        missing = missing_fields(scene)
        if missing:
            labels = ", ".join(str(lexicon.table("fields", ctx.language)[key]) for key in missing)
            at = scene.passage.start
            yield Hit(
                scene.id,
                "plan",
                at,
                at,
                ctx.say("field-missing.message", scene=scene.id, fields=labels),
                labels,
            )


def _hollow_fields(ctx: Context, scene: PlanScene) -> Iterator[Hit]:
    """Give the fields that hold nothing but a stand-in."""
    labels = lexicon.table("fields", ctx.language)
    for field in scene.fields:
        if is_hollow(field.text.text):
            message = ctx.say("field-missing.message", scene=scene.id, fields=labels[field.key])
            start, end = clip(ctx.source, field.text.start, field.text.end)
            yield Hit(scene.id, "plan", start, end, message, str(labels[field.key]))


def truncated(ctx: Context) -> Iterator[Hit]:
    """A field, a message or a scene's prose ends before its sentence does."""
    for scene, cut in truncations(ctx):
        start, end = clip(ctx.source, cut.start, cut.end)
        yield Hit(scene.id, "plan", start, end, ctx.say("truncated.field"))
    yield from _cut_messages(ctx)
    for unit in ctx.prose_units:
        if ctx.document.chapter is not None:
            yield from _cut_prose(ctx, unit.scene, unit.passage)


def _cut_messages(ctx: Context) -> Iterator[Hit]:
    for message in ctx.document.debate:
        line = last_line(message.passage)
        if message.role in ("checker", "critic"):
            yield from _cut_review(ctx, message)
        if message.role != "proposer" or line is None:
            continue
        open_fence = sum(1 for _ in _FENCE.finditer(message.passage.text)) == 1
        unfinished = message.scenes and missing_fields(message.scenes[-1])
        heading = line.text.lstrip().startswith("#")
        if heading or ((open_fence or unfinished) and is_open_ended(line, ctx.language)):
            start, end = clip(ctx.source, line.start, line.end)
            scene = message.scenes[-1].id if message.scenes and not heading else ctx.chapter
            yield Hit(scene, "debate", start, end, ctx.say("truncated.turn", speaker=message.speaker))


def _cut_review(ctx: Context, message: DebateMessage) -> Iterator[Hit]:
    """A paragraph of a review stops before its sentence does, and the verdict follows."""
    at = message.passage.start
    for paragraph in message.passage.text.split("\n\n")[:-1]:
        line = last_line(Passage(paragraph, at))
        at += len(paragraph) + 2
        if line is None or line.text.lstrip().startswith(("#", "|", ">", "*")):
            continue
        if dangles(line.text, ctx.language) or (goes_on(line.text) and is_open_ended(line, ctx.language)):
            start, end = clip(ctx.source, line.start, line.end)
            yield Hit(ctx.chapter, "debate", start, end, ctx.say("truncated.turn", speaker=message.speaker))


def _cut_prose(ctx: Context, scene: str, prose: Passage) -> Iterator[Hit]:
    yield from _cut_paragraphs(ctx, scene, prose)
    line = last_line(prose)
    if line is None or line.text.lstrip()[:1] in "|#>" or not is_open_ended(line, ctx.language):
        return
    if announces(line.text):
        start, end = clip(ctx.source, line.start, line.end)
        yield Hit(scene, "prose", start, end, ctx.say("truncated.prose"))
        return
    sentence = ctx.sentences(line)[-1:] or ()
    plain = line.text.strip()[:1].isalpha() and "\n\n" in prose.text.strip()
    least = _FEWEST_AFTER if plain else _FEWEST
    long_enough = any(len(s.words) >= least for s in sentence) or goes_on(line.text)
    in_list = line.text.lstrip()[:1] in "-*•" or _NUMBER.match(line.text.lstrip())
    if long_enough and (not in_list or dangles(line.text, ctx.language)):
        start, end = clip(ctx.source, line.start, line.end)
        yield Hit(scene, "prose", start, end, ctx.say("truncated.prose"))


def _cut_paragraphs(ctx: Context, scene: str, prose: Passage) -> Iterator[Hit]:
    """A paragraph stops at a word that something must follow, and another one begins."""
    paragraphs = prose.text.split("\n\n")
    at = prose.start
    for paragraph, following in pairwise(paragraphs):
        line = last_line(Passage(paragraph, at))
        at += len(paragraph) + 2
        opens = following.lstrip()[:1]
        if line is None or line.text.lstrip()[:1] in "|#>-+" or opens.islower() or opens in "|-*+>#":
            continue
        if (
            _NUMBER.match(opens)
            or not line.text.rstrip()[-1:].isalpha()
            or not dangles(line.text, ctx.language)
        ):
            continue
        if len(words_of(line)) >= _FEWEST_AFTER:
            start, end = clip(ctx.source, line.start, line.end)
            yield Hit(scene, "prose", start, end, ctx.say("truncated.prose"))


def last_line(passage: Passage) -> Passage | None:
    """Return the last line that holds a word and is no comment, or None."""
    text, end = passage.text, len(passage.text)
    while end > 0:
        begin = text.rfind("\n", 0, end) + 1
        line = text[begin:end].rstrip()
        if LETTER.search(line) and not _FENCE.match(line) and not _COMMENT.fullmatch(line):
            return Passage(line, passage.start + begin)
        end = begin - 1
    return None


def chat_in_plan(ctx: Context) -> Iterator[Hit]:
    """The plan holds talk to the table beside the plan, or the prose ends with it."""
    yield from _chat_after_prose(ctx)
    plan = ctx.document.plan
    if plan is None:
        return
    for stray in plan.stray:
        text = _FENCE.sub(lambda m: " " * len(m.group()), stray.text)
        lead = len(text) - len(text.lstrip())
        if not any(c.isalpha() for c in text) or text.lstrip().startswith("#"):
            continue
        line = stray.text[lead:].split("\n", 1)[0].rstrip()
        start = stray.start + lead
        end = start + len(line[:_QUOTE])
        yield Hit(ctx.chapter, "plan", start, end, ctx.say("chat-in-plan.message"))
    yield from _chat_in_fields(ctx)


def _chat_after_prose(ctx: Context) -> Iterator[Hit]:
    """The last line of a scene's prose is talk to whoever asked for it; quoted speech is not."""
    yield from _chat_before_prose(ctx)
    for scene in ctx.document.scenes if ctx.document.chapter is not None else ():
        line = last_line(scene.prose) if scene.prose else None
        if line is None or not (line.text[:1].isalpha() or line.text[:1] in "¡¿"):
            continue
        if lexicon.phrases_any("chat_closings").length_at(words_of(line), 0):
            start, end = clip(ctx.source, line.start, line.end)
            yield Hit(scene.id, "prose", start, end, ctx.say("chat-in-plan.prose"))


def _chat_before_prose(ctx: Context) -> Iterator[Hit]:
    """The first sentence of a scene's prose presents the text to whoever asked for it."""
    for scene in ctx.document.scenes if ctx.document.chapter is not None else ():
        first = ctx.sentences(scene.prose)[:1] if scene.prose else ()
        for sentence in first:
            if lexicon.phrases_any("chat_before_prose").length_at(sentence.words, 0):
                start, end = clip(ctx.source, sentence.words[0].start, sentence.end)
                yield Hit(scene.id, "prose", start, end, ctx.say("chat-in-plan.prose"))


def _chat_in_fields(ctx: Context) -> Iterator[Hit]:
    for unit in ctx.plan_units:
        for index, sentence in enumerate(ctx.sentences(unit.passage)):
            if _is_of_the_debate(ctx, unit, sentence) or (index and _is_chat(ctx, unit.passage, sentence)):
                start, end = clip(ctx.source, sentence.start, sentence.end)
                yield Hit(unit.scene, "plan", start, end, ctx.say("chat-in-plan.message"))


def _is_chat(ctx: Context, field: Passage, sentence: Sentence) -> bool:
    """Tell whether a sentence of a field is talk to the table: in a paragraph of its own, or by its words."""
    if not sentence.words:
        return False
    if lexicon.phrases_any("chat_openings").length_at(sentence.words, 0):
        alone = _opens_paragraph(ctx.source, field.start, sentence.start)
        return alone or _is_unmistakable(ctx, field, sentence)
    return _is_unmistakable(ctx, field, sentence)


def _is_of_the_debate(ctx: Context, unit: Unit, sentence: Sentence) -> bool:
    """Tell whether the plan's author speaks: of the reviewers by their names, or in the first person."""
    words = sentence.words
    reviewers = _reviewers(ctx)
    at = next((i for i, w in enumerate(words) if w.text in reviewers and ctx.source[w.start].isupper()), None)
    if at is None:
        said = lexicon.phrases_any("chat_first_person").first(words)
        at = said[0] if said else None
    return at is not None and not (
        ctx.is_spoken(unit.passage, words[at].start) or is_mentioned(ctx, unit, words[at].start)
    )


def _reviewers(ctx: Context) -> frozenset[str]:
    """Return the first names of those who debate, names of the story aside."""

    def make() -> frozenset[str]:
        own = {w.text for name in ctx.facts.names for w in words_of(Passage(name, 0))}
        present = (s.field("present") for s in ctx.plan_scenes)
        own |= {w.text for field in present if field for w in words_of(field.text)}
        speakers = {m.speaker for m in ctx.document.debate if m.role is not None}
        first = {words[0].text for name in speakers if (words := words_of(Passage(name, 0)))}
        return frozenset(name for name in first - own if len(name) >= _SHORTEST_NAME)

    return ctx.keep("reviewers", "", make)


def _is_unmistakable(ctx: Context, field: Passage, sentence: Sentence) -> bool:
    chat = any(lexicon.phrases_any(n).length_at(sentence.words, 0) for n in ("chat_closings", "chat_inside"))
    return chat and not ctx.is_spoken(field, sentence.words[0].start)


def _opens_paragraph(source: str, lowest: int, at: int) -> bool:
    """Tell whether nothing but marks stands between a blank line and an offset."""
    while at > lowest and source[at - 1] in " \t*_>-":
        at -= 1
    return at >= lowest + 2 and source.startswith("\n\n", at - 2)


def duplicate_scene(ctx: Context) -> Iterator[Hit]:
    """The plan gives one scene twice."""
    if ctx.document.plan is None:
        return
    seen: dict[object, PlanScene] = {}
    for scene in ctx.document.plan.scenes:
        marks = [m for m in (scene.id, _told(scene)) if m]
        twin = next((seen[m] for m in marks if m in seen), None)
        if twin is not None:
            heading = scene.title
            yield Hit(
                scene.id,
                "plan",
                heading.start,
                heading.end,
                _twice(ctx, scene, twin),
                source=ctx.plan_source(twin, twin.title.start),
            )
        for mark in marks:
            seen.setdefault(mark, scene)


def _twice(ctx: Context, scene: PlanScene, twin: PlanScene) -> str:
    key = "again" if scene.id == twin.id else "message"
    return ctx.say(f"duplicate-scene.{key}", scene=scene.id, twin=twin.id)


def _told(scene: PlanScene) -> tuple[str, ...]:
    """Return what a scene tells, by which it is known under another id; empty where it tells too little."""
    fields = (scene.field("situation"), scene.field("player_action"))
    plain = tuple(" ".join(fold(f.text.text).split()) for f in fields if f)
    return plain if len(plain) == 2 and all(plain) else ()


def _approval(words: Sequence[Word]) -> tuple[bool, bool]:
    """Tell whether a heading says that the plan was approved, and whether it says that it was not."""
    if lexicon.phrases_any("refused").any(words):
        return False, True
    approval = lexicon.phrases_any("approved").first(words)
    if approval is None:
        return False, False
    by_nobody = lexicon.phrases_any("refused_by").any(words[approval[1] :][:2])
    denied = by_nobody or lexicon.phrases_any("denied").any(words[: approval[0]][-_DENIED_WITHIN:])
    return not denied, denied


def outcome_mislabelled(ctx: Context) -> Iterator[Hit]:
    """The plan's heading says that it was approved, and the file's ending says otherwise, or the reverse."""
    plan, ending = ctx.document.plan, ctx.document.ending
    if plan is None or not ending:
        return
    approved, denied = _approval(words_of(plan.heading))
    if (approved or denied) and (ending == "accepted") == denied:
        yield Hit(
            ctx.chapter,
            "file",
            plan.heading.start,
            plan.heading.end,
            ctx.say("outcome-mislabelled.message", ending=ctx.ending(ending)),
            ctx.ending(ending),
            ctx.say("common.line", line=ctx.line(ctx.document.outcome.start)) if ctx.document.outcome else "",
        )
