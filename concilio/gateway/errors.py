"""What a model call may raise: the whole tree.

::

    GatewayError                agent, model, cause          all that leaves `Gateway.ask`
    ├── ModelUnreachable        nobody answers: no network, time-outs, 429 or 5xx to the end
    │   └── MissingKey          variable                     no key in the environment
    ├── ModelRefused            status                       a 4xx that cannot heal: wrong key, unknown model
    │   └── OutOfCredit                                      the account has no credit: waiting does not help
    ├── BudgetSpent             spent_usd, limit_usd         nothing was sent
    └── ReplyUnusable           reason, text, partial        an answer came, but not one that can be used

    ReplyProblem                raised by `Ask.read`, never leaves the gateway
    ├── ReplyIncomplete         missing, partial             the reply ends early: it will be continued
    └── ReplyInvalid            problem                      the reply is broken: it will be asked again

`StoreError` (concilio.store.errors) passes through untouched: a reply that cannot be kept is not acted on.
"""

from typing import Any, Literal

from concilio.catalogue import say
from concilio.figures import money
from concilio.store.scrub import scrub

LONGEST_CAUSE = 300
"""Characters of a provider's message that are kept: some answer with a whole page."""


Reason = Literal["empty", "cut", "invalid", "language", "too_long", "filtered"]
"""Why a reply is of no use: nothing in it, cut for good, unreadable, in another language, larger than any
answer, held back by the provider's filter."""


def short_cause(cause: str) -> str:
    """Return a provider's message as one short line without secrets."""
    line = " ".join(scrub(cause[: LONGEST_CAUSE * 20]).split())
    return line if len(line) <= LONGEST_CAUSE else line[: LONGEST_CAUSE - 1] + "…"


class GatewayError(Exception):
    """A model call that gave nothing to go on with."""

    text_key = "gateway.failed"
    exit_code = 3
    """Exit status of a command that ends by it."""

    def __init__(self, *, agent: str = "", model: str = "", cause: str = "") -> None:
        self.agent = agent
        """Who asked; empty for the check before a run."""
        self.model = scrub(model)
        self.cause = short_cause(cause)
        """One short line, without secrets, in the provider's words."""
        super().__init__(self.agent, self.model, self.cause)

    def explain(self, language: str | None = None) -> str:
        """Return what happened and what to do, in the user's language (None: the terminal's)."""
        return say(self.text_key, language, **self.fields(language))

    def fields(self, language: str | None = None) -> dict[str, Any]:
        """Return the values of the error's text, figures as a language writes them."""
        return {"agent": self.agent or "-", "model": self.model, "cause": self.cause or "-"}

    def __str__(self) -> str:
        return self.explain()


class ModelUnreachable(GatewayError):  # noqa: N818 - named for what happened
    """Nobody answers, after all retries."""

    text_key = "gateway.unreachable"


class MissingKey(ModelUnreachable):
    """The environment holds no key for the model's provider."""

    text_key = "gateway.missing_key"

    def __init__(self, *, variable: str, agent: str = "", model: str = "", cause: str = "") -> None:
        self.variable = variable
        """Name of the variable to set."""
        super().__init__(agent=agent, model=model, cause=cause)

    def fields(self, language: str | None = None) -> dict[str, Any]:
        """Return the values of the error's text, figures as a language writes them."""
        return super().fields(language) | {"variable": self.variable}


class ModelRefused(GatewayError):  # noqa: N818
    """The provider said no, and would say no again."""

    text_key = "gateway.refused"

    def __init__(
        self, *, status: int | None = None, agent: str = "", model: str = "", cause: str = ""
    ) -> None:
        self.status = status
        """HTTP status, None where the request never left."""
        super().__init__(agent=agent, model=model, cause=cause)

    def fields(self, language: str | None = None) -> dict[str, Any]:
        """Return the values of the error's text, figures as a language writes them."""
        return super().fields(language) | {"status": self.status or "-"}


class OutOfCredit(ModelRefused):
    """The account behind the key has no credit left; nothing is tried again."""

    text_key = "gateway.no_credit"


class BudgetSpent(GatewayError):  # noqa: N818
    """The run's money is spent, or would be by the calls in flight; this call was not made."""

    text_key = "gateway.budget_spent"
    exit_code = 4

    def __init__(self, *, spent_usd: float, limit_usd: float, agent: str = "", model: str = "") -> None:
        self.spent_usd = spent_usd
        self.limit_usd = limit_usd
        super().__init__(agent=agent, model=model)

    def fields(self, language: str | None = None) -> dict[str, Any]:
        """Return the values of the error's text, figures as a language writes them."""
        return super().fields(language) | {
            "spent": money(self.spent_usd, language),
            "limit": money(self.limit_usd, language),
        }


class ReplyUnusable(GatewayError):  # noqa: N818
    """The model answered, and after continuing and asking again there is still no usable reply."""

    text_key = "gateway.unusable"

    def __init__(
        self,
        *,
        reason: Reason = "invalid",
        text: str = "",
        partial: Any = None,
        agent: str = "",
        model: str = "",
        cause: str = "",
    ) -> None:
        self.reason: Reason = reason
        self.text = text
        """What there is of the reply, joined; may be cut."""
        self.partial = partial
        """What `Ask.read` could make of it, or None."""
        super().__init__(agent=agent, model=model, cause=cause)


class ReplyProblem(Exception):  # noqa: N818
    """Why a reader cannot take a reply as it is."""


class ReplyIncomplete(ReplyProblem):
    """The reply is right as far as it goes, but ends early."""

    def __init__(self, missing: str, partial: Any = None) -> None:
        self.missing = missing
        """What is not there yet, in short."""
        self.partial = partial
        """What could be read so far, or None."""
        super().__init__(missing)


class ReplyInvalid(ReplyProblem):
    """The reply is not what was asked for."""

    def __init__(self, problem: str) -> None:
        self.problem = problem
        """What is wrong, in words that the model can mend it by."""
        super().__init__(problem)
