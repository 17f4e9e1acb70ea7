"""Chapters to export: one of ours, and one whose every text tries to be something else."""

from concilio.domain.adventure import Action, Adventure, CastMember, OutlineField, StatBlock
from concilio.domain.chapter import Chapter, Provenance, SceneProse
from concilio.domain.debate import Ledger, Objection
from concilio.domain.plan import Outcome, Proposal, ScenePlan
from rules.findings import Finding

PROSE = """El Portón Vivo está abierto y nadie lo guarda.

(DM: la cadena pesa. Pide una prueba de Fuerza (Atletismo) CD 15.)

Quien cruza deprisa hace una tirada de salvación de Destreza (CD 12) o recibe 2d6 de daño perforante y cae \
derribado.

> «Nadie pasa sin pagar», dice la voz.

- **Éxito**: pasa.
- **Fallo**: no pasa.
    1. primero
    2. segundo

| d6 | Lo que sale |
| :-: | --- |
| 1 | **Nada** |
| 2 | Una prueba de Fuerza CD 14 |

#### Después

Queda *poco* que `hacer`."""


def scene(id: str = "2.1", to: str = "end", text: str = "El portón") -> ScenePlan:
    """A scene whose every text is one."""
    return ScenePlan(
        id=id,
        title=text,
        place=text,
        present=text,
        situation=text,
        player_action=f"{text} Hacen una prueba de Destreza (Sigilo) CD 13.",
        outcomes=(
            Outcome(label="Éxito", degree="success", text=text, leads_to=to),
            Outcome(label="Fallo", degree="failure", text=text, leads_to=to),
        ),
        state_change=text,
    )


def chapter(prose: str = PROSE, text: str = "El portón", *, language: str = "es") -> Chapter:
    """A chapter of two scenes, the second one without prose."""
    plans = (scene("2.1", "2.2", text), scene("2.2", "end", text))
    finding = Finding(
        rule="unit-system",
        severity="warning",
        scene="2.1",
        part="prose",
        line=1,
        column=1,
        quote=text,
        message=text,
        expected=text,
    )
    return Chapter.model_validate(
        {
            "adventure": text,
            "language": language,
            "number": 2,
            "title": text,
            "header": (OutlineField(label=text, text=text),),
            "notes": text,
            "ending": "max_rounds",
            "plan": Proposal(scenes=plans),
            "ledger": Ledger(
                objections=(
                    Objection(
                        id="O1",
                        author="ruben",
                        scene="2.1",
                        severity="major",
                        text=text,
                        proposal=text,
                        raised_in=1,
                    ),
                )
            ),
            "plan_findings": (finding,),
            "scenes": (SceneProse(plan=plans[0], prose=prose, findings=(finding,)),),
            "provenance": Provenance(seed=1, ruleset="srd5e"),
        }
    )


def adventure(name: str = "Portón Vivo", text: str = "Muerde y no suelta.") -> Adventure:
    """An adventure with one own creature and one of the table."""
    block = StatBlock(
        ac=14,
        hp=30,
        cr="1/2",
        speed={"walk": "9 m"},
        senses={"passive_perception": 11},
        abilities={"str": 16, "dex": 8},
        actions=(
            Action(name="Bisagra", attack=5, count=2, reach="1,5 m", damage="1d8 + 3 contundente", text=text),
            Action(name="Chirrido", save={"dc": 12, "ability": "CON"}, text=text),
        ),
    )
    cast = (
        CastMember(name=name, note=text, stat_block=block),
        CastMember(name="El portón", stat_block="ogre"),
    )
    return Adventure(title="La muralla", cast=cast)
