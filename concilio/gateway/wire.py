"""The only module that touches litellm: loads it, sends one request, reads one response, names its errors."""

import asyncio
import importlib
import logging
import math
import os
import threading
import warnings
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

from pydantic import BaseModel

from concilio.catalogue import say
from concilio.gateway.failures import RENAMED, UNLIMITED, CallFailed, failure, words_of
from concilio.gateway.mending import mend_all_responses
from concilio.gateway.proxies import spare_this_machine
from concilio.gateway.routing import is_own, litellm_name, provider_of
from concilio.gateway.settings import Providers, ToolUse
from concilio.gateway.tools import CALLING, calls_of, written
from concilio.store.journal import Reply

_ENVIRONMENT = {
    "LITELLM_LOCAL_MODEL_COST_MAP": "True",  # or the price map is fetched from the network
    "LITELLM_MODE": "PRODUCTION",  # or a .env is looked for in all the folders above
    "LITELLM_TELEMETRY": "False",
    "LANGSMITH_TRACING": "false",  # or graphs upload their state
    "LANGSMITH_TRACING_V2": "false",
    "LANGCHAIN_TRACING_V2": "false",
    "LANGCHAIN_TRACING": "false",
}
_loading = threading.Lock()


def quiet_environment() -> None:
    """Set the variables that keep litellm and langgraph from the network, before either is imported."""
    os.environ.update(_ENVIRONMENT)
    spare_this_machine()


@cache
def _litellm() -> Any:
    quiet_environment()
    with warnings.catch_warnings():
        # Its lazily imported modules warn about their own type annotations.
        warnings.simplefilter("ignore")
        litellm: Any = importlib.import_module("litellm")
        litellm.suppress_debug_info = True
        litellm.telemetry = False
        logging.getLogger("LiteLLM").setLevel(logging.CRITICAL)
        # The first call loads more modules: let it be one that goes nowhere.
        mend_all_responses(_chat_client())
        litellm.completion(model="gpt-4o", messages=[{"role": "user", "content": "-"}], mock_response="-")
    return litellm


def _chat_client() -> Any:
    """Return litellm's class for OpenAI-compatible servers, None where it has none by that name."""
    try:
        return getattr(importlib.import_module("litellm.llms.openai.openai"), "OpenAIChatCompletion", None)
    except ImportError:
        return None


def load_litellm() -> Any:
    """Return litellm, loaded once and kept quiet. Takes 4 to 9 seconds the first time."""
    with _loading:
        return _litellm()


async def _loaded() -> Any:
    """Return litellm once it is loaded, by a thread that no end waits for: Ctrl-C ends at once."""
    loop = asyncio.get_running_loop()
    done: asyncio.Future[Any] = loop.create_future()

    def tell(result: Any, error: BaseException | None) -> None:
        if done.done():
            return
        if error is None:
            done.set_result(result)
        else:
            done.set_exception(error)

    def load() -> None:
        result, error = None, None
        try:
            result = load_litellm()
        except Exception as problem:  # noqa: BLE001 - handed on to whoever waits
            error = problem
        with suppress(RuntimeError):  # the loop is closed: nobody waits any more
            loop.call_soon_threadsafe(tell, result, error)

    threading.Thread(target=load, name="concilio-litellm", daemon=True).start()
    return await done


def warm_up() -> threading.Thread:
    """Start to load litellm in a thread, so that reading and checking the input goes on meanwhile."""
    quiet_environment()
    thread = threading.Thread(target=load_litellm, name="concilio-warm-up", daemon=True)
    thread.start()
    return thread


@cache
def _sub_call() -> Callable[[], AbstractContextManager[None]]:
    try:
        # Not public, and only an economy: where it is gone, litellm keeps its books as well as we do.
        return importlib.import_module("litellm._internal_context").internal_sub_call
    except (ImportError, AttributeError):
        return nullcontext


def _unlogged() -> AbstractContextManager[None]:
    """Return a context in which litellm does not log a call: the caller keeps the books (2 ms a call)."""
    return _sub_call()()


@cache
def _is_unpriced(model: str) -> bool:
    """Tell whether litellm knows no price of a model behind an OpenAI-compatible address. Loads litellm."""
    provider, _, name = model.partition("/")
    known = _litellm().model_cost
    return provider == "openai" and bool(name) and not {model, name} & known.keys()


def unpriced(models: Iterable[str], own: Collection[str] = ("embedded",)) -> tuple[str, ...]:
    """Return the models whose price nobody knows: no budget can hold them. Loads litellm where it looks."""
    asked = [model for model in dict.fromkeys(models) if not is_own(model, own)]
    return tuple(model for model in asked if _is_unpriced(model) or not _is_listed(model))


def _is_listed(model: str) -> bool:
    known = _litellm().model_cost
    return bool({model, model.partition("/")[2]} & known.keys())


@cache
def _takes_tools(model: str) -> bool:
    """Tell whether litellm knows that a model can call tools. Loads litellm."""
    try:
        return bool(_litellm().supports_function_calling(model=model))
    except Exception:  # noqa: BLE001 - whatever it says of a model that it does not know
        return False


@cache
def _spare_the_search(litellm: Any, model: str) -> None:
    """Register an unknown model: litellm would search all its tables for it, three times a call (4 ms).

    The figure only has to be there: the cost of such a model stays unknown.
    """
    price = {"input_cost_per_token": 1e-12, "output_cost_per_token": 1e-12}
    litellm.register_model({model: price | {"litellm_provider": "openai", "mode": "chat"}})


@dataclass(frozen=True)
class CallParams:
    """What shapes a reply besides the messages."""

    max_tokens: int
    first_max_tokens: int
    """Limit that the question began with: what is tried where a raised one is rejected."""
    temperature: float | None = None
    seed: int | None = None
    schema: type[BaseModel] | None = None
    payload: Mapping[str, Any] = field(default_factory=dict[str, Any])
    tools: Sequence[Mapping[str, Any]] = ()
    """Offered where the model takes tools."""
    may_call: bool = True
    """Whether a tool may be called now; where not, they are named because the conversation has calls."""


class Wire:
    """Sends requests; remembers what each model does not take."""

    def __init__(self, providers: Providers, tools: ToolUse = "off") -> None:
        self._providers = providers
        self._tools = tools
        self._registered: set[str] = set()
        self._rejected: dict[str, set[str]] = {}
        self._open = False

    async def send(
        self, model: str, messages: list[dict[str, Any]], params: CallParams, timeout_s: float
    ) -> Reply:
        """Send one request.

        Raises:
            CallFailed: no reply; its kind says whether trying again may help.
        """
        litellm = await self._ready(model)
        sent = self._arguments(model, params)
        call = litellm.acompletion(
            model=litellm_name(model, self._providers),
            messages=messages,
            max_retries=0,
            num_retries=0,
            drop_params=True,
            timeout=timeout_s,
            **sent,
        )
        try:
            with _unlogged():
                async with asyncio.timeout(timeout_s):
                    response = await call
        except TimeoutError:
            raise CallFailed("transient", say("gateway.cause.timeout", seconds=f"{timeout_s:g}")) from None
        except Exception as error:
            own = is_own(model, self._providers)
            raise (CallFailed("refused", words_of(error)) if own else failure(error, sent)) from error
        reply = reply_of(response, model)
        if _is_unpriced(model):
            return replace(reply, cost_usd=None)
        if is_own(model, self._providers):  # an author of ours is no model: it takes no tokens and no money
            return replace(reply, tokens_in=0, tokens_out=0, cost_usd=0.0)
        return reply

    async def _ready(self, model: str) -> Any:
        litellm = await _loaded() if not _litellm.cache_info().currsize else _litellm()
        if not self._open:
            self._open = True
            _connections.users += 1
        name = model.partition("/")[0]
        if name in self._providers and name not in self._registered:
            self._providers[name]()
            self._registered.add(name)
        if _is_unpriced(model):
            _spare_the_search(litellm, model)
        return litellm

    def _arguments(self, model: str, params: CallParams) -> dict[str, Any]:
        rejected = self._rejected.get(model, set())
        limit = params.first_max_tokens if "max_tokens" in rejected else params.max_tokens
        limit_name = RENAMED if RENAMED in rejected else "max_tokens"
        wanted: dict[str, Any] = {
            limit_name: None if UNLIMITED in rejected else limit,
            "temperature": params.temperature,
            "seed": params.seed,
            "response_format": _response_format(params.schema) if params.schema else None,
            **self._offered(model, params),
        }
        sent = {k: v for k, v in wanted.items() if v is not None and (k not in rejected or k == limit_name)}
        if is_own(model, self._providers):
            return sent | {"concilio_task": dict(params.payload)}
        provider = provider_of(model)
        if provider.key_free_with_base and provider.base() and not provider.has_key():
            sent["api_key"] = "none-needed"
        return sent

    def _offered(self, model: str, params: CallParams) -> dict[str, Any]:
        if not params.tools or is_own(model, self._providers) or "tools" in self._rejected.get(model, ()):
            return {}
        if self._tools == "off" or (self._tools == "auto" and not _takes_tools(model)):
            return {}
        return {"tools": list(params.tools), "tool_choice": "auto" if params.may_call else "none"}

    def leave_out(self, model: str, param: str) -> bool:
        """Remember that a model does not take a parameter, or its name; False where that was known."""
        known = self._rejected.setdefault(model, set())
        if param in known:
            return False
        known.add(param)
        return True

    async def close(self) -> None:
        """Close litellm's connections where nobody else uses them; a later request opens them anew."""
        if not self._open:
            return
        self._open = False
        _connections.users -= 1
        if _connections.users == 0:
            await _litellm().close_litellm_async_clients()
            _litellm().in_memory_llm_clients_cache.flush_cache()


MOST_TOKENS = 10**9
"""Tokens of a call that are believed; a server that tells more, or less than none, has told nothing."""


@dataclass
class _Connections:
    """litellm keeps one set of connections for the process: the last to leave closes them."""

    users: int = 0


_connections = _Connections()


@cache
def _response_format(schema: type[BaseModel]) -> dict[str, Any]:
    json_schema = {"name": schema.__name__, "schema": schema.model_json_schema()}
    return {"type": "json_schema", "json_schema": json_schema}


def reply_of(response: Any, model: str) -> Reply:
    """Return what litellm received as a reply of ours; what of its usage cannot be true is left out.

    Raises:
        CallFailed: there is nothing to read.
    """
    choices: list[Any] = getattr(response, "choices", None) or []
    if not choices:
        raise CallFailed("transient", say("gateway.cause.no_choice"))
    usage = getattr(response, "usage", None)
    tokens_in, tokens_out = _count(usage, "prompt_tokens"), _count(usage, "completion_tokens")
    told = bool(tokens_in or tokens_out)  # litellm makes zeros of a usage that nobody told
    hidden: Mapping[str, Any] = getattr(response, "_hidden_params", None) or {}
    cost = _cost(hidden.get("response_cost")) if told and not _is_absurd(usage) else None
    message = choices[0].message
    text = message.content if isinstance(message.content, str) else ""
    calls = calls_of(message)
    return Reply(
        text=_writable(written(text, calls) if calls else text),
        finish_reason=CALLING if calls else _finish(choices[0].finish_reason),
        tokens_in=tokens_in if told else None,
        tokens_out=tokens_out if told else None,
        cost_usd=cost,
        model=model,
    )


def _finish(reason: object) -> str:
    """Return why a reply without a call ended; that it calls is no reason."""
    return "stop" if not reason or reason == CALLING else str(reason)


def _writable(text: str) -> str:
    """Return a text that UTF-8 can hold: half a character of a cut reply becomes a question mark."""
    return text.encode("utf-8", "replace").decode()


def _count(usage: Any, name: str) -> int | None:
    value = getattr(usage, name, None)
    return value if isinstance(value, int) and 0 <= value <= MOST_TOKENS else None


def _is_absurd(usage: Any) -> bool:
    """Tell whether a usage holds a number that no call can have: what it would cost is nonsense, too."""
    told = [getattr(usage, name, None) for name in ("prompt_tokens", "completion_tokens")]
    return any(isinstance(value, int) and not 0 <= value <= MOST_TOKENS for value in told)


def _cost(value: object) -> float | None:
    """Return a price in US dollars; None where there is none, or it is no price."""
    if not isinstance(value, (int, float)) or not 0 <= value < math.inf:
        return None
    return float(value)
