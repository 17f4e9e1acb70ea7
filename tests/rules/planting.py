"""Faults planted one at a time in whole right texts, as the tables of `kept_aside/` hold them."""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from concilio.chapterfile.reader import read_document
from rules.engine import check
from rules.facts import ActionFacts, Facts, PartySheet, StatFacts
from rules.findings import Finding
from rules.ruleset import load_ruleset

FOLDER = Path(__file__).parent / "kept_aside"
MARKED = re.compile(r"\[\[(.*?)\]\]", re.DOTALL)
SKILLS = {"athletics": 5, "perception": 4, "sleight_of_hand": 6, "stealth": 6, "persuasion": 3}
ABILITIES: dict[str, int] = dict.fromkeys(("str", "dex", "con", "int", "wis", "cha"), 2)
FACTS = Facts(
    level=3,
    party=tuple(
        PartySheet(name, 3, abilities=ABILITIES, skills=SKILLS) for name in ("Ulla", "Pim", "Aldana", "Oto")
    ),
    stat_blocks={
        "Brunco": StatFacts("Brunco", ac=13, hp=45, actions=(ActionFacts("Club", attack=5),)),
        "Velaria": StatFacts("Velaria", ac=14, hp=60, actions=(ActionFacts("Song", save_dc=13),)),
    },
)


@dataclass(frozen=True)
class Fault:
    """A fault and the text that holds it."""

    rule: str
    language: str
    ruleset: str
    whole: str
    """The right text that it is planted in; an empty one is never found wrong."""
    source: str
    new: str
    places: tuple[tuple[int, int], ...]
    """Where it stands in `source`."""


def host(language: str, ruleset: str) -> str:
    """Return the scene that short texts are planted in, at its @@."""
    kind = "ia." if ruleset == "ia" else ""
    return (FOLDER / f"scene.{kind}{language}.md").read_text(encoding="utf-8")


def fault(name: str, language: str, entry: dict[str, Any]) -> Fault:
    """Plant one entry of a table (`rule` or `rule/ruleset`)."""
    rule, _, game = name.partition("/")
    ruleset = game or entry.get("ruleset", "srd5e")
    if "text" in entry:
        whole, old, new = host(language, ruleset), "@@", entry["text"]
    else:
        whole = (FOLDER / f"chapter.{language}.md").read_text(encoding="utf-8")
        old, new = entry["old"], entry["new"]
    assert old in whole, old
    marked = MARKED.search(new)
    plain = MARKED.sub(r"\1", new)
    source = whole.replace(old, plain)
    places = [(0, len(source))]
    if marked:
        starts = [m.start() + marked.start() for m in re.finditer(re.escape(plain), source)]
        places = [(start, start + len(marked[1])) for start in starts]
    return Fault(rule, language, ruleset, whole.replace("@@\n\n", ""), source, new, tuple(places))


def faults(name: str) -> list[Fault]:
    """Return the faults of a table of `kept_aside/`."""
    table = yaml.safe_load((FOLDER / name).read_text(encoding="utf-8"))
    return [
        fault(rule, language, entry)
        for rule, languages in table.items()
        for language, entries in languages.items()
        for entry in entries
    ]


def findings_of(source: str, language: str, ruleset: str) -> tuple[Finding, ...]:
    """Return what the engine finds in a text, with the party and the blocks that the tables speak of."""
    return check(
        read_document(source, "x.md", "es" if language == "es" else "en"), load_ruleset(ruleset), FACTS
    )


def judge(planted: Fault) -> tuple[bool, list[Finding]]:
    """Return whether it is found with its rule at its place, and what else is found."""
    found = findings_of(planted.source, planted.language, planted.ruleset)
    hits = [f for f in found if f.rule == planted.rule and touches(f, planted)]
    return bool(hits), [f for f in found if f not in hits]


def touches(finding: Finding, planted: Fault) -> bool:
    """Return whether a finding's quote touches what is marked in the source."""
    lines = planted.source.splitlines(keepends=True)
    start = sum(map(len, lines[: finding.line - 1])) + finding.column - 1
    return any(start <= end and start + len(finding.quote) >= first for first, end in planted.places)
