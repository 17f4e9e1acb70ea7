"""Rewriting: only the paragraphs with faults change, and none loses a mechanic that it placed."""

from collections.abc import Iterator

from agents.embedded.prose import compose, make_scene
from agents.types import ParagraphReply, ProseFault, RewriteReply, RewriteTask

_SENTENCE_ENDS = (". ", "! ", "? ", "… ", ".\n")
_ATTEMPTS = (1, 2, 3)
"""Shifts of the choice of variants: each is another wording of the same scene."""


def rewrite(task: RewriteTask) -> RewriteReply:
    """Return the paragraphs that change."""
    drafts = [compose(make_scene(task.write, shift)) for shift in _ATTEMPTS]
    replies: dict[int, str] = {}
    for fault in task.faults:
        if 1 <= fault.paragraph <= len(task.paragraphs):
            text = replies.get(fault.paragraph, task.paragraphs[fault.paragraph - 1])
            replies[fault.paragraph] = _mended(text, fault, drafts, fault.paragraph, len(task.paragraphs))
    missing = _missing(task, drafts)
    if missing:
        replies[len(task.paragraphs) + 1] = missing
    changed = {
        n: text for n, text in replies.items() if n > len(task.paragraphs) or text != task.paragraphs[n - 1]
    }
    return RewriteReply(
        paragraphs=[ParagraphReply(number=n, text=text) for n, text in sorted(changed.items())]
    )


def _mended(text: str, fault: ProseFault, drafts: list[list[str]], number: int, count: int) -> str:
    """Return a paragraph without its fault: another wording of it, else the rest of the paragraph."""
    for draft in drafts:
        if len(draft) != count:
            continue
        other = draft[number - 1]
        if (
            other != text
            and references(other) == references(text)
            and (not fault.quote or fault.quote not in other)
        ):
            return other
    return _without_sentence(text, fault.quote)


def _without_sentence(text: str, quote: str) -> str:
    """Return a paragraph without the sentence that holds a quote; as it is where that would leave nothing."""
    at = text.find(quote) if quote else -1
    if at < 0:
        return text
    start = max(
        (text.rfind(mark, 0, at) + len(mark) for mark in _SENTENCE_ENDS if mark in text[:at]), default=0
    )
    ends = [
        found + len(mark) for mark in _SENTENCE_ENDS if (found := text.find(mark, at + len(quote) - 1)) >= 0
    ]
    rest = f"{text[:start]}{text[min(ends) :] if ends else ''}".strip()
    sentence = text[start : min(ends) if ends else len(text)]
    return rest if rest and not references(sentence) and not sentence.lstrip().startswith("-") else text


def references(text: str) -> tuple[str, ...]:
    """Return the references of a text, sorted."""
    return tuple(sorted(_references(text)))


def _references(text: str) -> Iterator[str]:
    for part in text.split("[[")[1:]:
        ref, closing, _ = part.partition("]]")
        if closing and len(ref) <= 24:
            yield ref


def _missing(task: RewriteTask, drafts: list[list[str]]) -> str:
    """Return a paragraph with what the draft does not place, where a fault says that something is missing."""
    if not any(fault.paragraph == 0 for fault in task.faults):
        return ""
    placed = {ref for paragraph in task.paragraphs for ref in references(paragraph)}
    lost = {m.ref for m in task.write.mechanics} - placed
    text = "\n\n".join(task.paragraphs)
    parts = [p for p in drafts[0] if lost & set(references(p)) and not placed & set(references(p))]
    labels = [o.label for o in task.write.scene.outcomes if o.label not in text]
    lines = [
        line
        for p in drafts[0]
        for line in p.splitlines()
        if any(line.startswith(f"- **{x}**") for x in labels)
    ]
    return "\n\n".join([*parts, *(line for line in lines if not any(line in p for p in parts))])
