"""The engine: runs every rule over a document and returns its findings, sorted by place.

Pure and deterministic: no model, no network, no clock; the same text gives the same findings.
"""

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from rules.allowances import Allowance, allowances_in, is_allowed
from rules.catalogue import RULES
from rules.checks import CHECKS, mentions
from rules.checks.context import Context
from rules.checks.hit import Hit, Replacement
from rules.checks.replacements import without_repeats
from rules.document import Document
from rules.facts import Facts
from rules.findings import Finding, FindingSeverity
from rules.markup import keeping_markup
from rules.ruleset import Ruleset
from rules.untouched import Untouched

Level = Literal["error", "warning", "note", "off"]


@dataclass(frozen=True, slots=True)
class Config:
    """What a user changes of the rules."""

    severities: Mapping[str, Level] = field(default_factory=dict[str, Level])
    """Severity by rule id; `off` silences a rule."""


def check(
    document: Document,
    ruleset: Ruleset,
    facts: Facts | None = None,
    config: Config | None = None,
    language: str | None = None,
) -> tuple[Finding, ...]:
    """Return what is wrong with a document, sorted by place.

    Plan rules run where the document has a plan; free prose gets the words and mechanics of the ruleset.

    Args:
        document: the text, cut into its parts.
        ruleset: by which it is judged.
        facts: what the adventure says.
        config: what the user changes of the rules.
        language: of the messages; None: the document's.
    """
    return findings_in(Context(document, ruleset, facts or Facts(), language=language), config)


def findings_in(context: Context, config: Config | None = None) -> tuple[Finding, ...]:
    """Return what `check` does, of a document that is being read for other purposes too."""
    severities = (config or Config()).severities
    found = (_finding(context, rule, hit, severities) for rule, hit in _hits(context, severities))
    return tuple(sorted(dict.fromkeys(found), key=_place))


def replacements(
    document: Document, ruleset: Ruleset, facts: Facts | None = None, config: Config | None = None
) -> tuple[Replacement, ...]:
    """Return the exact replacements of the findings that have one, in order; no two overlap.

    None touches code (in a chapter, fences make none), a comment, a tag or the target of a link; none breaks
    the markup around it, and none makes a sentence name a thing twice.
    """
    context = Context(document, ruleset, facts or Facts())
    hits = (hit for _, hit in _hits(context, (config or Config()).severities))
    found = {h.replacement for h in hits if h.replacement is not None and _is_inside(h.replacement, h)}
    untouched = Untouched(document.source, fenced=document.chapter is None) if found else None
    kept: list[Replacement] = []
    for one in sorted(found, key=lambda r: (r.start, r.end, r.text)):
        free = untouched is None or not untouched.touches(one.start, one.end)
        fitting = keeping_markup(document.source, one) if free else None
        if fitting and (not kept or fitting.start >= kept[-1].end):
            kept.append(fitting)
    return without_repeats(document.source, kept)


def _is_inside(replacement: Replacement, hit: Hit) -> bool:
    """Tell whether a replacement touches only what its finding quotes."""
    return hit.start <= replacement.start < replacement.end <= hit.end


def _hits(context: Context, severities: Mapping[str, Level]) -> Iterator[tuple[str, Hit]]:
    allowed: Sequence[Allowance] = allowances_in(context.source)
    for rule, run in CHECKS.items():
        if severities.get(rule) != "off":
            hits = (hit for hit in run(context) if not is_allowed(allowed, rule, hit.start))
            group = RULES[rule].group
            talks = group in mentions.GROUPS
            yield from (
                (rule, hit) for hit in hits if not (talks and mentions.is_only_talk(context, hit, group))
            )


def _finding(context: Context, rule: str, hit: Hit, severities: Mapping[str, Level]) -> Finding:
    line = bisect_right(context.line_starts, hit.start)
    return Finding(
        rule=rule,
        severity=_severity(rule, hit, severities),
        scene=hit.scene,
        part=hit.part,
        line=line,
        column=hit.start - context.line_starts[line - 1] + 1,
        quote=context.source[hit.start : hit.end],
        message=hit.message,
        expected=hit.expected,
        source=hit.source,
    )


def _severity(rule: str, hit: Hit, severities: Mapping[str, Level]) -> FindingSeverity:
    chosen = severities.get(rule)
    if chosen is not None and chosen != "off":
        return chosen
    return hit.severity or RULES[rule].severity


def _place(finding: Finding) -> tuple[int, int, str, str]:
    return finding.line, finding.column, finding.rule, finding.message
