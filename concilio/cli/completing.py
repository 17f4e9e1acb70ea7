"""What a shell may complete an argument with, beside what its type says: files, runs, rules."""

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

MOST_RUNS = 200
"""Runs that are offered, the newest first."""


def any_files(ctx: click.Context, param: click.Parameter, incomplete: str) -> "list[CompletionItem]":
    """Let the shell complete the name of a file: of an argument that may be `-`, too."""
    from click.shell_completion import CompletionItem

    return [CompletionItem(incomplete, type="file")]


def any_runs(ctx: click.Context, param: click.Parameter, incomplete: str) -> "list[CompletionItem]":
    """Offer the runs of the folder that the settings or `--out` name; folders, where none begins so."""
    from click.shell_completion import CompletionItem

    names = _begun(_run_names(ctx.params.get("out")), incomplete)[:MOST_RUNS]
    return [CompletionItem(name) for name in names] or [CompletionItem(incomplete, type="dir")]


def any_rules(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """Offer the ids of the rules."""
    from rules.catalogue import RULES

    return _begun(RULES, incomplete)


def any_rulesets(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """Offer the names of the rulesets that ship or lie here."""
    from concilio.adventure.detect import ruleset_names

    return _begun(ruleset_names(Path()), incomplete)


def _begun(names: Iterable[str], incomplete: str) -> list[str]:
    return [name for name in names if name.startswith(incomplete) and name.isprintable()]


def _run_names(out: Path | None) -> list[str]:
    """Return the names of the runs and batches of a folder, the newest first; none where there are none."""
    from concilio.batch.runs import list_batches
    from concilio.settings import load_settings
    from concilio.settings.problems import SettingsError
    from concilio.store.errors import StoreError
    from concilio.store.run import list_runs

    try:
        folder = load_settings({"out": out}).out
        return sorted((path.name for path in (*list_runs(folder), *list_batches(folder))), reverse=True)
    except (SettingsError, StoreError):
        return []
