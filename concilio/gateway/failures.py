"""What an exception of litellm means for us: wait, leave a parameter out, or give up."""

import re
from collections.abc import Mapping
from typing import Any, Literal

Kind = Literal["transient", "unreachable", "no_key", "no_credit", "bad_params", "refused"]
OPTIONAL_PARAMS = ("tools", "response_format", "temperature", "seed", "max_tokens")
"""Parameters that a model may not know; what it rejects is left out from then on."""
RENAMED, UNLIMITED = "max_completion_tokens", "no_limit"
"""What becomes of `max_tokens` where its very name is rejected: sent by the other name; not sent at all."""

_NETWORK = re.compile(
    r"connection|connect call|timed? ?out|disconnect|network|getaddrinfo|ssl", re.IGNORECASE
)
_PASSING = {408, 409, 425, 429}
_FOR_GOOD = {501, 505}
_NO_CREDIT = re.compile(
    r"insufficient_quota|billing_(?:hard_)?limit|billing_not_active|credit balance|out of credits?\b"
    r"|insufficient (?:balance|credits?|funds)|payment required|account is not active",
    re.IGNORECASE,
)
"""How providers say that the account has no money: waiting does not help."""
_PLAN = re.compile(r"exceeded your current quota|check your plan and billing", re.IGNORECASE)
"""The same, unless it is a limit by the minute or the day that says when it ends."""
_PASSES = re.compile(r"retry[ _]?(?:delay|in|after)|per[ _-]?(?:minute|day)|try again in", re.IGNORECASE)
_PREFIX = re.compile(r"\A(?:litellm\.\w{1,60}: )?(?:\w{1,60}Error: )?(?:\w{1,60}Exception - )?")
"""What litellm puts in front of a provider's words."""
_TRACEBACK = "Traceback (most recent call last)"


class CallFailed(Exception):  # noqa: N818 - internal to the gateway
    """One request that brought no reply."""

    def __init__(
        self,
        kind: Kind,
        cause: str,
        *,
        status: int | None = None,
        retry_after: str | None = None,
        params: tuple[str, ...] = (),
    ) -> None:
        self.kind = kind
        self.cause = cause
        self.status = status
        self.retry_after = retry_after
        """The header as it came: seconds or an HTTP date."""
        self.params = params
        """The optional parameters that were rejected, for `bad_params`; see `RENAMED`."""
        super().__init__(cause)


def failure(error: Exception, sent: Mapping[str, Any]) -> CallFailed:
    """Return what an exception of litellm means for us, given the optional parameters that were sent."""
    names = {kind.__name__ for kind in type(error).__mro__}
    status = _status(error)
    cause = words_of(error)
    retry_after = _header(error, "retry-after")
    if names & {"APIConnectionError", "Timeout", "ClientError", "TransportError"} or isinstance(
        error, OSError
    ):
        return CallFailed("transient", cause, status=status)
    if _is_no_credit(error, cause, status, retry_after):
        return CallFailed("no_credit", cause, status=status)
    if status in _PASSING or (status is not None and status >= 500 and status not in _FOR_GOOD):
        return CallFailed("transient", cause, status=status, retry_after=retry_after)
    if "ContextWindowExceededError" in names or "ContentPolicyViolationError" in names:
        return CallFailed("refused", cause, status=status)
    if status in {400, 422} or "UnsupportedParamsError" in names:
        params = rejected_params(cause, sent)
        return CallFailed("bad_params" if params else "refused", cause, status=status, params=params)
    if "AuthenticationError" in names or status == 401:
        return CallFailed("no_key", cause, status=status)
    if status is None and _NETWORK.search(cause):
        return CallFailed("transient", cause)
    return CallFailed("refused", cause, status=status)


def words_of(error: Exception) -> str:
    """Return an error in the provider's words: without litellm's prefix, and without a traceback."""
    text = str(error).split(_TRACEBACK, 1)[0].strip()
    return _PREFIX.sub("", text, count=1).strip() or type(error).__name__


def _is_no_credit(error: Exception, cause: str, status: int | None, retry_after: str | None) -> bool:
    if status == 402:
        return True
    if status not in {400, 403, 429}:
        return False
    told = f"{cause} {getattr(error, 'body', '')} {getattr(error, 'code', '')} {getattr(error, 'type', '')}"
    if _NO_CREDIT.search(told):
        return True
    return bool(_PLAN.search(told)) and not retry_after and not _PASSES.search(told)


_MENTIONS = {
    "tools": re.compile(r"\btools?\b|tool_choice|function[ _-]?call", re.I),
    "response_format": re.compile(r"response_format|json_?schema|structured output|grammar|\bschema\b", re.I),
    "temperature": re.compile(r"temperature", re.I),
    "seed": re.compile(r"\bseed\b", re.I),
    "max_tokens": re.compile(r"max_(completion_|output_)?tokens", re.I),
}
_NAME_REJECTED = re.compile(
    r"(?:un(?:supported|known|recognized|expected)|not (?:supported|permitted|allowed|recognized)|extra)",
    re.I,
)
_OTHER_NAME = re.compile(r"\buse\W{1,3}max_completion_tokens", re.I)
_TOO_LARGE = re.compile(r"too (?:large|big|high)|at most|maximum|less than|exceed|must be", re.I)


def rejected_params(cause: str, sent: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the optional parameters that a 4xx complains about; where it names none, the least usual one."""
    limit = "max_tokens" if "max_tokens" in sent else RENAMED
    named = [
        name
        for name in OPTIONAL_PARAMS
        if (name in sent or (name == "max_tokens" and RENAMED in sent)) and _MENTIONS[name].search(cause)
    ]
    if named:
        return tuple(_limit_change(cause, limit) if name == "max_tokens" else name for name in named)
    return next(((name,) for name in ("tools", "response_format") if name in sent), ())


def _limit_change(cause: str, sent_as: str) -> str:
    """Return what to change about the limit: its size, its name, or that there is one."""
    mention = _MENTIONS["max_tokens"].search(cause)
    near = cause[max(0, mention.start() - 60) : mention.end() + 80] if mention else cause
    other_name = _OTHER_NAME.search(cause) is not None and sent_as == "max_tokens"
    if not other_name and (not _NAME_REJECTED.search(near) or _TOO_LARGE.search(near)):
        return "max_tokens"
    return RENAMED if sent_as == "max_tokens" else UNLIMITED


def _status(error: Exception) -> int | None:
    status = getattr(error, "status_code", None)
    return status if isinstance(status, int) else None


def _header(error: Exception, name: str) -> str | None:
    headers = getattr(getattr(error, "response", None), "headers", None)
    value = headers.get(name) if headers is not None else None
    return value if isinstance(value, str) else None
