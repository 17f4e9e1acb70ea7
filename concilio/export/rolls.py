"""The rolls that a scene calls for, and what gives advantage on them."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from concilio.export.book import Block, Roll
from concilio.export.prose import LONGEST
from rules.claims.model import Advantage, Check, CheckOption, Claim, Save
from rules.document import Passage
from rules.folding import fold_words
from rules.odds.rolls import mode_of
from rules.playtest.manner import modes
from rules.playtest.phrasing import phrases

if TYPE_CHECKING:
    from rules.checks.context import Context
    from rules.ruleset import Ruleset


def rolls_in(context: "Context", action: str, prose: Sequence[Block]) -> tuple[Roll, ...]:
    """Return each roll with a DC once, in the order of the plan and then of the prose."""
    found: dict[tuple[str, str], Roll] = {}
    for passage in (Passage(action, 0), *_passages(prose)):
        claims = context.claims(passage)
        made = modes(context, passage, [c for c in claims if isinstance(c, Check | Save) and not c.in_speech])
        for claim in claims:
            for roll in rolls_of(claim, context.language, context.ruleset):
                before = found.get((roll.kind, roll.name))
                dcs = dict.fromkeys((*(before.dcs if before else ()), *roll.dcs))
                told = {made.get(claim.start, "normal"), before.mode if before else "normal"}
                mode = mode_of("advantage" in told, "disadvantage" in told)
                found[roll.kind, roll.name] = Roll(
                    roll.kind, roll.name, tuple(dcs), roll.skill, roll.ability, mode
                )
    return tuple(found.values())


def edges_in(context: "Context", action: str, prose: Sequence[Block]) -> tuple[str, ...]:
    """Return the sentences by which somebody may come to roll with advantage or disadvantage.

    Those of the prose, else the plan's; what a roll has in any case is said of that roll (`Roll.mode`).
    """
    for passages in (tuple(_passages(prose)), (Passage(action, 0),)):
        found: Mapping[str, str] = {
            fold_words(text): text for passage in passages for text in _edges(context, passage)
        }
        if found:
            return tuple(found.values())
    return ()


def _edges(context: "Context", passage: Passage) -> Iterator[str]:
    for sentence in context.sentences(passage):
        claims = context.told_between(passage, Advantage, sentence.start, sentence.end)
        if not any(claim.applies != "attacks" for claim in claims):
            continue
        rolls = [
            *context.told_between(passage, Check, sentence.start, sentence.end),
            *context.told_between(passage, Save, sentence.start, sentence.end),
        ]
        sure = rolls and not phrases(context, "if_words").any(sentence.words)
        if not sure and not phrases(context, "fights").any(sentence.words):
            yield " ".join(passage.text[sentence.start : sentence.end].split())


def _passages(prose: Sequence[Block]) -> Iterator[Passage]:
    for block in prose:
        for text in (cell.plain for cell in block.cells) if block.kind == "row" else (block.plain,):
            if len(text) <= LONGEST:
                yield Passage(text, 0)


def rolls_of(claim: Claim, language: str, ruleset: "Ruleset") -> Iterator[Roll]:
    """Yield what a claim asks to roll, where it states a DC and the rules know the skill or ability."""
    if not isinstance(claim, Check | Save) or not claim.dcs:
        return
    dcs = tuple(dict.fromkeys(each.value for each in claim.dcs))
    if isinstance(claim, Save):
        for each in claim.abilities:
            if each.id:
                yield Roll("save", ruleset.word("ability", each.id, language), dcs, None, each.id)
        return
    for option in claim.options:
        skill, ability = _ids(option, ruleset)
        if ability:
            word = ruleset.word("ability", ability, language)
            name = f"{word} ({ruleset.word('skill', skill, language)})" if skill else word
            yield Roll("check", name, dcs, skill, ability)


def _ids(option: CheckOption, ruleset: "Ruleset") -> tuple[str | None, str | None]:
    skill = option.skill.id if option.skill else None
    ability = option.ability.id if option.ability else None
    return skill, ability or (ruleset.skills[skill].ability if skill else None)
