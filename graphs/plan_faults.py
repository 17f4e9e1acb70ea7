"""What is wrong with a plan besides its rules: too many scenes, another chapter's, hollow outcomes."""

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
    return (
        *_far_more_scenes(proposal, chapter, target, language),
        *_of_another_chapter(proposal, chapter, language),
        *_unlabelled(proposal, language),
        *_hollow_outcomes(proposal, language),
    )


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


def _of_another_chapter(proposal: Proposal, chapter: int, language: Language) -> Iterator[ObjectionDraft]:
    """A scene 5.1 in chapter 1 would be written, and printed, as another chapter's."""
    for scene in proposal.scenes:
        if int(scene.id.partition(".")[0]) != chapter:
            yield ObjectionDraft(
                scene=scene.id,
                field="scene-count",
                severity="blocker",
                text=say("replies.another_chapter", language, scene=scene.id, chapter=chapter),
                proposal=say("replies.another_chapter_proposal", language, chapter=chapter),
            )


def _hollow_outcomes(proposal: Proposal, language: Language) -> Iterator[ObjectionDraft]:
    """Outcomes that all say the same leave nothing to the players: one text under several labels."""
    for scene in proposal.scenes:
        told = {" ".join(outcome.text.casefold().split()) for outcome in scene.outcomes}
        if len(scene.outcomes) > 1 and len(told) == 1:
            yield ObjectionDraft(
                scene=scene.id,
                field=say("debate.field.outcomes", language),
                severity="blocker",
                text=say("replies.same_outcomes", language, text=scene.outcomes[0].text[:80]),
                proposal=say("replies.same_outcomes_proposal", language),
            )
