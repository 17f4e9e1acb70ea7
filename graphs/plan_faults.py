"""What is wrong with a plan besides its rules: far more scenes than are wanted, outcomes without a label."""

from collections.abc import Iterator

from concilio.catalogue import say
from concilio.domain.base import Language
from concilio.domain.debate import ObjectionDraft
from concilio.domain.plan import Proposal


def plan_faults(
    proposal: Proposal, chapter: int, target: int, language: Language
) -> tuple[ObjectionDraft, ...]:
    """Return the engine's objections to a plan's shape; each bars acceptance.

    Args:
        proposal: the plan.
        chapter: its number.
        target: scenes that the outline asks for.
        language: language of the objections.
    """
    return (*_far_more_scenes(proposal, chapter, target, language), *_unlabelled(proposal, language))


def _far_more_scenes(
    proposal: Proposal, chapter: int, target: int, language: Language
) -> Iterator[ObjectionDraft]:
    """A scene more or less is the table's business; more than twice as many is another chapter."""
    have = len(proposal.scenes)
    if have > 2 * target + 1:
        yield ObjectionDraft(
            scene=str(chapter),
            field="scene-count",
            severity="blocker",
            text=say("replies.far_more_scenes", language, have=have, target=target),
            proposal=say("replies.far_more_scenes_proposal", language, target=target),
        )


def _unlabelled(proposal: Proposal, language: Language) -> Iterator[ObjectionDraft]:
    for scene in proposal.scenes:
        for outcome in scene.outcomes:
            if not any(character.isalnum() for character in outcome.label):
                yield ObjectionDraft(
                    scene=scene.id,
                    field=say("debate.field.outcomes", language),
                    severity="blocker",
                    text=say("replies.unlabelled", language, text=outcome.text[:80]),
                    proposal=say("replies.unlabelled_proposal", language),
                )
