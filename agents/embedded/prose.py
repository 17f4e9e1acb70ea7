"""Writing a scene's prose: from its beat where the plan is the author's own, else in general frames."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from agents.embedded.beats import Beat, Degree, all_beats, kind_of
from agents.embedded.brief import Brief, Cue, Stage, make_brief, make_stage
from agents.embedded.drafting import degree_of_label
from agents.embedded.grammar import Noun
from agents.embedded.loading import LEXICON, load_yaml
from agents.embedded.mechanics_text import boon_text, harm_text
from agents.embedded.places import class_of, palette
from agents.embedded.slots import fill, pick, rng
from agents.types import WriteTask
from concilio.domain.plan import Mechanic, Outcome

CHECKS_OF_A_BEAT = 2
SHORTEST_WORDS = 190
"""Words, references counted as one, below which a scene reads thin."""


@cache
def frames_of(language: str) -> Any:
    """Return the general frames of prose in a language."""
    return load_yaml(LEXICON / language / "frames.yaml")


@dataclass(frozen=True, slots=True)
class Scene:
    """A scene to be written, with all that its paragraphs draw on."""

    task: WriteTask
    brief: Brief
    beat: Beat | None
    """The beat it was planned from; None for a plan by somebody else."""
    stage: Stage
    salt: str
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

    def choose(self, options: Sequence[str], what: str) -> str:
        """Return one variant of a beat's text."""
        return pick(options, self.brief.seed, self.task.scene.id, what, self.salt)

    def several(self, options: Sequence[str], what: str, count: int) -> list[str]:
        """Return some variants of a beat's text, the first one being that which `choose` gives."""
        first = options.index(self.choose(options, what))
        return [options[(first + i) % len(options)] for i in range(count)]

    def turn(self, options: Sequence[str], what: str, shift: int = 0) -> str:
        """Return one of the general frames: every scene of a chapter gets another one while there are any."""
        order = list(options)
        rng(self.brief.seed, what).shuffle(order)
        return order[(self.index + shift) % len(order)]


def beat_titled(title: str, language: str) -> Beat | None:
    """Return the beat that bears a title."""
    return next((beat for beat in all_beats(language).values() if title in beat.titles), None)


def make_scene(task: WriteTask, salt: str = "") -> Scene:
    """Read a writing task."""
    brief = make_brief(task.canon, task.outline, task.seed)
    beat = beat_titled(task.scene.title, brief.language)
    kind = kind_of(beat) if beat else brief.kinds[0]
    place = _place_in_plan(brief, task.scene.place) or brief.places[0][1]
    cue = Cue.of(beat, kind, climax=task.scene.id == (task.scene_ids or (task.scene.id,))[-1])
    stage = make_stage(brief, cue, task.scene.id, place)
    if stage.voice_name and not _is_present(stage.voice_name, task):
        stage = make_stage(brief, replace(cue, speaker="foe"), task.scene.id, place)
    return Scene(task, brief, beat, stage, salt)


def _place_in_plan(brief: Brief, text: str) -> Noun | None:
    """Return the place that a plan's line names: one of the outline's where it is, else as it reads."""
    known = (noun for written, noun in brief.places if written and text.startswith(written.strip(" .")))
    return next(known, None) or brief.grammar.place(text)


def _is_present(name: str, task: WriteTask) -> bool:
    return name.casefold() in task.scene.present.casefold()


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
    """Return the scene's paragraphs; a scene that comes out short gets a second touch of pressure."""
    paragraphs = _compose(scene, pressures=1)
    if scene.beat and sum(len(paragraph.split()) for paragraph in paragraphs) < SHORTEST_WORDS:
        return _compose(scene, pressures=2)
    return paragraphs


def _compose(scene: Scene, pressures: int) -> list[str]:
    references = References.of(scene.task.mechanics)
    skills = beat_skills(scene)
    ask = _ask(scene, references, skills) if skills else _open_ask(scene, references)
    head = [_opening(scene), *_body(scene, pressures), ask]
    results = "\n".join(_result(scene, references, outcome) for outcome in scene.task.scene.outcomes)
    paragraphs = [*head, _announce(scene), results, _figures(scene, references), _closing(scene)]
    return [paragraph for paragraph in paragraphs if paragraph]


def _opening(scene: Scene) -> str:
    values = scene.stage.values()
    if scene.beat:
        text = fill(scene.choose(scene.beat.prose.opening, "opening"), values)
    else:
        text = fill(scene.turn(frames_of(scene.language)["opening"], "opening"), values)
    senses = _palette_sentence(scene)
    return f"{senses} {text}" if senses else text


def _palette_sentence(scene: Scene) -> str:
    """Return a sentence of the place's senses, another one each scene; empty when they are used up."""
    about = class_of(scene.stage.place.at, scene.language)
    if about is None and scene.beat is None:
        about = class_of(scene.task.scene.place, scene.language)
    options = palette(about, scene.language) if about else ()
    if scene.index >= len(options):
        return ""
    return scene.turn(options, "palette")


def _body(scene: Scene, pressures: int) -> list[str]:
    values = scene.stage.values()
    if scene.beat is None:
        return [inert(scene.task.scene.situation)] if not _has_figures(scene.task.scene.situation) else []
    prose = scene.beat.prose
    spoken = prose.speech if scene.stage.voice else prose.speech_none
    return [
        fill(" ".join(scene.several(prose.pressure, "pressure", pressures)), values),
        fill(scene.choose(spoken, "speech"), values),
    ]


def beat_skills(scene: Scene) -> tuple[str, ...]:
    """Return the skills of the two checks where they are the beat's own, none where they are not."""
    checks = [m.text for m in scene.task.mechanics if m.kind == "check"]
    if scene.beat is None or len(checks) != CHECKS_OF_A_BEAT:
        return ()
    sides = (scene.beat.skills.main, scene.beat.skills.other)
    found = [_skill_in(text, skills, scene) for text, skills in zip(checks, sides, strict=True)]
    return tuple(skill for skill in found if skill) if all(found) else ()


def _skill_in(text: str, skills: Sequence[str], scene: Scene) -> str | None:
    words = ((skill, scene.brief.ruleset.word("skill", skill, scene.language)) for skill in skills)
    return next((skill for skill, word in words if f"({word})" in text), None)


def _ask(scene: Scene, references: References, skills: Sequence[str]) -> str:
    assert scene.beat is not None
    values = scene.stage.values() | {
        "way.main": scene.beat.ways.get(skills[0], ""),
        "way.other": scene.beat.ways.get(skills[1], ""),
        "ref.main": references.take_kind("check") or "",
        "ref.other": references.take_kind("check") or "",
    }
    return fill(scene.choose(scene.beat.prose.ask, "ask"), values)


def _open_ask(scene: Scene, references: References) -> str:
    """Return the paragraph that asks for a deed where the plan is not one of ours."""
    frames = frames_of(scene.language)
    checks = [
        ref for m in scene.task.mechanics if m.kind == "check" and (ref := references.take_text(m.text))
    ]
    if not checks:
        return fill(scene.turn(frames["ask_none"], "ask"), scene.stage.values())
    values = scene.stage.values() | {"checks": scene.brief.grammar.alternatives(checks)}
    return fill(scene.turn(frames["ask"], "ask"), values)


def _announce(scene: Scene) -> str:
    return fill(scene.turn(frames_of(scene.language)["results"], "results"), scene.stage.values())


def _result(scene: Scene, references: References, outcome: Outcome) -> str:
    return f"- **{inert(outcome.label)}**: {_result_text(scene, references, outcome)}"


def _result_text(scene: Scene, references: References, outcome: Outcome) -> str:
    degree = degree_of_label(outcome.label)
    beat = scene.beat
    if beat is None or degree is None or not is_beat_text(beat, degree, outcome.text):
        return _told_as_planned(scene, references, outcome, degree)
    values = scene.stage.values() | {"ref.harm": "", "ref.boon": ""}
    if degree == "failure" and beat.harm != "none":
        text = harm_text(beat.harm, beat.harm_type, scene.brief.level, scene.language, scene.brief.ruleset)
        ref = references.take_kind("damage")
        values["ref.harm"] = ref or text
    if degree == "success" and beat.boon != "none":
        values["ref.boon"] = references.take_kind("cover") or boon_text(beat.boon, scene.language)
    return fill(scene.choose(getattr(beat.prose, degree), degree), values)


def is_beat_text(beat: Beat, degree: Degree, text: str) -> bool:
    """Tell whether an outcome's text is one that the beat gives: slots may hold anything."""
    return any(_fits(template, text) for template in getattr(beat.outcomes, degree).text)


def _fits(template: str, text: str) -> bool:
    """Tell whether a text is a template with something in its slots: its fixed parts stand in order."""
    pieces = [piece.partition("}")[2] if i else piece for i, piece in enumerate(template.split("{"))]
    at = 0
    for i, piece in enumerate(pieces):
        found = text.find(piece, at)
        if found < 0 or (i == 0 and found > 0):
            return False
        at = found + len(piece)
    return text.endswith(pieces[-1])


def _told_as_planned(scene: Scene, references: References, outcome: Outcome, degree: Degree | None) -> str:
    """Return an outcome in the plan's own words, with references for the mechanics that stand there."""
    advice = frames_of(scene.language)["advice"].get(degree or "choice")
    said = references.put_into(inert(outcome.text))
    if scene.beat is None or not advice:
        return said
    return f"{said} {scene.choose(advice, f'advice {degree}')}"


def _figures(scene: Scene, references: References) -> str:
    """Return the line that places the mechanics for which no sentence had room; empty without any."""
    rest = references.rest()
    if not rest:
        return ""
    return fill(scene.turn(frames_of(scene.language)["figures"], "figures"), {"figures": "; ".join(rest)})


def _closing(scene: Scene) -> str:
    if scene.beat:
        return fill(scene.choose(scene.beat.prose.closing, "closing"), scene.stage.values())
    frames = frames_of(scene.language)
    last = scene.task.scene.id == (scene.task.scene_ids or (scene.task.scene.id,))[-1]
    return fill(scene.turn(frames["closing_last" if last else "closing"], "closing"), scene.stage.values())


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


def _has_figures(text: str) -> bool:
    return any(char.isdigit() for char in text)


def write(task: WriteTask) -> str:
    """Return the scene's prose as Markdown, with its mechanics by reference."""
    return "\n\n".join(compose(make_scene(task)))
