"""The judge: code that decides how a round ended. No model's text is read here, only data."""

from dataclasses import dataclass
from typing import Literal

from concilio.domain.debate import Ending, Ledger, Review

INCOMPLETE_PLAN_WEIGHT = 100
"""Added to a round whose plan is not whole: any whole plan is better than it."""

Step = Literal["refine", "review_again", "end"]


@dataclass(frozen=True, slots=True)
class RoundRecord:
    """What the judge knows of a round."""

    number: int
    plan_complete: bool
    reviews: tuple[Review, ...]
    """Both reviews, or none where lint stopped the round before them."""
    ledger: Ledger
    repeats_last: bool
    """The plan did not change and the same objections are open as a round ago."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """How the debate goes on. `ending` is None while it does."""

    step: Step
    ending: Ending | None
    weight: int
    """Weighted open objections of the round: the round with the fewest is kept."""


def judge(record: RoundRecord, max_rounds: int) -> Judgement:
    """Return what follows from a round.

    Accepted means: the plan is whole, both verdicts are `accept`, and no blocker is open.
    """
    weight = record.ledger.weight() + (0 if record.plan_complete else INCOMPLETE_PLAN_WEIGHT)
    if is_accepted(record):
        return Judgement("end", "accepted", weight)
    if record.repeats_last:
        return Judgement("end", "stalled", weight)
    if record.number >= max_rounds:
        return Judgement("end", "max_rounds", weight)
    return Judgement("refine" if needs_iris(record) else "review_again", None, weight)


def is_accepted(record: RoundRecord) -> bool:
    """Tell whether the round's plan is accepted."""
    verdicts = [review.verdict for review in record.reviews]
    if not record.plan_complete or verdicts != ["accept", "accept"]:
        return False
    return not any(o.severity == "blocker" for o in record.ledger.open())


def needs_iris(record: RoundRecord) -> bool:
    """Tell whether there is anything that Iris could change: a missing verdict is not hers to mend."""
    return any(o.field != MISSING_VERDICT_FIELD for o in record.ledger.open())


MISSING_VERDICT_FIELD = "verdict"
"""Field of the objection that the engine raises against a review without a verdict."""
