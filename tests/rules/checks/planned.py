"""A chapter of one scene as a file: what a test's plan says, and the prose written from it."""

from collections.abc import Mapping, Sequence
from typing import Any

from tests.rules.editors.chapters import rendered

_ABOUT: Mapping[str, Mapping[str, Any]] = {
    "es": {
        "title": "El molino",
        "header": ["ARCO: I", "ESCENAS APROX: 1"],
        "status": "aprobado por la mesa",
        "scene": "La rueda",
        "fields": (
            "LUGAR",
            "PRESENTES",
            "SITUACIÓN INICIAL",
            "ACCIÓN DEL JUGADOR",
            "POSIBLES RESULTADOS",
            "CAMBIO DE ESTADO",
        ),
        "accepts": "VEREDICTO: acepto",
    },
    "en": {
        "title": "The mill",
        "header": ["ARC: I", "APPROX SCENES: 1"],
        "status": "approved by the table",
        "scene": "The wheel",
        "fields": (
            "PLACE",
            "PRESENT",
            "INITIAL SITUATION",
            "PLAYER ACTION",
            "POSSIBLE OUTCOMES",
            "STATE CHANGE",
        ),
        "accepts": "VERDICT: accept",
    },
}


def chapter(language: str, plan: Sequence[str | Sequence[str]], prose: str, checker: str = "") -> str:
    """Return a chapter of one scene with that plan, field by field, and that prose."""
    about = _ABOUT[language]
    fields = [text if isinstance(text, str) else list(text) for text in plan]
    scene = {
        "id": "1.1",
        "title": about["scene"],
        "plan": dict(zip(about["fields"], fields, strict=True)),
        "prose": prose,
    }
    base = {
        "lang": language,
        "n": 1,
        **{key: about[key] for key in ("title", "header", "status")},
        "checker": f"{checker}\n\n{about['accepts']}".strip(),
        "critic": about["accepts"],
        "outcome": "accepted",
        "scenes": [scene],
    }
    return rendered(base)
