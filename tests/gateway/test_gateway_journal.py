"""What is paid is kept, what is kept is not paid again, and limits hold."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from concilio.gateway import (
    Budget,
    BudgetSpent,
    Limits,
    ModelRefused,
    Models,
)
from concilio.gateway.errors import ReplyInvalid
from concilio.gateway.limiter import Limiters
from concilio.store.database import Database
from concilio.store.errors import StoreError
from concilio.store.journal import MemoryJournal
from tests.fake_model import FakeModel
from tests.gateway.conftest import Make
from tests.gateway.support import Heard, ask_prose

SENTENCE = "La lámpara de sal chisporrotea sobre el agua negra del muelle, y alguien cuenta en voz baja."


async def test_a_reply_is_in_the_journal_before_anything_reads_it(
    fake_model: FakeModel, make_gateway: Make, tmp_path: Path
) -> None:
    """A reader that dies has cost nothing: the reply is found again."""
    fake_model.load({"models": {"iris": [SENTENCE]}})
    journal = Database(tmp_path / "store.sqlite")

    def die(text: str) -> str:
        raise KeyboardInterrupt(text)

    with pytest.raises(KeyboardInterrupt):
        await make_gateway(journal).ask(ask_prose(read=die))
    journal.close()
    again = Database(tmp_path / "store.sqlite")
    assert (await make_gateway(again).ask(ask_prose())).value == SENTENCE
    assert fake_model.stats.requests == 1
    again.close()


async def test_a_second_gateway_pays_nothing_for_a_whole_conversation(
    fake_model: FakeModel, make_gateway: Make
) -> None:
    """Cuts, silence and repairs are replayed from the journal, with the same value and the same accounts."""
    steps = [{"reply": SENTENCE, "cut_at": 40}, "", {"rest": True, "when": "SIGUE-DESDE"}]
    fake_model.load({"models": {"iris": [steps[0], {"reply": "", "finish_reason": "length"}, steps[2]]}})
    journal = MemoryJournal()
    first_gateway, second_gateway = make_gateway(journal), make_gateway(journal)
    first = await first_gateway.ask(ask_prose())
    second = await second_gateway.ask(ask_prose())
    assert second == first
    assert fake_model.stats.requests == 3
    assert second_gateway.ledger.use() == first_gateway.ledger.use()


async def test_another_question_under_the_same_key_is_paid(fake_model: FakeModel, make_gateway: Make) -> None:
    """The journal answers a prompt, not a name."""
    fake_model.load({"models": {"iris": [SENTENCE, "Otra cosa."]}})
    gateway = make_gateway()
    await gateway.ask(ask_prose())
    assert (await gateway.ask(ask_prose(seed=2))).value == "Otra cosa."


async def test_a_reply_is_kept_when_its_asker_is_cancelled(fake_model: FakeModel, make_gateway: Make) -> None:
    """What has arrived is paid: it is kept."""
    fake_model.load({"models": {"iris": [SENTENCE]}})

    class SlowJournal(MemoryJournal):
        async def put(self, request: Any, reply: Any) -> None:
            task.cancel()
            await asyncio.sleep(0.01)
            await super().put(request, reply)

    journal = SlowJournal()
    task = asyncio.create_task(make_gateway(journal).ask(ask_prose()))
    with pytest.raises(asyncio.CancelledError):
        await task
    await asyncio.sleep(0.05)
    assert len(await journal.rows()) == 1


async def test_earlier_spending_is_recalled(fake_model: FakeModel, make_gateway: Make) -> None:
    """A resumed run's budget begins where the first process stopped, and counts no reply twice."""
    fake_model.load({"default": {"reply": SENTENCE}})
    journal = MemoryJournal()
    models = Models("openai/gpt-4o")
    first = make_gateway(journal, models=models)
    await first.ask(ask_prose("ch1/a"))
    second = make_gateway(journal, models=models)
    await second.recall()
    await second.ask(ask_prose("ch1/a"))
    assert second.budget.spent_usd == first.budget.spent_usd > 0
    assert second.ledger.use() == first.ledger.use()
    assert second.ledger.calls("ch1/") == 1
    assert second.ledger.calls("ch2/") == 0


async def test_no_call_is_made_when_the_budget_is_spent(fake_model: FakeModel, make_gateway: Make) -> None:
    """But what is in the journal is free."""
    fake_model.load({"default": {"reply": SENTENCE}})
    gateway = make_gateway(models=Models("openai/gpt-4o"), budget=Budget(limit_usd=1e-9))
    await gateway.ask(ask_prose("a"))
    with pytest.raises(BudgetSpent) as caught:
        await gateway.ask(ask_prose("b"))
    assert caught.value.spent_usd > caught.value.limit_usd
    assert (await gateway.ask(ask_prose("a"))).value == SENTENCE
    assert fake_model.stats.requests == 1


def _unreadable(text: str) -> str:
    raise ReplyInvalid("nothing fits")


async def test_a_reply_that_cannot_be_kept_is_not_acted_on(fake_model: FakeModel, make_gateway: Make) -> None:
    """A full disk stops the question: what was read meanwhile reaches nobody, and nothing more is asked."""
    fake_model.load({"models": {"iris": [SENTENCE, SENTENCE]}})

    class FullDisk(MemoryJournal):
        async def put(self, request: Any, reply: Any) -> None:
            raise StoreError("full", "/run/store.sqlite")

    with pytest.raises(StoreError):
        await make_gateway(FullDisk()).ask(ask_prose(read=_unreadable))
    assert fake_model.stats.requests == 1


async def test_a_cancelled_question_leaves_its_reply_in_the_journal(
    fake_model: FakeModel, make_gateway: Make
) -> None:
    """What has arrived was paid for: closing the gateway waits for the disk."""
    fake_model.load({"models": {"iris": [SENTENCE]}})
    received, may_go_on = asyncio.Event(), asyncio.Event()

    class SlowDisk(MemoryJournal):
        async def put(self, request: Any, reply: Any) -> None:
            received.set()
            await may_go_on.wait()
            await super().put(request, reply)

    journal = SlowDisk()
    gateway = make_gateway(journal)
    asking = asyncio.create_task(gateway.ask(ask_prose()))
    await received.wait()
    asking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asking
    may_go_on.set()
    await gateway.close()
    assert len(await journal.rows()) == 1


async def test_closing_one_gateway_leaves_the_others_their_connections(
    fake_model: FakeModel, make_gateway: Make
) -> None:
    """And the last one's closing does not hinder whoever comes later."""
    fake_model.load({"default": SENTENCE})
    limits = Limits(tries=1)
    first, second = make_gateway(limits=limits), make_gateway(limits=limits)
    await first.ask(ask_prose("a"))
    await second.ask(ask_prose("b"))
    await first.close()
    await second.ask(ask_prose("c"))
    await second.close()
    await second.ask(ask_prose("d"))
    assert fake_model.stats.statuses == {"200": 4}


# -- limits


async def test_never_more_in_flight_than_allowed(fake_model: FakeModel, make_gateway: Make) -> None:
    """The limit is the process's: two gateways share it."""
    fake_model.load({"default": {"reply": SENTENCE, "latency_ms": 20}})
    shared = Limiters()
    gateways = [make_gateway(limits=Limits(concurrency=3), limiters=shared) for _ in range(2)]
    await asyncio.gather(*(gateways[i % 2].ask(ask_prose(str(i))) for i in range(20)))
    assert fake_model.stats.requests == 20
    assert fake_model.stats.in_flight_max == 3


async def test_secrets_reach_no_error_and_no_event(
    fake_model: FakeModel, make_gateway: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Even where the provider repeats the key in its message."""
    key = "llave-muy-secreta-123"
    monkeypatch.setenv("OPENAI_API_KEY", key)
    message = f"Incorrect API key provided: {key} or sk-proj-abcdef123456; Authorization: Bearer {key}"
    fake_model.load(
        {"models": {"iris": [{"status": 500, "reply": message}, {"status": 401, "reply": message}]}}
    )
    heard = Heard()
    with pytest.raises(ModelRefused) as caught:
        await make_gateway(events=heard).ask(ask_prose())
    assert fake_model.requests[0].key == key, "the key is sent, and only sent"
    seen = f"{caught.value} {caught.value.args} {caught.value.cause} {heard.events}"
    assert key not in seen
    assert "sk-proj" not in seen
