"""How a run ended, told to a person or a program."""

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import click

from concilio.batch.outcome import ChapterResult
from concilio.catalogue import say
from concilio.domain.base import Language
from concilio.domain.chapter import AgentUse, Chapter
from concilio.figures import add_tokens, money, said_tokens
from concilio.gateway.ledger import add_costs
from concilio.printable import shown_text

MOST_LISTED = 12
"""Findings of one chapter that are listed on the terminal; the file has all."""


def print_summary(results: Sequence[ChapterResult], language: Language) -> None:
    """Print each chapter's end, what is unresolved in it or warned of, what it cost, where its file is."""
    for result in results:
        chapter = result.chapter
        click.echo(
            say(
                "run.summary_line",
                language,
                number=chapter.number,
                title=chapter.title,
                ending=say(f"run.ending.{chapter.ending}", language),
                rounds=chapter.provenance.rounds,
                scenes=len(chapter.scenes),
                open=len(chapter.ledger.open()),
                findings=len(result.standing),
            )
        )
        if (by := accepted_over(chapter)) is not None:
            click.echo("  " + say("review.designers_word", language, ids=", ".join(by)))
        _print_unresolved(result, language)
        click.echo("  " + usage_line(chapter.provenance.agents, language))
    for result in results:
        for path in result.files:
            click.echo(say("run.chapter_file", language, path=path))


def accepted_over(chapter: Chapter) -> tuple[str, ...] | None:
    """Return ids of the objections over which the designer accepted; None where it was not by that word."""
    last = chapter.debate[-1] if chapter.debate else None
    still = tuple(o.id for o in chapter.ledger.open())
    return still if last and last.agent == "designer" and chapter.ending == "accepted" and still else None


def usage_line(uses: Iterable[AgentUse], language: Language) -> str:
    """Return calls, tokens and cost in words; what a model does not tell is said to be unknown."""
    kept = tuple(uses)
    counted = add_tokens(count for use in kept for count in (use.tokens_in, use.tokens_out))
    cost = add_costs(use.cost_usd for use in kept) if kept else 0.0
    values = {"tokens": said_tokens(counted, language), "cost": money(cost, language)}
    return say("run.usage", language, calls=sum(u.calls for u in kept), **values)


def as_json(folder: Path, results: Iterable[ChapterResult], status: int) -> str:
    """Return the run's result as one JSON object."""
    value = {
        "run": folder.name,
        "folder": str(folder),
        "exit": status,
        "chapters": [_row(r) for r in results],
    }
    return json.dumps(value, ensure_ascii=False, indent=2)


def _row(result: ChapterResult) -> dict[str, Any]:
    chapter = result.chapter
    return {
        "number": chapter.number,
        "title": chapter.title,
        "ending": chapter.ending,
        "rounds": chapter.provenance.rounds,
        "scenes": len(chapter.scenes),
        "open_objections": [o.model_dump(mode="json") for o in chapter.ledger.open()],
        "findings": [f.model_dump(mode="json") for f in result.standing],
        "troubles": result.troubles,
        "agents": [use.model_dump(mode="json") for use in chapter.provenance.agents],
        "files": [str(path) for path in result.files],
    }


def _print_unresolved(result: ChapterResult, language: Language) -> None:
    chapter = result.chapter
    lines = [
        say(
            "run.open_objection",
            language,
            id=o.id,
            severity=say(f"debate.severity.{o.severity}", language),
            author=say(f"debate.agent.{o.author}", language),
            scene=o.scene,
            text=o.text,
        )
        for o in chapter.ledger.open()
    ]
    findings = result.standing
    lines += [
        say("run.open_finding", language, rule=f.rule, scene=f.scene, message=f.message)
        for f in findings[:MOST_LISTED]
    ]
    if len(findings) > MOST_LISTED:
        lines.append(f"  … +{len(findings) - MOST_LISTED}")
    lines += [say("run.trouble", language, where=w, message=m) for w, m in result.troubles.items()]
    if lines:
        title = "run.warned_title" if result.resolved and not chapter.ledger.open() else "run.open_title"
        click.echo(say(title, language, number=chapter.number))
        for line in lines:
            click.echo(shown_text(line))
