"""Who sits where: from an adventure and its gateway to the table of a run."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

from agents.prompting import PromptBook
from agents.seat import Seat
from agents.tools import Engine, EngineTools
from agents.types import Canon, Person, Sheet
from concilio.catalogue import say
from concilio.domain.adventure import Adventure, AgentSetting
from concilio.domain.debate import AgentId, Ending
from concilio.gateway.gateway import Gateway
from concilio.store.chapter import ChapterStore
from graphs.table import Options, Table, never
from rules.facts import Facts, PartySheet
from rules.ruleset import Ruleset

SEATS: tuple[AgentId, ...] = ("iris", "damian", "ruben", "prose", "reader")
"""The agents that are asked in a run."""
ASKING: tuple[AgentId, ...] = ("damian", "ruben")
"""Those that may ask the rules engine before they claim something."""


def seat_table(
    adventure: Adventure,
    facts: Facts,
    ruleset: Ruleset,
    gateway: Gateway,
    store: ChapterStore,
    options: Options,
    folder: Path,
    confirm_prose: Callable[[int, Ending], bool] = never,
) -> Table:
    """Return the table of a run.

    Args:
        folder: the adventure file's own; a designer's prompts lie in a folder inside it.
        confirm_prose: says whether an unresolved plan is written where nobody can be asked.
    """
    book = PromptBook(adventure.language, _overlay(adventure, folder))
    seats: Mapping[AgentId, Seat] = {
        agent: _seat(agent, adventure, gateway, book, options.seed) for agent in SEATS
    }
    tools = EngineTools(Engine(ruleset, facts, adventure.language), book)
    seats = {agent: replace(seat, tools=tools if agent in ASKING else None) for agent, seat in seats.items()}
    return Table(
        adventure=adventure,
        canon=canon_of(adventure, facts, ruleset),
        ruleset=ruleset,
        facts=facts,
        store=store,
        seats=seats,
        options=options,
        confirm_prose=confirm_prose,
    )


def canon_of(adventure: Adventure, facts: Facts, ruleset: Ruleset) -> Canon:
    """Return what is fixed of an adventure before its first chapter."""
    return Canon(
        adventure=adventure.title,
        language=adventure.language,
        ruleset=ruleset.id,
        level=adventure.level,
        party=tuple(_sheet(sheet, adventure, ruleset) for sheet in facts.party),
        cast=tuple(
            Person(
                name=c.name,
                note=c.note or "",
                voice=c.voice or "",
                count=c.count,
                fights=c.stat_block is not None,
            )
            for c in adventure.cast
        ),
        items=adventure.items,
        notes=adventure.notes,
    )


def _sheet(sheet: PartySheet, adventure: Adventure, ruleset: Ruleset) -> Sheet:
    name = ruleset.word("class", sheet.class_id, adventure.language) if sheet.class_id else ""
    return Sheet(
        name=sheet.name,
        class_name=name,
        level=sheet.level,
        bonuses={**sheet.abilities, **sheet.skills},
    )


def _seat(agent: AgentId, adventure: Adventure, gateway: Gateway, book: PromptBook, seed: int) -> Seat:
    setting = adventure.agents.get(agent, AgentSetting())
    name = setting.name or say(f"debate.agent.{agent}", adventure.language)
    return Seat(agent=agent, name=name, voice=setting.voice or "", gateway=gateway, book=book, seed=seed)


def _overlay(adventure: Adventure, folder: Path) -> Path | None:
    """Return the designer's prompt folder; a path that leaves the adventure's folder is not one."""
    if not adventure.prompts:
        return None
    overlay = (folder / adventure.prompts).resolve()
    inside = overlay.is_relative_to(folder.resolve())
    return overlay if inside and overlay.is_dir() else None
