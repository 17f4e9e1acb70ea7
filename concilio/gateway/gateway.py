"""The one place of model calls: limits, retries, journal, accounts, and a reply that is whole or an error."""

import asyncio
import random
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol

from tenacity import AsyncRetrying, retry_if_exception, stop_after_attempt
from tenacity.wait import wait_base

from concilio.catalogue import say, speaking
from concilio.gateway.ask import Answered, Ask, T
from concilio.gateway.clock import Clock, SystemClock
from concilio.gateway.errors import (
    GatewayError,
    MissingKey,
    ModelRefused,
    ModelUnreachable,
    OutOfCredit,
    ReplyUnusable,
)
from concilio.gateway.language import is_loaded, is_other_language, load, start_loading
from concilio.gateway.ledger import Budget, Ledger, usage_of
from concilio.gateway.limiter import PROCESS, Limiters
from concilio.gateway.proxies import proxy_before
from concilio.gateway.retry import may_heal, patient, tenacity_wait
from concilio.gateway.routing import is_own, provider_name, provider_of
from concilio.gateway.settings import Limits, Models, Providers
from concilio.gateway.starts import has_begun
from concilio.gateway.talk import Done, OtherLanguage, Talk, Unusable, begin, take
from concilio.gateway.tools import wire_message
from concilio.gateway.wire import CallFailed, CallParams, Wire
from concilio.store.events import utc_now
from concilio.store.journal import Journal, JournalRow, MemoryJournal, Reply, Request


class Events(Protocol):
    """Where the gateway tells what it does."""

    def emit(self, kind: str, **fields: Any) -> None:
        """Tell one thing."""
        ...


class Gateway:
    """Asks models. One a run; limits on concurrency and rate are shared by all gateways of the process."""

    def __init__(
        self,
        models: Models,
        journal: Journal | None = None,
        *,
        limits: Limits | None = None,
        budget: Budget | None = None,
        events: Events | None = None,
        providers: Providers | None = None,
        limiters: Limiters = PROCESS,
        clock: Clock | None = None,
        now: Callable[[], datetime] = utc_now,
        other_language: OtherLanguage = is_other_language,
        rng: random.Random | None = None,
    ) -> None:
        self.models = models
        self.journal: Journal = journal or MemoryJournal()
        self.limits = limits or Limits()
        self.budget = budget or Budget()
        self.ledger = Ledger()
        """What was used, per agent and model."""
        self._events = events
        self._providers = providers or {}
        self._limiters = limiters
        self._clock = clock or SystemClock()
        self._now = now
        self._other_language = other_language
        self._rng = rng or random.Random()  # noqa: S311 - jitter only
        self._wire = Wire(self._providers, self.limits.tools)
        self._keeping: set[asyncio.Task[None]] = set()
        """Replies on their way to the journal: they get there even when whoever asked is cancelled."""

    async def ask(self, ask: Ask[T]) -> Answered[T]:
        """Put a question until there is a whole, readable reply.

        Raises:
            ModelUnreachable: nobody answers (MissingKey: for want of a key).
            ModelRefused: the provider says no for good.
            BudgetSpent: the call was not made.
            ReplyUnusable: replies came, and none can be used; carries text and partial value.
            StoreError: a reply could not be kept.
        """
        with speaking(ask.language):
            return await self._answered(ask)

    async def _answered(self, ask: Ask[T]) -> Answered[T]:
        talk = begin(ask)
        replies: list[Reply] = []
        while True:
            try:
                received = await self._reply(talk)
            except ModelRefused as refusal:
                raise _with_draft(refusal, talk) from refusal
            try:
                async with received as reply:
                    replies.append(reply)
                    step = take(talk, reply, self.limits, await self._language_judge(reply.model))
            except Unusable as end:
                raise ReplyUnusable(
                    reason=end.reason,
                    agent=ask.agent,
                    model=received.reply.model,
                    cause=end.cause,
                    text=end.text,
                    partial=end.partial,
                ) from None
            if isinstance(step, Done):
                return Answered(step.value, step.text, usage_of(replies), len(replies), reply.model)
            self._tell_step(talk, step)
            talk = step

    async def _language_judge(self, model: str) -> OtherLanguage:
        """Return who judges the language of a model's replies: nobody, where a program of ours answers."""
        if is_own(model, self._providers):
            return _never_other
        if self._other_language is is_other_language and not is_loaded():
            await asyncio.to_thread(load)
        return self._other_language

    async def recall(self, *, charge: bool = True) -> None:
        """Count what earlier processes of this run paid for; call it before the first question.

        Args:
            charge: whether it is held against the budget; not where whoever shares it has done so.
        """
        for row in await self.journal.rows():
            if self.ledger.add(row) and charge:
                self.budget.charge(row.reply.cost_usd)

    async def close(self) -> None:
        """Wait for what is being kept, and close the connections that were kept open in this event loop."""
        await asyncio.gather(*self._keeping, return_exceptions=True)
        await self._wire.close()

    async def __aenter__(self) -> "Gateway":
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    # -- one reply

    async def _reply(self, talk: Talk[T]) -> "_Received":
        """Return the reply to the next request: from the journal, else from the first model that answers."""
        requests = [self._request(talk, model) for model in self.models.of(talk.ask.agent)]
        for request in requests:
            kept = await self.journal.get(request.id)
            if kept is not None:
                self._count(JournalRow(request.id, request.agent, request.key, kept))
                self._tell_call(request, kept, 0.0, from_journal=True)
                return _Received(kept)
        unreachable: ModelUnreachable | None = None
        for request in requests:
            try:
                return await self._fetch(talk, request)
            except ModelUnreachable as error:
                unreachable = unreachable or error
                self._tell("model_unreachable", agent=request.agent, model=request.model, cause=error.cause)
        raise unreachable or ModelUnreachable(agent=talk.ask.agent)

    def _request(self, talk: Talk[T], model: str) -> Request:
        ask = talk.ask
        params: dict[str, Any] = {
            "max_tokens": talk.max_tokens,
            "temperature": ask.temperature,
            "seed": ask.seed,
            "schema": ask.schema.__name__ if ask.schema and talk.wants_schema else None,
        }
        if is_own(model, self._providers):
            params["payload"] = dict(ask.payload)
        return Request(
            agent=ask.agent,
            key=ask.key,
            attempt=talk.attempt,
            model=model,
            messages=tuple((m.role, m.content) for m in talk.messages),
            params=params,
        )

    async def _fetch(self, talk: Talk[T], request: Request) -> "_Received":
        """Pay for a reply, and begin to keep it."""
        params = CallParams(
            max_tokens=talk.max_tokens,
            first_max_tokens=talk.ask.max_tokens,
            temperature=talk.ask.temperature,
            seed=talk.ask.seed,
            schema=talk.ask.schema if talk.wants_schema else None,
            payload=talk.ask.payload,
            tools=self._tools(talk),
            may_call=talk.may_call(self.limits),
        )
        self.budget.begin(request.agent, request.model)
        if talk.ask.language and not is_own(request.model, self._providers):
            start_loading()
        began = time.perf_counter()
        has_begun()
        try:
            received = await self._retrying(request, params)
        except CallFailed as failed:
            raise _named(failed, request) from failed
        finally:
            self.budget.end()
        self._tell_call(request, received.reply, time.perf_counter() - began, from_journal=False)
        return received

    def _tools(self, talk: Talk[T]) -> Sequence[Mapping[str, Any]]:
        """Return what a request offers: nothing after a follow-up, what was called once it was called."""
        tools = talk.ask.tools
        offered = tools is not None and (talk.may_call(self.limits) or bool(talk.looked_up))
        return tools.specs if tools is not None and offered and self.limits.tools != "off" else ()

    async def _retrying(self, request: Request, params: CallParams) -> "_Received":
        retrying = AsyncRetrying(
            retry=retry_if_exception(may_heal),
            stop=stop_after_attempt(max(1, self.limits.tries)),
            wait=_Wait(tenacity_wait(self.limits, self._rng, self._now)),
            sleep=self._clock.sleep,
            before_sleep=lambda state: self._tell_retry(request, state),
            reraise=True,
        )
        return await retrying(self._once, request, params)

    async def _once(self, request: Request, params: CallParams) -> "_Received":
        """Send a request once; again only without a parameter that the model turns out not to take."""
        messages = [wire_message(role, content) for role, content in request.messages]
        characters = sum(len(content) for _, content in request.messages)
        limiter = self._limiters.of(provider_name(request.model))
        left_out: set[str] = set()
        while True:
            try:
                async with limiter.place(self.limits, self._clock, characters) as place:
                    received = await self._send_and_keep(request, messages, params)
                    place.reply = received.reply
                    return received
            except CallFailed as raised:
                failed = patient(raised, self.limits, self._now())
                # A call beside this one may have found out first: only a second time is a reason to give up.
                new = [param for param in failed.params if param not in left_out]
                if not new:
                    raise failed from raised
                left_out.update(new)
                for param in new:
                    self._wire.leave_out(request.model, param)
                    self._tell("param_left_out", model=request.model, param=param)

    async def _send_and_keep(
        self, request: Request, messages: list[dict[str, Any]], params: CallParams
    ) -> "_Received":
        reply = await self._wire.send(request.model, messages, params, self.limits.timeout_s)
        keeping = asyncio.create_task(self._keep(request, reply))
        self._keeping.add(keeping)
        keeping.add_done_callback(self._keeping.discard)
        await asyncio.sleep(0)  # the disk begins to work now
        return _Received(reply, keeping)

    async def _keep(self, request: Request, reply: Reply) -> None:
        await self.journal.put(request, reply)
        self._count(JournalRow(request.id, request.agent, request.key, reply))

    def _count(self, row: JournalRow) -> None:
        if self.ledger.add(row):
            self.budget.charge(row.reply.cost_usd)

    # -- what is told

    def _tell(self, kind: str, **fields: Any) -> None:
        if self._events is not None:
            self._events.emit(kind, **fields)

    def _tell_call(self, request: Request, reply: Reply, seconds: float, *, from_journal: bool) -> None:
        self._tell(
            "call",
            agent=request.agent,
            key=request.key,
            attempt=request.attempt,
            model=request.model,
            seconds=round(seconds, 3),
            tokens_in=reply.tokens_in,
            tokens_out=reply.tokens_out,
            cost_usd=reply.cost_usd,
            finish_reason=reply.finish_reason,
            characters=len(reply.text),
            from_journal=from_journal,
        )

    def _tell_retry(self, request: Request, state: Any) -> None:
        failed = state.outcome.exception()
        self._tell(
            "retry",
            agent=request.agent,
            key=request.key,
            model=request.model,
            tries=state.attempt_number,
            wait_s=round(state.next_action.sleep, 2),
            cause=GatewayError(cause=str(failed)).cause,
        )

    def _tell_step(self, before: Talk[T], after: Talk[T]) -> None:
        reason = "continued" if after.continuing and after.blanks == 0 else "asked_again"
        if after.tool_rounds > before.tool_rounds:
            reason = "looked_up"
        self._tell(reason, agent=before.ask.agent, key=before.ask.key, attempt=after.attempt)


@dataclass(frozen=True)
class _Received:
    """A reply that is here, and on its way to the journal."""

    reply: Reply
    keeping: "asyncio.Task[None] | None" = None
    """None: it comes from there."""

    async def __aenter__(self) -> Reply:
        return self.reply

    async def __aexit__(self, *_: object) -> None:
        """Leave once the reply is durable: reading it, which is no deed, goes on while the disk works.

        Raises:
            StoreError: it could not be kept.
        """
        if self.keeping is not None:
            await asyncio.shield(self.keeping)


class _Wait(wait_base):
    """Our wait, as an object that tenacity takes."""

    def __init__(self, wait: Callable[[Any], float]) -> None:
        self._wait = wait

    def __call__(self, retry_state: Any) -> float:
        return self._wait(retry_state)


def _never_other(text: str, expected: Any) -> bool:
    return False


def _with_draft(refusal: ModelRefused, talk: Talk[Any]) -> GatewayError:
    """Return a refusal to go on as what it is for the caller: a cut reply, with what there is of it."""
    if not talk.continuing:
        return refusal
    return ReplyUnusable(
        reason="cut",
        agent=refusal.agent,
        model=refusal.model,
        cause=refusal.cause,
        text=talk.text,
        partial=talk.partial,
    )


def _way(failed: CallFailed, model: str) -> str:
    """Return, for a line that dropped, the proxy that it went through: it may be the proxy that is down."""
    provider = provider_of(model)
    proxy = proxy_before(provider.base() or provider.address) if failed.status in (None, 500) else None
    return say("gateway.cause.by_proxy", **vars(proxy)) if proxy else ""


def _named(failed: CallFailed, request: Request) -> GatewayError:
    """Return the error of the public tree for a call that brought no reply."""
    agent, model = request.agent, request.model
    if failed.kind in ("transient", "unreachable"):
        return ModelUnreachable(agent=agent, model=model, cause=failed.cause + _way(failed, model))
    if failed.kind == "no_credit":
        return OutOfCredit(status=failed.status, agent=agent, model=model, cause=failed.cause)
    provider = provider_of(model)
    if failed.kind == "no_key" and not provider.has_key() and not provider.base():
        return MissingKey(variable=provider.keys[0], agent=agent, model=model, cause=failed.cause)
    return ModelRefused(status=failed.status, agent=agent, model=model, cause=failed.cause)
