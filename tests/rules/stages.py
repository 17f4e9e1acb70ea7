"""Where the examples of the rules are played: a text of their own, or a small chapter made for them."""

import re
from dataclasses import dataclass

from rules.facts import Facts, PartySheet, StatFacts

QUOTED = re.compile(r"[“«]([^”»]+)[”»]")


@dataclass(frozen=True)
class Chapter:
    """A chapter of one scene; without changes it is right."""

    language: str
    place: str = ""
    plan: str = ""
    """What the player action says beside its own sentence."""
    prose: str = ""
    count: int = 1
    heading: str = ""
    change: str = ""
    """The whole field of the state's change, label included."""
    before: str = ""
    """Text before the plan's first scene."""
    second: str = ""
    """Number and title of a second scene that repeats the first one's text."""
    partial: bool = False
    """Whether the plan has a partial success, too."""
    tells_partial: bool = False
    verdict: bool = True
    ending: str = "accepted"
    review: str = ""
    fields: int = 6

    def text(self) -> str:
        """Return the whole file."""
        w = _WORDS[self.language]
        scenes = self._scene(w["scene_one"])
        scenes += self._scene(self.second) if self.second else ""
        return "\n".join(
            (
                f"# {w['chapter']} 3 · {w['title']}\n\n## {w['header']}\n",
                f"- {w['main_place']}: {self.place or w['place']}",
                f"- {w['scenes']}: {self.count}\n",
                f"## {self.heading or w['approved']}\n",
                self.before,
                scenes,
                f"## {w['debate']}\n\n### {w['iris']}\n",
                self._scene(w["scene_one"]),
                f"### {w['damian']}\n\n{w['judges']}\n{self.review}\n",
                w["verdict"] + "\n" if self.verdict else "",
                f"### {w['ruben']}\n\n{w['likes']}\n\n{w['verdict']}\n",
                f"_Outcome: {self.ending}_\n",
                f"# {w['chapter']} 3 · {w['scene_one']}\n\n## {w['agreed']}\n",
                self._fields(),
                f"## {w['written']}\n\n{w['opening']} {_sentence(self.prose)}\n",
                w["told"] + (" " + w["told_partial"] if self.tells_partial else "") + "\n",
            )
        )

    def _scene(self, name: str) -> str:
        return f"### {_WORDS[self.language]['chapter']} 3 · {name}\n{self._fields()}\n"

    def _fields(self) -> str:
        w = _WORDS[self.language]
        outcomes = w["outcomes"] + (w["partial"] if self.partial else "") + w["failure"]
        action = f"{w['action']} {_sentence(self.plan)}".rstrip()
        fields = [w["where"], w["who"], w["begins"], action, outcomes, self.change or w["change"]]
        return "\n".join(f"- {field}" for field in fields[: self.fields]) + "\n"


def _sentence(text: str) -> str:
    text = text.strip()
    return text[:1].upper() + text[1:] + ("." if text and text[-1] not in ".!?…" else "")


_WORDS = {
    "en": {
        "chapter": "Chapter",
        "title": "“The Yard”",
        "header": "Outline header",
        "main_place": "MAIN PLACE",
        "place": "The yard.",
        "scenes": "APPROX SCENES",
        "approved": "Scene plan (approved by the table)",
        "scene_one": "Scene 3.1 — The Yard",
        "where": "PLACE: The yard.",
        "who": "PRESENT: PCs.",
        "begins": "INITIAL SITUATION: Rain falls.",
        "action": "PLAYER ACTION: The party crosses to the gate.",
        "outcomes": "POSSIBLE OUTCOMES:\n    - Success: They reach the gate in the rain.",
        "partial": "\n    - Partial success: They reach it, and a lamp goes on above them.",
        "failure": "\n    - Failure: The dog barks and the warden wakes.",
        "change": "STATE CHANGE: The party stands at the gate.",
        "debate": "Full debate",
        "iris": "Iris Vela",
        "damian": "Damián Tachón",
        "ruben": "Rubén Veinte",
        "judges": "Scene 3.1: playable as it is.",
        "likes": "Scene 3.1: the rain is a good touch.",
        "verdict": "VERDICT: accept",
        "agreed": "Agreed plan",
        "written": "Approved prose",
        "opening": "Rain falls on the yard.",
        "told": "If they succeed, they reach the gate in the rain. "
        "If they fail, the dog barks and the warden wakes.",
        "told_partial": "On a partial success they reach it, and a lamp goes on above them.",
    },
    "es": {
        "chapter": "Capítulo",
        "title": "«El patio»",
        "header": "Cabecera del outline general",
        "main_place": "LUGAR PRINCIPAL",
        "place": "El patio.",
        "scenes": "ESCENAS APROX",
        "approved": "Plan de escenas (aprobado por la mesa)",
        "scene_one": "Escena 3.1 — El patio",
        "where": "LUGAR: El patio.",
        "who": "PRESENTES: PJs.",
        "begins": "SITUACIÓN INICIAL: Cae la lluvia.",
        "action": "ACCIÓN DEL JUGADOR: El grupo cruza hasta el portón.",
        "outcomes": "POSIBLES RESULTADOS:\n    - Éxito: Llegan al portón bajo la lluvia.",
        "partial": "\n    - Éxito parcial: Llegan, y se enciende una lámpara encima de ellos.",
        "failure": "\n    - Fallo: El perro ladra y la guardesa despierta.",
        "change": "CAMBIO DE ESTADO: El grupo está ante el portón.",
        "debate": "Debate completo",
        "iris": "Iris Vela",
        "damian": "Damián Tachón",
        "ruben": "Rubén Veinte",
        "judges": "Escena 3.1: jugable como está.",
        "likes": "Escena 3.1: la lluvia es un acierto.",
        "verdict": "VEREDICTO: aceptar",
        "agreed": "Plan acordado",
        "written": "Prosa aprobada",
        "opening": "Cae la lluvia sobre el patio.",
        "told": "Si lo logran, llegan al portón bajo la lluvia. "
        "Si fallan, el perro ladra y la guardesa despierta.",
        "told_partial": "Con un éxito parcial llegan, y se enciende una lámpara encima de ellos.",
    },
}

LOW = Facts(
    level=1,
    party=(PartySheet(name="Wren", level=1, abilities={"str": 3, "dex": 2}, skills={"athletics": 5}),),
)
"""A party of level 1, +5 the best in Athletics."""
FOUR = Facts(level=1, party=tuple(PartySheet(name=f"Hero {n}", level=1) for n in range(4)))
SECOND = Facts(level=2, party=(PartySheet(name="Wren", level=2),))
ORMUN = Facts(level=3, names=("Ormun",), stat_blocks={"Ormun": StatFacts(name="Ormun", ac=16)})
