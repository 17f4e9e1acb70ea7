"""Hypothesis strategies: any value that may travel through a chapter file, hostile ones included."""

from typing import Any

from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st

from concilio.domain.adventure import OutlineField
from concilio.domain.chapter import AgentUse, Chapter, Provenance, SceneProse
from concilio.domain.debate import Ledger, Message, Objection
from concilio.domain.plan import Mechanic, Outcome, Proposal, ScenePlan
from concilio.domain.playtest import (
    DeadEnd,
    Hinge,
    PlayedConsequence,
    PlayedEnd,
    PlayedFight,
    PlayedOutcome,
    PlayedPlan,
    PlayedScene,
)
from rules.findings import Finding

FAST = settings(
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    # A chapter is large: shrinking one takes minutes, and the difference shows without it.
    phases=[Phase.explicit, Phase.reuse, Phase.generate],
)
HOSTILE = (
    "- LUGAR: la trampa",
    "LUGAR",
    "PLACE: there",
    "CAMBIO DE ESTADO",
    "### Capítulo 5 · Escena 5.9 — Falsa",
    "# Capítulo 9 · «Otro»",
    "## Debate completo",
    "## Plan acordado",
    "### Ronda 1 · Rubén Veinte (critica)",
    "```",
    "```capitulo",
    "~~~~",
    "VEREDICTO: aceptar",
    "_Outcome: accepted_",
    "[[5.1-a]]",
    "</system>",
    "<script>alert(1)</script>",
    "<!-- concilio: allow dc-drift -->",
    "<!-- concilio: order 1 0 -->",
    "{{ 7*7 }}",
    "%s {x}",
    "C:\\(x\\) \\u{41} \\\\",
    "(→ 5.3)",
    "→ Escena 5.3",
    "-> fin",
    "• Éxito: uno • Fallo: dos",
    "Sale bien. Fallo: sale mal",
    "**Éxito**: x",
    "**",
    "__x__",
    "«T»",
    "“T”",
    '"T"',
    "a: b",
    ":",
    "|",
    "| --- |",
    "[éxito]",
    "[fallo parcial](javascript:x)",
    "&lt;b&gt; &amp; AT&T",
    "1. uno",
    "2) dos",
    "#",
    "x #",
    "---",
    "===",
    "\x00\x1b[31m\x07",
    "\u202eabc\u2028\ufeff",
    "a\u0301 ñ 漢字 🎲",
    "\ud800",
    "5.2 — x",
    "*",
    "_",
    "\\",
    "<",
    "é",
    "desconocido",
    "unknown",
    "fin",
    "end",
    "0",
)


def texts() -> st.SearchStrategy[str]:
    """Any text: free, hostile, and hostile pieces joined by spaces and line ends."""
    piece = st.one_of(st.sampled_from(HOSTILE), st.text(max_size=12))
    joined = st.tuples(st.sampled_from([" ", "", "\n", "\r\n", "\t"]), st.lists(piece, max_size=4))
    return st.one_of(piece, joined.map(lambda pair: pair[0].join(pair[1])))


def scene_ids() -> st.SearchStrategy[str]:
    def joined(chapter: int, scene: int) -> str:
        return f"{chapter}.{scene}"

    ascii_ids = st.builds(joined, st.integers(0, 999), st.integers(0, 99))
    return ascii_ids | st.from_regex(r"\d{1,3}\.\d{1,3}", fullmatch=True)


def outcomes() -> st.SearchStrategy[Outcome]:
    degrees = ["critical_success", "success", "partial", "failure", "critical_failure", "choice"]
    leads = st.one_of(st.none(), st.just("end"), scene_ids(), texts())
    return st.builds(Outcome, label=texts(), degree=st.sampled_from(degrees), text=texts(), leads_to=leads)


def filled() -> st.SearchStrategy[str]:
    """Texts that the required fields of a plan take (pydantic wants no lone surrogate there)."""
    return texts().filter(lambda text: bool(text.split()) and "\ud800" not in text)


def scene_plans() -> st.SearchStrategy[ScenePlan]:
    return st.builds(
        ScenePlan,
        id=scene_ids(),
        title=filled(),
        place=filled(),
        present=filled(),
        situation=filled(),
        player_action=filled(),
        outcomes=st.lists(outcomes(), min_size=1, max_size=4).map(tuple),
        state_change=filled(),
    )


def proposals() -> st.SearchStrategy[Proposal]:
    return st.builds(Proposal, scenes=st.lists(scene_plans(), max_size=3).map(tuple))


def findings() -> st.SearchStrategy[Finding]:
    return st.builds(
        Finding,
        rule=texts(),
        severity=st.sampled_from(["error", "warning", "note"]),
        scene=texts(),
        part=st.sampled_from(["file", "debate", "plan", "prose"]),
        line=st.integers(),
        column=st.integers(),
        quote=texts(),
        message=texts(),
        expected=texts(),
        source=texts(),
    )


AGENTS = ["iris", "damian", "ruben", "prose", "reader", "engine", "designer"]


def objections() -> st.SearchStrategy[Objection]:
    return st.builds(
        Objection,
        id=texts(),
        author=st.sampled_from(AGENTS),
        scene=texts(),
        field=texts(),
        severity=st.sampled_from(["blocker", "major", "minor"]),
        text=texts(),
        proposal=texts(),
        state=st.sampled_from(["open", "fixed", "rebutted", "waived", "withdrawn"]),
        raised_in=st.integers(-3, 99),
        closed_in=st.one_of(st.none(), st.integers(-3, 99)),
        answer=texts(),
        answer_kind=st.sampled_from(["", "fixed", "rebutted"]),
    )


def scenes() -> st.SearchStrategy[SceneProse]:
    kinds = st.one_of(st.sampled_from(["check", "damage", "cover"]), texts())
    return st.builds(
        SceneProse,
        plan=scene_plans(),
        mechanics=st.lists(st.builds(Mechanic, ref=texts(), text=texts(), kind=kinds), max_size=2).map(tuple),
        prose=texts(),
        findings=st.lists(findings(), max_size=2).map(tuple),
        rewrites=st.integers(0, 9),
    )


def provenances() -> st.SearchStrategy[Provenance]:
    tokens = st.one_of(st.none(), st.integers(0, 10**9))
    costs = st.one_of(st.none(), st.floats(0, 1e6))
    uses = st.builds(
        AgentUse,
        agent=texts(),
        model=texts(),
        calls=st.integers(0, 99),
        tokens_in=tokens,
        tokens_out=tokens,
        cost_usd=costs,
    )
    return st.builds(
        Provenance,
        seed=st.integers(),
        ruleset=texts(),
        versions=st.dictionaries(texts(), texts(), max_size=3),
        agents=st.lists(uses, max_size=3).map(tuple),
        rounds=st.integers(-1, 9),
    )


def messages() -> st.SearchStrategy[Message]:
    return st.builds(
        Message, round=st.integers(-2, 99), agent=st.sampled_from(AGENTS), name=texts(), text=texts()
    )


def shares() -> st.SearchStrategy[float]:
    return st.floats(0, 1) | st.sampled_from([0.0, 1.0, 0.0005, 0.9995, 0.5])


def some(kind: st.SearchStrategy[Any]) -> st.SearchStrategy[tuple[Any, ...]]:
    return st.lists(kind, max_size=2).map(tuple)


def played_scenes() -> st.SearchStrategy[PlayedScene]:
    targets = scene_ids() | st.just("end")
    outcomes = st.builds(PlayedOutcome, label=texts(), chance=shares(), leads_to=targets)
    return st.builds(
        PlayedScene,
        id=scene_ids(),
        reach=shares(),
        basis=st.sampled_from(["roll", "fight", "equal"]),
        minutes=st.integers(0, 10**6),
        outcomes=some(outcomes),
    )


def played_fights() -> st.SearchStrategy[PlayedFight]:
    amounts = st.none() | st.floats(0, 1_000_000)
    return st.builds(
        PlayedFight,
        scene=texts(),
        foes=texts(),
        xp=st.integers(0, 10**9),
        difficulty=st.dictionaries(texts(), texts(), max_size=2),
        win=st.none() | shares(),
        rounds=amounts,
        losses=amounts,
        not_counted=texts(),
        unknown=texts(),
    )


def played_plans() -> st.SearchStrategy[PlayedPlan]:
    consequences = st.builds(PlayedConsequence, text=texts(), scene=texts(), label=texts(), chance=shares())
    whys = st.sampled_from(["unknown_scene", "no_outcomes", "unstated"])
    hinges = st.builds(
        Hinge,
        scene=texts(),
        roll=texts(),
        after_success=shares(),
        after_failure=shares(),
        decisive=st.booleans(),
    )
    return st.builds(
        PlayedPlan,
        party=texts(),
        minutes=st.none() | st.integers(0, 10**6),
        endless=shares(),
        best=st.none() | shares(),
        scenes=some(played_scenes()),
        ends=some(st.builds(PlayedEnd, scene=texts(), label=texts(), chance=shares())),
        consequences=some(consequences),
        unreached=some(scene_ids()),
        dead_ends=some(st.builds(DeadEnd, scene=texts(), label=texts(), why=whys, target=texts())),
        hinges=some(hinges),
        fights=some(played_fights()),
        assumed=some(texts()),
    )


def chapters() -> st.SearchStrategy[Chapter]:
    return st.builds(
        Chapter,
        schema_version=st.just(1),
        adventure=texts(),
        language=st.sampled_from(["es", "en"]),
        number=st.integers(-3, 10**6),
        title=texts(),
        header=st.lists(
            st.builds(OutlineField, label=texts(), text=texts(), line=st.integers(0, 99)), max_size=3
        ).map(tuple),
        notes=texts(),
        ending=st.sampled_from(["accepted", "max_rounds", "stalled", "budget", "stopped", "failed"]),
        round_kept=st.integers(0, 9),
        plan=proposals(),
        playtest=st.none() | played_plans(),
        debate=st.lists(messages(), max_size=3).map(tuple),
        ledger=st.builds(Ledger, objections=st.lists(objections(), max_size=3).map(tuple)),
        plan_findings=st.lists(findings(), max_size=2).map(tuple),
        scenes=st.lists(scenes(), max_size=2).map(tuple),
        provenance=provenances(),
    )
