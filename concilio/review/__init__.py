"""The designer's seat: where a run pauses, what is shown there, what may be decided, and where it is kept.

`pending` and `decide` are all that a terminal or a page needs; the run itself asks `ReviewFolder`.
"""

from concilio.review.folder import ReviewFolder, decide, last_asked, pending, pending_of
from concilio.review.model import Decision, Pause, Pending, ReviewMode, pauses_of

__all__ = [
    "Decision",
    "Pause",
    "Pending",
    "ReviewFolder",
    "ReviewMode",
    "decide",
    "last_asked",
    "pauses_of",
    "pending",
    "pending_of",
]
