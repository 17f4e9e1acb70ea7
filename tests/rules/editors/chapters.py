"""Chapters of independent editors: right ones as data, and the same with one fault planted."""

import copy
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any, cast

import yaml

from concilio.cli.check import check_text
from concilio.cli.check_setup import Bench, set_up
from rules.catalogue import RULES
from rules.engine import Config
from rules.findings import Finding

FOLDER = Path(__file__).parent
Base = Mapping[str, Any]
_GONE = "DELETE"
_WORDS: Mapping[str, Mapping[str, str]] = {
    "es": {
        "chapter": "Capítulo",
        "scene": "Escena",
        "header": "Cabecera del outline general",
        "plan": "Plan de escenas",
        "debate": "Debate completo",
        "iris": "Ronda 1 · Iris Vela (propone)",
        "damian": "Ronda 1 · Damián Tachón (comprueba)",
        "ruben": "Ronda 1 · Rubén Veinte (critica)",
        "agreed": "Plan acordado",
        "prose": "Prosa aprobada",
        "quotes": "«»",
    },
    "en": {
        "chapter": "Chapter",
        "scene": "Scene",
        "header": "Outline header",
        "plan": "Scene plan",
        "debate": "Full debate",
        "iris": "Round 1 · Iris Vela (proposes)",
        "damian": "Round 1 · Damián Tachón (checks)",
        "ruben": "Round 1 · Rubén Veinte (criticises)",
        "agreed": "Agreed plan",
        "prose": "Approved prose",
        "quotes": "“”",
    },
}


@dataclass(frozen=True)
class Planted:
    """A text with one fault."""

    id: str
    rule: str
    text: str
    planted: str
    """The words that a finding must touch; empty where something is missing."""
    scene: str
    adventure: Path | None
    ruleset: str | None


@cache
def bases(editor: str) -> Mapping[str, Base]:
    """Return an editor's right chapters by name."""
    return yaml.safe_load((FOLDER / editor / "bases.yaml").read_text(encoding="utf-8"))


def planted(editor: str, table: str) -> tuple[Planted, ...]:
    """Return the faults of an editor's table, each in its text."""
    faults = yaml.safe_load((FOLDER / editor / f"{table}.yaml").read_text(encoding="utf-8"))
    return tuple(_planted(editor, fault) for fault in faults)


def _planted(editor: str, fault: Mapping[str, Any]) -> Planted:
    base = fault.get("base")
    adventure = fault.get("adventure") or (bases(editor)[base]["adventure"] if base else None)
    return Planted(
        id=fault["id"],
        rule=fault["rule"],
        text=spoilt(bases(editor)[base], fault) if base else fault["text"].strip() + "\n",
        planted=fault.get("planted") or "",
        scene=fault.get("scene") or "",
        adventure=FOLDER / editor / adventure if adventure else None,
        ruleset=fault.get("ruleset"),
    )


def spoilt(base: Base, fault: Mapping[str, Any]) -> str:
    """Return a chapter with a fault's edits made: `plan`, `prose@5.1`, `all`, `del` (a field), `file`, …"""
    chapter: dict[str, Any] = copy.deepcopy(dict(base))
    if fault.get("copy"):
        first, second = chapter["scenes"][:2]
        second.update({key: copy.deepcopy(first[key]) for key in ("title", "plan", "prose")})
    late: list[tuple[str, str]] = []
    for where, old, new in fault["edits"]:
        part, _, scene = str(where).partition("@")
        if part == "file":
            late.append((old, new))
        elif part in chapter:
            chapter[part] = _replaced(chapter[part], old, new)
        for one in chapter["scenes"]:
            if not scene or one["id"] == scene:
                _edit_scene(one, part, old, new)
    text = rendered(chapter)
    for old, new in late:
        text = text.replace(old, new, 1)
    return text


def _edit_scene(scene: dict[str, Any], part: str, old: str, new: str) -> None:
    if part == "del":
        scene["plan"].pop(old, None)
    for key in ("plan", "prose"):
        if part in (key, "all"):
            scene[key] = _replaced(scene[key], old, new)


def _replaced(value: Any, old: str, new: str) -> Any:
    if isinstance(value, str):
        return value.replace(old, new)
    if isinstance(value, list):
        items = (_replaced(item, old, new) for item in cast("list[Any]", value))
        return [item for item in items if item != _GONE]
    pairs = cast("dict[str, Any]", value).items()
    return {key: kept for key, item in pairs if (kept := _replaced(item, old, new)) != _GONE}


def rendered(base: Base) -> str:
    """Return a chapter as a file in the seeds' order."""
    words, number = _WORDS[base["lang"]], base["n"]
    opens, closes = words["quotes"]
    plan = "\n\n".join(
        f"### {words['chapter']} {number} · {words['scene']} {s['id']} — {s['title']}\n{_fields(s['plan'])}"
        for s in base["scenes"]
    )
    parts = [
        f"{words['chapter']} {number}: {base['title']}",
        f"# {words['chapter']} {number} · {opens}{base['title']}{closes}",
        f"## {words['header']}",
        "\n".join(f"- {line}" for line in base["header"]),
        f"## {words['plan']} ({base['status']})",
        plan,
        "---",
        f"## {words['debate']}",
        f"### {words['iris']}",
        plan,
        f"### {words['damian']}",
        base["checker"].strip(),
        f"### {words['ruben']}",
        base["critic"].strip(),
        f"_Outcome: {base['outcome']}_",
    ]
    for scene in base["scenes"]:
        title = f"{opens}{scene['title']}{closes}"
        parts += [
            f"# {words['chapter']} {number} · {words['scene']} {scene['id']} — {title}",
            f"## {words['agreed']}",
            _fields(scene["plan"]),
            f"## {words['prose']}",
            scene["prose"].strip(),
        ]
    return "\n\n".join(parts) + "\n"


def _fields(plan: Mapping[str, Any]) -> str:
    lines: list[str] = []
    for label, value in plan.items():
        if isinstance(value, list):
            lines += [f"- {label}:", *(f"    - {item}" for item in cast("list[str]", value))]
        else:
            lines.append(f"- {label}: {value}")
    return "\n".join(lines)


@cache
def _bench(ruleset: str | None, adventure: Path | None) -> Bench:
    return set_up(ruleset, adventure)


def findings(text: str, adventure: Path | None, ruleset: str | None) -> Sequence[Finding]:
    """Return what `concilio check` finds in a text."""
    return check_text("text.md", text, _bench(ruleset, adventure)).findings


@cache
def _only(rule: str) -> Config:
    """Return settings by which one rule runs alone: hundreds of chapters are read for one finding each."""
    return Config({other: "off" for other in RULES if other != rule})


def is_found(fault: Planted) -> bool:
    """Tell whether a finding has the fault's rule and touches its words."""
    bench = replace(_bench(fault.ruleset, fault.adventure), configs={Path(): _only(fault.rule)})
    return any(_touches(fault, f) for f in check_text("text.md", fault.text, bench).findings)


def _touches(fault: Planted, finding: Finding) -> bool:
    if not fault.planted:
        return not fault.scene or finding.scene in ("", fault.scene)
    lines = fault.text.split("\n")[: max(0, finding.line - 1)]
    start = sum(len(line) + 1 for line in lines) + finding.column - 1
    end = start + max(1, len(finding.quote))
    places = (m.start() for m in re.finditer(re.escape(fault.planted), fault.text))
    return any(start < at + len(fault.planted) and at < end for at in places)
