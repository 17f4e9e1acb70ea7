"""Many runs in one process: side by side, under one budget and the process's limits.

Chapters of one adventure follow each other, since each remembers those before; adventures know nothing of
each other. What goes wrong with one of them stops no other.
"""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from concilio.adventure.problems import AdventureErrors
from concilio.batch.job import Job, JobError, begin_run, job_from_file, job_of_run
from concilio.batch.opening import held
from concilio.batch.outcome import UNRESOLVED, ChapterResult
from concilio.batch.perform import finish, gateway_for, perform, store_errors, table_for
from concilio.batch.plan import BatchInfo, BatchItem, save_batch
from concilio.figures import add_tokens
from concilio.gateway.errors import GatewayError
from concilio.gateway.ledger import Budget
from concilio.gateway.preflight import check_models
from concilio.gateway.starts import Starts
from concilio.store.errors import StoreError
from concilio.store.events import Event
from concilio.store.run import RunStore, read_info
from graphs.seating import SEATS
from rules.ruleset import RulesetError

State = Literal["waiting", "running", "ended", "failed"]
PROBLEMS = (AdventureErrors, RulesetError, GatewayError, StoreError, JobError)
"""What may keep one adventure from being run, and nothing else."""


@dataclass
class ItemRun:
    """One adventure of a batch while it runs, and what came of it."""

    item: BatchItem
    job: Job | None = None
    folder: Path | None = None
    state: State = "waiting"
    results: list[ChapterResult] = field(default_factory=list[ChapterResult])
    calls: int = 0
    """Replies, those of earlier attempts too; so with tokens and cost."""
    tokens: int | None = 0
    """None where a model does not tell them."""
    cost_usd: float | None = 0.0
    """US dollars so far; None where a price is unknown."""

    @property
    def title(self) -> str:
        """Name of the adventure, or of its file where it could not be read."""
        return self.job.adventure.title if self.job else Path(self.item.path).name

    def count(self, tokens_in: int | None, tokens_out: int | None, cost_usd: float | None) -> None:
        """Count one reply that was received, now or in an earlier attempt."""
        self.calls += 1
        self.tokens = add_tokens((self.tokens, tokens_in, tokens_out))
        self.cost_usd = None if cost_usd is None or self.cost_usd is None else self.cost_usd + cost_usd


Watcher = Callable[[ItemRun, Event | None], None]
"""Told of each event of an item's run, and (None) of each change of its state."""
Crashed = Callable[[Exception, Path], str]


class Batch:
    """A batch that runs, or goes on."""

    def __init__(self, folder: Path, info: BatchInfo, watch: Watcher, crashed: Crashed) -> None:
        """Make a batch of its folder.

        Args:
            folder: its folder.
            info: its `batch.json`.
            watch: told how each item goes.
            crashed: keeps the details of an unforeseen error in a folder, and returns it in words.
        """
        self.folder = folder
        self.info = info
        self.budget = Budget(limit_usd=info.settings.budget_usd)
        self.runs = [ItemRun(item) for item in info.items]
        self._watch = watch
        self._crashed = crashed
        self._saving = asyncio.Lock()
        self._saved: BatchInfo | None = None
        """What `batch.json` says."""

    def prepare(self) -> None:
        """Read every adventure, and say of each that cannot be run why not, before a call is paid for."""
        for run in self.runs:
            try:
                run.job = self._job_of(run)
                check_models(run.job.models.needed(SEATS))
            except PROBLEMS as error:
                self._note_failure(run, error)

    def _job_of(self, run: ItemRun) -> Job:
        if run.item.run:
            run.folder = self.folder / run.item.run
            changes = {"budget_usd": self.info.settings.budget_usd}
            return job_of_run(read_info(run.folder), run.folder, changes)
        settings = self.info.settings.model_copy(update={"out": self.folder})
        return job_from_file(Path(run.item.path), (), settings)

    async def run(self) -> None:
        """Run all items, at most `jobs` at the same time.

        Raises:
            StoreError: the batch's own folder cannot be written.
        """
        await self._count_what_was_spent()
        await self._save()
        places = asyncio.Semaphore(self.info.jobs)
        starts = Starts()

        async def one(run: ItemRun) -> None:
            async with places, starts.turn():
                await self._run_item(run)

        try:
            async with asyncio.TaskGroup() as group:
                for run in self.runs:
                    if run.state == "waiting":
                        group.create_task(one(run))
        except* StoreError as failed:
            raise failed.exceptions[0] from failed

    async def _count_what_was_spent(self) -> None:
        """Count what earlier attempts used and paid, before anything more is spent: their record goes on."""
        for run in self.runs:
            if run.folder is not None:
                await self._charge(run, run.folder)

    async def _charge(self, run: ItemRun, folder: Path) -> None:
        try:
            with RunStore.open(folder) as store:
                rows = await store.journal.rows()
        except StoreError as error:
            if run.state == "waiting":
                self._note_failure(run, error)
            return
        for row in rows:
            self.budget.charge(row.reply.cost_usd)
            run.count(row.reply.tokens_in, row.reply.tokens_out, row.reply.cost_usd)

    async def _run_item(self, run: ItemRun) -> None:
        try:
            status = await self._in_its_folder(run)
        except PROBLEMS as error:
            self._note_failure(run, error)
        except Exception as error:  # noqa: BLE001 - a fault of ours in one adventure stops no other
            problem = self._crashed(error, run.folder or self.folder)
            self._note_failure(run, JobError("crashed", problem=problem))
        else:
            run.state = "ended"
            self._note(run, {"status": status})
        await self._save()

    async def _in_its_folder(self, run: ItemRun) -> int:
        job = run.job
        if job is None:
            raise StoreError("no_run", run.item.path)
        folder = run.folder
        async with held(lambda: RunStore.open(folder) if folder else begin_run(job)) as store:
            run.folder = store.folder
            run.state = "running"
            self._note(run, {"run": store.folder.name})
            await self._save()  # before a call is paid for: a killed batch finds its replies by this name
            if folder:
                await asyncio.to_thread(store.update, status="running")
            store.events.subscribe(lambda event: self._hear(run, event))
            gateway = gateway_for(job, store, self.budget)
            table = table_for(job, gateway, store)
            with store_errors(store):
                await perform(store, table, gateway, job.numbers, run.results, charge_recalled=False)
            return await asyncio.to_thread(finish, store, run.results)

    def _hear(self, run: ItemRun, event: Event) -> None:
        if event["kind"] == "call" and not event.get("from_journal"):  # what is kept is counted already
            run.count(event.get("tokens_in"), event.get("tokens_out"), event.get("cost_usd"))
        self._watch(run, event)

    def _note_failure(self, run: ItemRun, error: Exception) -> None:
        run.state = "failed"
        self._note(run, {"problem": str(error).strip(), "status": getattr(error, "exit_code", UNRESOLVED)})

    def _note(self, run: ItemRun, changes: Mapping[str, object]) -> None:
        """Note how an item stands, and tell whoever watches; `_save` writes it down."""
        run.item = run.item.model_copy(update=changes)
        self.info = self.info.model_copy(update={"items": tuple(each.item for each in self.runs)})
        self._watch(run, None)

    async def _save(self) -> None:
        """Return when `batch.json` says all that is noted; who comes meanwhile is written down together."""
        async with self._saving:
            now = self.info
            if self._saved is not now:
                await asyncio.to_thread(save_batch, self.folder, now)
                self._saved = now
