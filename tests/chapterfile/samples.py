"""A chapter such as a run leaves behind."""

from concilio.domain.adventure import OutlineField
from concilio.domain.base import Language
from concilio.domain.chapter import AgentUse, Chapter, Provenance, SceneProse
from concilio.domain.debate import Ending, Ledger, Message, Objection
from concilio.domain.plan import Mechanic, Outcome, Proposal, ScenePlan
from rules.findings import Finding

SCENE = ScenePlan(
    id="2.1",
    title="La soga",
    place="El embarcadero.",
    present="PJs y Ulma.",
    situation="La barca tira de su soga.",
    player_action="Cortar la soga con una prueba de Fuerza (Atletismo) CD 13.",
    outcomes=(
        Outcome(label="Éxito", degree="success", text="La barca sale.", leads_to="end"),
        Outcome(label="Fallo", degree="failure", text="La soga azota."),
    ),
    state_change="El grupo está en el agua.",
)
OBJECTIONS = (
    Objection(
        id="O1",
        author="ruben",
        scene="2.1",
        field="outcomes",
        severity="major",
        text="El fallo no cambia nada.",
        proposal="Que la barca se vaya sola.",
        state="fixed",
        raised_in=1,
        closed_in=2,
        answer="La barca se va.",
        answer_kind="fixed",
    ),
    Objection(id="O2", author="damian", scene="2", severity="blocker", text="Falta el tiempo.", raised_in=1),
)
FINDING = Finding(
    rule="outcome-dropped",
    severity="error",
    scene="2.1",
    part="prose",
    line=3,
    column=1,
    quote="",
    message="Falta el resultado «Fallo».",
    expected="Fallo",
    source="plan 2.1",
)
USES = (
    AgentUse(agent="iris", model="openai/uno", calls=2, tokens_in=1200, tokens_out=640, cost_usd=0.0123),
    AgentUse(agent="prose", model="openai/dos", calls=1),
)


def chapter(ending: Ending = "accepted", language: Language = "es") -> Chapter:
    """Return a small chapter with a bit of everything."""
    return Chapter(
        adventure="El molino",
        language=language,
        number=2,
        title="La crecida",
        header=(
            OutlineField(label="ARCO", text="I", line=12),
            OutlineField(label="CONSECUENCIAS", text="1. Éxito: cruzan.\n2. Fallo: no.", line=14),
        ),
        notes="Llueve desde ayer.",
        ending=ending,
        round_kept=1,
        plan=Proposal(scenes=(SCENE,)),
        debate=(
            Message(
                round=1,
                agent="iris",
                name="Iris Vela",
                text="Va.\n\n### Escena 2.1 — La soga\n- LUGAR: El río.\n",
            ),
            Message(round=1, agent="damian", name="Damián Tachón", text="VEREDICTO: aceptar"),
            Message(
                round=1, agent="ruben", name="Rubén Veinte", text="### Rubén Veinte\n\nVEREDICTO: refinar"
            ),
        ),
        ledger=Ledger(objections=OBJECTIONS),
        plan_findings=(),
        scenes=(
            SceneProse(
                plan=SCENE,
                mechanics=(
                    Mechanic(ref="2.1-a", text="una prueba de Fuerza (Atletismo) CD 13", kind="check"),
                ),
                prose="El agua golpea los pilares.\n\n- **Éxito**: la barca sale.",
                findings=(FINDING,),
                rewrites=2,
            ),
        ),
        provenance=Provenance(
            seed=7, ruleset="srd5e", versions={"python": "3.11", "concilio": "0.1.0"}, agents=USES, rounds=1
        ),
    )
