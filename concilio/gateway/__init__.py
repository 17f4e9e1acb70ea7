"""The one place through which every model call passes."""

from concilio.gateway.ask import Answered, Ask, ChatMessage, Followups, Usage
from concilio.gateway.errors import (
    BudgetSpent,
    GatewayError,
    MissingKey,
    ModelRefused,
    ModelUnreachable,
    OutOfCredit,
    ReplyIncomplete,
    ReplyInvalid,
    ReplyUnusable,
)
from concilio.gateway.gateway import Gateway
from concilio.gateway.ledger import Budget, Ledger
from concilio.gateway.preflight import check_models
from concilio.gateway.settings import Limits, Models
from concilio.gateway.wire import load_litellm, quiet_environment, warm_up

__all__ = [
    "Answered",
    "Ask",
    "Budget",
    "BudgetSpent",
    "ChatMessage",
    "Followups",
    "Gateway",
    "GatewayError",
    "Ledger",
    "Limits",
    "MissingKey",
    "ModelRefused",
    "ModelUnreachable",
    "Models",
    "OutOfCredit",
    "ReplyIncomplete",
    "ReplyInvalid",
    "ReplyUnusable",
    "Usage",
    "check_models",
    "load_litellm",
    "quiet_environment",
    "warm_up",
]
