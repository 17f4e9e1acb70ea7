"""The user's own debates, replayed with their cuts: what the old system let through, Concilio does not."""

import re
from pathlib import Path
from typing import Any

import pytest

from concilio.chapterfile.json_file import load_chapter
from concilio.cli import main
from concilio.domain.chapter import Chapter
from tests.fake_model import FakeModel
from tests.fake_model.replay import messages_of_chapter
from tests.table_scripts import TABLE_FLAGS

SHARED = Path(__file__).parents[3] / "shared"
pytestmark = [
    pytest.mark.usefixtures("litellm_loaded"),
    pytest.mark.skipif(
        not SHARED.is_dir(), reason="../shared is not here: the user's own texts are not in the project"
    ),
]

ENDINGS = {
    4: """ines del palacio con una prueba de Fuerza (Atletismo) CD 13.
- POSIBLES RESULTADOS:
    - Éxito: El grupo cae entre los hongos y se aleja. (→ fin)
    - Fallo: Alguien queda colgado de la balaustrada y hay que ayudarle. (→ fin)
- CAMBIO DE ESTADO: El grupo está fuera del palacio.""",
    5: """ sónica con una prueba de Destreza (Juego de Manos) CD 14.
- POSIBLES RESULTADOS:
    - Éxito: Xylanth queda aturdido hasta el final de su siguiente turno y el paso queda libre. (→ fin)
    - Fallo: El Sintonizador se apaga y los guardias cierran el paso. (→ fin)
- CAMBIO DE ESTADO: El combate termina en huida.""",
}
SCENE_ALONE = """### Capítulo {n} · Escena {n}.5 — El final
- LUGAR: El salón.
- PRESENTES: PJs, Xylanth.
- SITUACIÓN INICIAL: Xylanth busca al grupo entre los escombros.
- ACCIÓN DEL JUGADOR: Salir con{rest}"""


def _replay(number: int, markdown: str, *, verdicts: bool) -> dict[str, Any]:
    """Script the debate: each agent's messages in order, cut where they were cut, and what follows a cut."""
    rest = ENDINGS[number]
    models: dict[str, list[Any]] = {"iris": [], "damian": [], "ruben": []}
    follow = {
        "iris": {"when": "Tu respuesta se cortó", "reply": rest, "repeat": True},
        "damian": {"when": "Tu respuesta se cortó", "reply": " y ya está.", "repeat": True},
        "ruben": {"when": "Tu respuesta se cortó", "reply": " y ya está.", "repeat": True},
    }
    alone = {
        "when": f"enteras y solas la escena {number}.5",
        "reply": SCENE_ALONE.format(n=number, rest=rest),
        "repeat": True,
    }
    for agent, text, cut in messages_of_chapter(markdown):
        models[agent].append({"reply": text, "finish_reason": "length" if cut else "stop"})
    answer = "VEREDICTO: refinar" if verdicts else "Muy bonito todo, gracias."
    asked = {"when": "Falta tu veredicto", "reply": answer, "repeat": True}
    steps = {agent: [follow[agent], alone if agent == "iris" else asked, *m] for agent, m in models.items()}
    prose = {"reply": "La sala calla y el grupo escucha el zumbido de las velas.", "repeat": True}
    return {"models": {**steps, "prose": [prose]}, "on_exhausted": "repeat_last"}


@pytest.mark.parametrize("verdicts", [True, False])
@pytest.mark.parametrize("number", [4, 5])
def test_the_seeds_debate_replayed(
    number: int,
    verdicts: bool,
    fake_model: FakeModel,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    markdown = (SHARED / "seeds" / f"capitulo_0{number}.es.md").read_text(encoding="utf-8")
    fake_model.load(_replay(number, markdown, verdicts=verdicts))
    status = main.run_command_line(
        [
            *("run", str(SHARED / "cases" / "banquete.adventure.md"), "--chapter", str(number)),
            *("--out", str(tmp_path), "--max-rewrites", "0", *TABLE_FLAGS),
        ]
    )
    capsys.readouterr()
    (path,) = tmp_path.rglob(f"capitulo_0{number}.es.json")
    chapter = load_chapter(path.read_text(encoding="utf-8"))
    assert chapter.ending != "accepted", "no round has both verdicts to accept"
    assert status == 1
    _assert_whole(chapter, number)
    assert chapter.ledger.open()


def _assert_whole(chapter: Chapter, number: int) -> None:
    assert [s.id for s in chapter.plan.scenes] == [f"{number}.{n}" for n in range(1, 6)]
    assert chapter.plan.scenes[4].outcomes[0].text
    for scene in chapter.plan.scenes:
        text = scene.model_dump_json()
        assert "```" not in text
        assert not re.search(r"Propongo|Acepto las correcciones|Aquí tienes", text)
        for field in (scene.situation, scene.player_action, scene.state_change):
            assert field.rstrip().endswith((".", ")", "!", "?", "»", '"')), field
