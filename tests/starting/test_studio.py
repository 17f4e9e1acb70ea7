"""`langgraph.json` names graphs that can be made, and that run a chapter."""

import asyncio
import importlib.util
import json
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from concilio.chapterfile.json_file import load_chapter
from concilio.starting import studio

ROOT = Path(__file__).parents[2]
NAMED: dict[str, str] = json.loads((ROOT / "langgraph.json").read_text(encoding="utf-8"))["graphs"]
ADVENTURE = "# Capítulo 3 · «La noria»\n\n- LUGAR PRINCIPAL: Una noria parada.\n- ESCENAS APROX: 1\n"


@pytest.fixture(autouse=True)
def own_adventure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "noria.md"
    file.write_text(ADVENTURE, encoding="utf-8")
    monkeypatch.setenv(studio.VARIABLE, str(file))
    monkeypatch.setenv("CONCILIO_OUT", str(tmp_path / "out"))


@contextmanager
def loaded(path: str) -> Generator[Any]:
    """What LangGraph's server does with a path: loads the file as a module. At the end its run is closed."""
    spec = importlib.util.spec_from_file_location("studio_of_a_server", ROOT / path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    try:
        yield module
    finally:
        module.studio_table().store.close()


STEPS = {
    "chapter": {"debate", "scene", "continuity", "assemble"},
    "debate": {"propose", "check", "criticise", "judge"},
}


@pytest.mark.parametrize("graph", sorted(NAMED))
def test_what_the_file_names_is_a_graph_that_can_be_drawn(graph: str) -> None:
    path, _, name = NAMED[graph].partition(":")
    with loaded(path) as module:
        made = getattr(module, name)()
    assert made.name == graph
    assert set(made.get_graph().nodes) >= STEPS[graph]


def test_a_chapter_runs_to_its_end() -> None:
    path, _, name = NAMED["chapter"].partition(":")
    with loaded(path) as module:
        state = asyncio.run(getattr(module, name)().ainvoke({"chapter": 3}))
        assert state["debate"]["ending"] == "accepted"
        assert load_chapter(module.studio_table().store.get_text(state["file"])).number == 3
