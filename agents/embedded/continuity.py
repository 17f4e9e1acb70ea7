"""The pass over a whole chapter: a sentence that an earlier scene has said already is taken out."""

from collections.abc import Iterator

from agents.embedded.beats import sentences
from agents.types import ContinuityReply, ContinuityTask, EditReply

SHORTEST_REPEAT = 6
"""Words from which a repeated sentence is noticed."""


def continuity(task: ContinuityTask) -> ContinuityReply:
    """Return the edits; none for a chapter that repeats nothing."""
    return ContinuityReply(edits=list(_edits(task)))


def _edits(task: ContinuityTask) -> Iterator[EditReply]:
    seen: dict[str, str] = {}
    for scene in task.scenes:
        own: dict[str, str] = {}
        for paragraph in scene.prose.split("\n\n"):
            for quote in _repeats(paragraph, seen):
                yield EditReply(
                    scene=scene.id, quote=quote, replacement="", why=seen[quote.strip(" .").casefold()]
                )
            own.update((s.casefold(), scene.id) for s in sentences(paragraph))
        seen = own | seen


def _repeats(paragraph: str, seen: dict[str, str]) -> Iterator[str]:
    """Yield each sentence, with its end mark, that stood in an earlier scene and is not a whole paragraph."""
    for sentence in sentences(paragraph):
        whole = f" {sentence}."
        if len(sentence.split()) >= SHORTEST_REPEAT and sentence.casefold() in seen and whole in paragraph:
            yield whole
