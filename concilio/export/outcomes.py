"""What is printed of a scene's outcomes: nothing that its prose has told already."""

from collections.abc import Sequence
from dataclasses import dataclass

from concilio.domain.plan import Outcome
from concilio.export.book import Block, Book, Scene
from rules.folding import split_words

END = "end"
_NOTE_WORDS = 12
"""Words after a label that may be a remark on it (`if four points or fewer are missing`)."""


@dataclass(frozen=True, slots=True)
class Shown:
    """An outcome as it is printed."""

    label: str
    degree: str
    text: str
    """Empty where the prose tells it."""
    leads_to: str | None


@dataclass(frozen=True, slots=True)
class Ending:
    """A scene's outcomes as they are printed."""

    rows: tuple[Shown, ...] = ()
    told: bool = False
    """Whether the prose tells all of them: what is left is where each leads."""

    @property
    def title(self) -> str:
        """Key of their heading."""
        return "outcomes_lead" if self.told else "outcomes"


def ending_of(book: Book, scene: Scene) -> Ending:
    """Return what is to be printed of a scene's outcomes.

    One that the prose tells keeps its label and where it leads. Where it tells all of them, and the chapter
    goes on with its next scene whichever comes, nothing is left to say.
    """
    told = [is_told(each, scene) for each in scene.outcomes]
    ids = [each.id for each in book.scenes]
    after = ids[ids.index(scene.id) + 1 :]
    following = after[0] if after else END
    if all(told) and all(each.leads_to in (None, "", following) for each in scene.outcomes):
        return Ending()
    rows = (
        Shown(each.label, each.degree, "" if known else each.text, each.leads_to)
        for each, known in zip(scene.outcomes, told, strict=True)
        if each.leads_to or not known
    )
    return Ending(tuple(rows), all(told))


def is_told(outcome: Outcome, scene: Scene) -> bool:
    """Tell whether a scene's prose holds an outcome under its label: all its words, in their order.

    What the prose adds in between does not matter; a word or figure that it changes does.
    """
    label, text = split_words(outcome.label), split_words(outcome.text)
    blocks = [split_words(_plain(block)) for block in scene.prose]
    others = [split_words(each.label) for each in scene.outcomes if each.label]
    for place, words in enumerate(blocks):
        if label and words[: len(label)] == label:
            rest = words[len(label) :]
            below = blocks[place + 1] if place + 1 < len(blocks) and len(rest) <= _NOTE_WORDS else ()
            if not any(below[: len(other)] == other for other in others):
                rest += below
            if text and _in_order(text, rest):
                return True
    return False


def _plain(block: Block) -> str:
    return " ".join(cell.plain for cell in block.cells) if block.kind == "row" else block.plain


def _in_order(wanted: Sequence[str], words: Sequence[str]) -> bool:
    rest = iter(words)
    return all(word in rest for word in wanted)
