"""How a batch ended: one row an adventure, as data and as Markdown, and the exit status that follows."""

from collections.abc import Sequence
from typing import Any

from concilio.batch.engine import ItemRun
from concilio.batch.outcome import BUDGET_SPENT, DONE, UNREACHABLE, UNRESOLVED
from concilio.catalogue import say
from concilio.domain.chapter import AgentUse
from concilio.figures import add_tokens, money, tokens
from concilio.gateway.ledger import add_costs

WRONG_INPUT = 2


def batch_status(runs: Sequence[ItemRun]) -> int:
    """Return the exit status of a batch: the gravest of its items'; unread files alone do not make it 2."""
    statuses = {UNRESOLVED if run.item.status is None else run.item.status for run in runs}
    for grave in (UNREACHABLE, BUDGET_SPENT):
        if grave in statuses:
            return grave
    if statuses == {WRONG_INPUT}:
        return WRONG_INPUT
    return DONE if statuses <= {DONE} else UNRESOLVED


def summary_data(runs: Sequence[ItemRun], status: int) -> dict[str, Any]:
    """Return the summary as JSON values."""
    return {
        "exit": status,
        "adventures": len(runs),
        "calls": sum(run.calls for run in runs),
        "tokens": add_tokens(run.tokens for run in runs),
        "cost_usd": add_costs(run.cost_usd for run in runs),
        "agents": _agents(runs),
        "items": [_item(run) for run in runs],
    }


def _item(run: ItemRun) -> dict[str, Any]:
    return {
        "path": run.item.path,
        "title": run.title,
        "run": run.item.run,
        "state": run.state,
        "exit": run.item.status,
        "problem": run.item.problem,
        "calls": run.calls,
        "tokens": run.tokens,
        "cost_usd": run.cost_usd,
        "chapters": [
            {
                "number": result.chapter.number,
                "ending": result.chapter.ending,
                "resolved": result.resolved,
                "files": [str(path) for path in result.files],
            }
            for result in run.results
        ],
    }


def _agents(runs: Sequence[ItemRun]) -> dict[str, dict[str, Any]]:
    """Return calls, tokens and cost of each agent over all chapters."""
    uses: dict[str, list[AgentUse]] = {}
    for run in runs:
        for result in run.results:
            for use in result.chapter.provenance.agents:
                uses.setdefault(use.agent, []).append(use)
    return {agent: _sum(kept) for agent, kept in sorted(uses.items())}


def _sum(uses: Sequence[AgentUse]) -> dict[str, Any]:
    return {
        "calls": sum(use.calls for use in uses),
        "tokens": add_tokens(count for use in uses for count in (use.tokens_in, use.tokens_out)),
        "cost_usd": add_costs(use.cost_usd for use in uses),
    }


def summary_markdown(runs: Sequence[ItemRun]) -> str:
    """Return the summary as a Markdown table with a line a problem."""
    names = ("adventure", "state", "chapters", "calls", "tokens", "cost")
    heads = [say(f"batch.column.{name}") for name in names]
    lines = [f"# {say('batch.title')}", "", _row(heads), _row(["---"] * len(heads))]
    lines += [_row(cells_of(run)) for run in runs]
    problems = [f"- {_cell(run.title)}: {_cell(run.item.problem)}" for run in runs if run.item.problem]
    return "\n".join([*lines, *([""] if problems else []), *problems]) + "\n"


def cells_of(run: ItemRun) -> list[str]:
    """Return an item's cells as people read them."""
    endings = (f"{r.chapter.number}: {say(f'run.ending.{r.chapter.ending}')}" for r in run.results)
    cost = money(run.cost_usd) if run.calls else "–"
    chapters = ", ".join(endings) or "–"
    return [run.title, state_of(run), chapters, str(run.calls), tokens(run.tokens), cost]


def state_of(run: ItemRun) -> str:
    """Return in a word how an item stands."""
    if run.state == "ended":
        return say("batch.state.done" if run.item.status == DONE else "batch.state.unresolved")
    return say(f"batch.state.{run.state}")


def _row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(_cell(cell) for cell in cells) + " |"


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("\\", "\\\\").replace("|", "\\|").replace("<", "&lt;")
