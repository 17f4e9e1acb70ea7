"""Putting the diagnosis together."""

import os
import platform
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from concilio import __version__
from concilio.diagnosis.installed import folder, package_problems, packages, problem
from concilio.diagnosis.report import Diagnosis, Folder, Problem, Seat, Setting
from concilio.settings import AGENTS, EMBEDDED, Settings
from concilio.settings.load import unknown_variables
from concilio.settings.model import SETTING_NAMES, Origin

DEBATERS: tuple[str, ...] = ("iris", "damian", "ruben")


@dataclass(frozen=True, slots=True)
class ModelState:
    """Whether a model can be used."""

    key_variable: str | None = None
    """Variable that is missing; None where none is."""
    answers: bool | None = None
    """None where nobody asked."""
    detail: str = ""
    """Why it does not answer, in the user's language."""


Probe = Callable[[str], ModelState]
"""Asks about one model, by name."""


def diagnose(settings: Settings, probe: Probe) -> Diagnosis:
    """Look at the installation, the models, the settings and the output folder."""
    found = packages()
    states = {model: probe(model) for model in {settings.model_for(agent) for agent in AGENTS}}
    seats = tuple(_seat(settings, agent, states) for agent in AGENTS)
    out = folder(settings.out)
    problems = (
        *package_problems(found),
        *_model_problems(seats),
        *_folder_problems(out),
        *_variable_problems(),
        *_advice(seats),
    )
    return Diagnosis(
        concilio=__version__,
        python=platform.python_version(),
        executable=sys.executable,
        packages=found,
        seats=seats,
        settings=tuple(_setting(settings, name) for name in SETTING_NAMES),
        out=out,
        problems=problems,
    )


def _seat(settings: Settings, agent: str, states: Mapping[str, ModelState]) -> Seat:
    model = settings.model_for(agent)
    state = states[model]
    origin = settings.model_origin(agent)
    return Seat(
        agent=agent,
        model=model,
        layer=origin.layer,
        where=origin.where,
        key_variable=state.key_variable,
        answers=state.answers,
        detail=state.detail,
    )


def _setting(settings: Settings, name: str) -> Setting:
    value = getattr(settings, name)
    origin = settings.origin_of(name)
    if name == "agents":
        value = ", ".join(f"{seat}={model}" for seat, model in settings.agents.items()) or None
        origins = [settings.origin_of(f"agents.{seat}") for seat in settings.agents]
        origin = _joined(origins) or origin
    return Setting(
        name=name, value="" if value is None else str(value), layer=origin.layer, where=origin.where
    )


def _joined(origins: list[Origin]) -> Origin | None:
    """Return the strongest layer and every place, or None where there is none."""
    if not origins:
        return None
    strongest = min(origins, key=lambda origin: ("flag", "variable", "file", "default").index(origin.layer))
    return Origin(layer=strongest.layer, where=", ".join(dict.fromkeys(origin.where for origin in origins)))


def _model_problems(seats: tuple[Seat, ...]) -> Iterator[Problem]:
    for model in dict.fromkeys(seat.model for seat in seats):
        seat = next(seat for seat in seats if seat.model == model)
        agents = ", ".join(seat.agent for seat in seats if seat.model == model)
        if seat.key_variable:
            yield problem("missing", "key", model=model, agents=agents, variable=seat.key_variable)
        elif seat.answers is False:
            yield problem("missing", "silent", model=model, agents=agents, detail=seat.detail)


def _folder_problems(out: Folder) -> Iterator[Problem]:
    if not out.writable:
        yield problem("missing", "folder", path=out.path)


def _variable_problems() -> Iterator[Problem]:
    for name, near in unknown_variables(os.environ):
        yield problem("advice", "variable_near" if near else "variable", name=name, near=near)


def _advice(seats: tuple[Seat, ...]) -> Iterator[Problem]:
    """Yield what could be better: a real model, and different minds for the seats that debate."""
    if all(seat.model == EMBEDDED for seat in seats):
        yield problem("advice", "embedded")
        return
    debaters = [seat for seat in seats if seat.agent in DEBATERS]
    for model in dict.fromkeys(seat.model for seat in debaters):
        sharing = [seat.agent for seat in debaters if seat.model == model]
        if len(sharing) > 1:
            yield problem("advice", "same_model", agents=", ".join(sharing), model=model, last=sharing[-1])
