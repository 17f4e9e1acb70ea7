"""Writing a scene's prose: from its beat where the plan is the author's own, else in general frames.

An outcome is told as the plan tells it, with how it is perceived: plan and prose cannot disagree.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from agents.embedded.beats import DEGREES, Degree, sentences
from agents.embedded.brief import Brief, Place, make_brief
from agents.embedded.drafting import (
    degree_of_label,
    edge_line,
    is_by_fight,
    note_of,
    outcome_text,
    pair_of,
    resolution,
    sensible,
    sequel_of,
    slot_values,
    standing_text,
    title_of,
    variant,
)
from agents.embedded.fight import fight_paragraph
from agents.embedded.frames import framed, frames_of
from agents.embedded.mechanics_text import phrases_of
from agents.embedded.opening import company, sight
from agents.embedded.places import class_of, palette
from agents.embedded.scenes import SceneSpec, best_hero, plan_scenes
from agents.embedded.slots import fill, rng
from agents.types import WriteTask
from concilio.domain.plan import Mechanic, Outcome


@dataclass(frozen=True, slots=True)
class Scene:
    """A scene to be written, with all that its paragraphs draw on."""

    task: WriteTask
    brief: Brief
    spec: SceneSpec | None
    """The choices from which it was planned; None for a plan by somebody else."""
    specs: tuple[SceneSpec, ...]
    """Those of the whole chapter as the author would plan it."""
    place: Place
    shift: int
    """Tells one attempt from the next."""

    @property
    def language(self) -> str:
        """Language of the prose."""
        return self.brief.language

    @property
    def index(self) -> int:
        """Place of the scene in its chapter, from 0."""
        ids = self.task.scene_ids
        return ids.index(self.task.scene.id) if self.task.scene.id in ids else 0

    @property
    def is_last(self) -> bool:
        """Tell whether the chapter ends with it."""
        return self.task.scene.id == (self.task.scene_ids or (self.task.scene.id,))[-1]

    def framed(self, name: str, options: Sequence[str] | None = None) -> str:
        """Return one of the general frames, another one each scene and each attempt."""
        given: Sequence[str] = frames_of(self.language)[name] if options is None else options
        return framed(self.brief, given, name, self.index + self.shift)

    def told(self, spec: SceneSpec, options: Sequence[str], what: str) -> str:
        """Return one variant of a beat's text, another one each attempt."""
        options = sensible(spec, options)
        first = options.index(variant(self.brief, spec, options, what))
        return options[(first + self.shift) % len(options)]

    def values(self) -> dict[str, str]:
        """Return the slots' values."""
        if self.spec:
            return slot_values(self.brief, self.spec)
        noun = self.place.noun
        return {"place": noun.the, "in_place": noun.at, "of_place": noun.of, "to_place": noun.to}


def make_scene(task: WriteTask, shift: int = 0) -> Scene:
    """Read a writing task; a scene is our own where its title is the one that we would give it."""
    brief = make_brief(task.canon, task.outline, task.seed)
    specs = plan_scenes(brief, len(task.scene_ids) or 1)
    own = next((spec for spec in specs if spec.id == task.scene.id), None)
    if own and title_of(brief, own) != task.scene.title:
        own = None
    place = own.stage.place if own else _place_in_plan(brief, task.scene.place)
    return Scene(task, brief, own, specs if own else (), place, shift)


def _place_in_plan(brief: Brief, text: str) -> Place:
    """Return the place that a plan's line names: one of the outline's where it is, else as it reads."""
    known = (place for place in brief.places if place.text and text.startswith(place.text.strip(" .")))
    found = next(known, None)
    noun = None if found else brief.grammar.place(text)
    read = Place(text, noun, class_of(text, brief.language)) if noun else None
    return found or read or brief.places[0]


# --- mechanics by reference ---------------------------------------------------------------------------


@dataclass
class References:
    """The scene's mechanics, each to be placed once."""

    left: list[Mechanic]

    @classmethod
    def of(cls, mechanics: Iterable[Mechanic]) -> "References":
        """Return all of them, none placed yet."""
        return cls(list(mechanics))

    def take_text(self, text: str) -> str | None:
        """Place the mechanic with that text; None where there is none left."""
        found = next((m for m in self.left if _same(m.text, text)), None)
        return self._take(found)

    def take_kind(self, kind: str, text: str = "") -> str | None:
        """Place the first mechanic of a kind that goes with a text."""
        found = next((m for m in self.left if m.kind == kind and (not text or _same(m.text, text))), None)
        return self._take(found)

    def count(self, kind: str) -> int:
        """Return how many of a kind are left."""
        return sum(m.kind == kind for m in self.left)

    def put_into(self, text: str) -> str:
        """Return a text with each mechanic that stands in it word for word replaced by its reference."""
        for mechanic in tuple(self.left):
            at = text.casefold().find(mechanic.text.casefold())
            if at >= 0 and len(text.casefold()) == len(text):
                text = f"{text[:at]}{self._take(mechanic)}{text[at + len(mechanic.text) :]}"
        return text

    def rest(self) -> list[str]:
        """Place all that are left."""
        refs = [f"[[{m.ref}]]" for m in self.left]
        self.left.clear()
        return refs

    def _take(self, mechanic: Mechanic | None) -> str | None:
        if mechanic is None:
            return None
        self.left.remove(mechanic)
        return f"[[{mechanic.ref}]]"


def _same(one: str, other: str) -> bool:
    return one.casefold() == other.casefold()


# --- paragraphs ---------------------------------------------------------------------------------------


def compose(scene: Scene) -> list[str]:
    """Return the scene's paragraphs."""
    references = References.of(scene.task.mechanics)
    body = _own_body(scene, scene.spec, references) if scene.spec else _open_body(scene, references)
    results = "\n".join(_result(scene, references, outcome) for outcome in scene.task.scene.outcomes)
    ends = [
        scene.framed("results"),
        results,
        _figures(scene, references),
        _closing(scene),
    ]
    return [paragraph for paragraph in [*body, *ends] if paragraph]


def _margin(scene: Scene, degree: Degree | None) -> str:
    """Return when a partial success holds, where the plan says it: the prose is run without the plan."""
    spec = scene.spec
    said = resolution(scene.brief, spec)[:1] if spec else []
    if degree != "partial" or spec is None or not said or said[0] not in scene.task.scene.player_action:
        return ""
    margin = frames_of(scene.language)["margin"]["fight" if is_by_fight(spec) else "roll"]
    return f" ({margin})"


def _own_body(scene: Scene, spec: SceneSpec, references: "References") -> list[str]:
    values = scene.values()
    words = spec.beat.words
    opening = fill(scene.told(spec, words.opening, "opening"), values)
    pressure = fill(scene.told(spec, words.pressure, "pressure"), values)
    fought = sum(other.is_fight for other in scene.specs[: scene.index])
    fight = fight_paragraph(scene.brief, spec, fought) if spec.is_fight else ""
    look = (_senses(scene), sight(scene.brief, spec), company(scene.brief, scene.specs, spec), opening)
    return [
        " ".join(part for part in look if part),
        f"{_whereabouts(scene, spec)} {pressure}".strip(),
        " ".join(part for part in (_speech(scene, spec), _voice_note(scene, spec)) if part),
        _elements(scene, spec, references),
        fight,
        _note(scene, spec),
        _ask(scene, spec, references),
    ]


def _open_body(scene: Scene, references: "References") -> list[str]:
    opening = fill(scene.framed("opening"), scene.values())
    situation = scene.task.scene.situation
    told = "" if any(char.isdigit() for char in situation) else inert(situation)
    return [f"{_senses(scene)} {opening}".strip(), told, _open_ask(scene, references)]


def _senses(scene: Scene) -> str:
    """Return a sentence of the place's senses, another one each scene and chapter while there are any."""
    options = list(palette(scene.place.kind, scene.language))
    rng(scene.brief.seed, scene.brief.canon.adventure, scene.place.kind, "palette").shuffle(options)
    used = scene.index
    if used >= len(options):  # its own senses are used up: plain ones, and after them none
        used -= len(options)
        options = list(palette(None, scene.language)) if scene.place.kind else []
    if used >= len(options):
        return ""
    start = scene.brief.outline.number * (scene.brief.outline.scenes or 3) + scene.shift
    return options[(start + used) % len(options)]


def _whereabouts(scene: Scene, spec: SceneSpec) -> str:
    """Return the plan's own situation: who is where and wants what."""
    template = variant(scene.brief, spec, spec.beat.words.situation, "situation")
    return standing_text(scene.brief, spec, template)


def _speech(scene: Scene, spec: SceneSpec) -> str:
    speaker = spec.stage.speaker
    present = scene.task.scene.present.casefold()
    if speaker and speaker.voice:
        return ""  # the designer's own direction: an invented line could contradict it
    if spec.stage.voice and (speaker is None or speaker.name.split()[0].casefold() in present):
        return fill(scene.told(spec, spec.beat.words.speech, "speech"), scene.values())
    figure = spec.stage.figure
    return scene.framed(
        "silent", frames_of(scene.language)["silent"]["beast" if figure and figure.mute else "nobody"]
    )


def _voice_note(scene: Scene, spec: SceneSpec) -> str:
    """Return how to play whoever speaks, the first time that they speak in the chapter."""
    speaker = spec.stage.speaker
    if speaker is None or not speaker.voice or any(char.isdigit() for char in speaker.voice):
        return ""
    if any(earlier.stage.speaker == speaker for earlier in scene.specs[: scene.index]):
        return ""
    names = {"name": speaker.noun.the, "to_name": speaker.noun.to}
    return fill(scene.framed("voice"), names | {"voice": inert(speaker.voice)})


def _elements(scene: Scene, spec: SceneSpec, references: "References") -> str:
    """Return the outline's elements of this scene in the designer's words, and what using them is worth."""
    told = [element.text for element in spec.stage.elements if element.text]
    tactic = spec.stage.tactic
    named = told or ([tactic.the] if tactic else [])
    if not named:
        return ""
    said = fill(scene.framed("elements"), {"elements": inert("; ".join(named))})
    edge = edge_line(scene.brief, spec) if tactic else ""
    if not edge or edge not in scene.task.scene.player_action or not references.count("advantage"):
        return said
    return f"{said} {references.put_into(edge)}"


def _note(scene: Scene, spec: SceneSpec) -> str:
    """Return the designer's table note that the scene plays, word for word."""
    note = note_of(scene.brief, spec)
    if note is None or not note.text:
        return ""
    values = {"label": inert(note.label), "text": inert(note.text)}
    return fill(frames_of(scene.language)["rule_text"][0], values)


def _checks(scene: Scene) -> list[tuple[Mechanic, str]]:
    """Return the checks of the scene with the skill of each; empty where a text names none."""
    ruleset, language = scene.brief.ruleset, scene.language
    words = {skill: f"({ruleset.word('skill', skill, language)})" for skill in ruleset.skills}
    checks = [m for m in scene.task.mechanics if m.kind == "check"]
    return [(m, next((skill for skill, word in words.items() if word in m.text), "")) for m in checks]


def _ask(scene: Scene, spec: SceneSpec, references: "References") -> str:
    """Return the paragraph that asks for the deed: both ways, who is apt, and who may help."""
    checks = _checks(scene)
    ways = spec.beat.words.ways
    if len(checks) < 2 or not all(skill in ways for _, skill in checks[:2]):
        return _open_ask(scene, references)
    (_, main), (_, other) = checks[:2]
    values = scene.values() | {
        "way.main": ways[main],
        "way.other": ways[other],
        "ref.main": references.take_kind("check") or "",
        "ref.other": references.take_kind("check") or "",
    }
    said = [fill(scene.framed("ask_own"), values), _apt_line(scene, main, other)]
    said += [_help_line(scene, *row, references, i) for i, row in enumerate(checks[2:])]
    return " ".join(part for part in said if part)


def _apt_line(scene: Scene, main: str, other: str) -> str:
    known = {hero.name for hero in scene.brief.named}
    one, two = best_hero(scene.brief, main), best_hero(scene.brief, other)
    if not {one, two} <= known:
        return ""
    name = "apt_one" if one == two else "apt"
    return fill(scene.framed(name), {"one": one, "two": two})


def _helper(scene: Scene, check: Mechanic, skill: str) -> str:
    """Return who helps with a check: whom the plan names for it, else somebody who is named nowhere."""
    told = next((s for s in sentences(scene.task.scene.player_action) if check.text in s), "")
    named = (hero.name for hero in scene.brief.heroes if hero.name in told)
    return next(named, "") or (phrases_of(scene.language)["somebody"] if skill else "")


def _help_line(scene: Scene, check: Mechanic, skill: str, references: "References", rank: int) -> str:
    """Return the sentence for a helper, each of a scene another one; what help is worth is placed once."""
    frames = frames_of(scene.language)
    ref = references.take_kind("check") or ""
    name, way = _helper(scene, check, skill), frames["helping"].get(skill, "")
    if not name or not way:
        return fill(frames["help_open"], {"ref": ref})
    edge = references.take_kind("advantage") or frames["help_edge"]
    options: list[str] = frames["help_told"]
    template = options[(options.index(scene.framed("help_told")) + rank) % len(options)]
    return fill(template, {"name": name, "way": way, "ref": ref, "edge": edge})


def _open_ask(scene: Scene, references: "References") -> str:
    """Return the paragraph that asks for a deed where the plan is not one of ours."""
    checks = [
        ref for m in scene.task.mechanics if m.kind == "check" and (ref := references.take_text(m.text))
    ]
    if not checks:
        return fill(scene.framed("ask_none"), scene.values())
    return fill(scene.framed("ask"), scene.values() | {"checks": scene.brief.grammar.alternatives(checks)})


def _result(scene: Scene, references: "References", outcome: Outcome) -> str:
    degree = degree_of_label(outcome.label)
    place = scene.task.scene.outcomes.index(outcome)
    said = [references.put_into(inert(outcome.text)), _perceived(scene, outcome, degree, place)]
    turn = DEGREES[(scene.index + scene.brief.outline.number) % 3]
    told_on = scene.spec and degree and sequel_of(scene.brief, scene.spec, degree)
    if degree and degree == turn and not scene.is_last and not told_on:
        said.append(_carried(scene, degree))
    told = " ".join(part for part in said if part)
    return f"- **{inert(outcome.label)}**{_margin(scene, degree)}: {told}"


def _carried(scene: Scene, degree: Degree) -> str:
    """Return a sentence that leads on to the next scene; each degree has its turn every third scene."""
    options: list[str] = frames_of(scene.language)["carry"][degree]
    start = rng(scene.brief.seed, scene.brief.canon.adventure, "carry").randrange(len(options))
    return options[(start + scene.brief.outline.number + scene.index // 3) % len(options)]


def _perceived(scene: Scene, outcome: Outcome, degree: Degree | None, place: int) -> str:
    """Return how an outcome is perceived where its fact is the beat's own; advice for a designer's words."""
    if scene.spec and degree and outcome.text == outcome_text(scene.brief, scene.spec, degree):
        return pair_of(scene.brief, scene.spec, degree)[1]
    if scene.spec is None or not scene.is_last:
        return ""
    advice: list[str] = frames_of(scene.language)["advice"].get(degree or "choice", [])
    index = scene.brief.outline.number + place + scene.shift
    return advice[index % len(advice)] if advice else ""


def _figures(scene: Scene, references: "References") -> str:
    """Return the line that places the mechanics for which no sentence had room; empty without any."""
    rest = references.rest()
    return fill(scene.framed("figures"), {"figures": "; ".join(rest)}) if rest else ""


def _closing(scene: Scene) -> str:
    if scene.spec is None:
        return fill(scene.framed("closing_last" if scene.is_last else "closing"), scene.values())
    return scene.framed("closing_end" if scene.is_last else "closing_own")


def inert(text: str) -> str:
    """Return text of the outline or the plan with its double brackets made dead."""
    return "\\[\\[".join(part.removesuffix("\\") if i else part for i, part in enumerate(_split_live(text)))


def _split_live(text: str) -> list[str]:
    parts: list[str] = []
    for part in text.split("[["):
        if parts and parts[-1].endswith("\\"):
            parts[-1] += "[[" + part
        else:
            parts.append(part)
    return parts


def write(task: WriteTask) -> str:
    """Return the scene's prose as Markdown, with its mechanics by reference."""
    return "\n\n".join(compose(make_scene(task)))
