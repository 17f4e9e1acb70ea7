"""Writing a plan as Markdown in the seeds' shape, so that reading it gives the same plan: any plan.

What is written is read at once. Where the reading differs, the labels of outcomes are set in bold (`They
win!`); where that does not help (a label that is itself a field's label, a text like two outcomes),
the scene is written again with its punctuation as codes. No ordinary plan is.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from concilio.chapterfile.escape import code, escape_line
from concilio.chapterfile.headings import title_span
from concilio.chapterfile.outcomes import degree_of
from concilio.chapterfile.plan_scan import read_plan
from concilio.chapterfile.plan_values import as_written
from concilio.chapterfile.words import written
from concilio.domain.base import Language
from concilio.domain.plan import SCENE_ID, Outcome, Proposal, ScenePlan
from rules.document import FIELD_KEYS


def render_plan(proposal: Proposal, chapter: int, language: Language) -> str:
    """Return the plan as Markdown, ending in a line feed; `read_plan` and `as_written` give it back."""
    return "\n".join(render_scene(scene, chapter, language) for scene in proposal.scenes)


_Style = Literal["plain", "bold", "coded"]
_READABLE: tuple[_Style, ...] = ("plain", "bold")


@dataclass(frozen=True, slots=True)
class _Job:
    """What a scene is written from: equal jobs, equal text."""

    scene: ScenePlan
    chapter: int
    language: Language


def render_scene(scene: ScenePlan, chapter: int, language: Language) -> str:
    """Return one scene: its heading and its fields."""
    return _rendered(_Job(scene, chapter, language))


@lru_cache(maxsize=512)  # a scene is read back once it is written, and many steps of a run write the same one
def _rendered(job: _Job) -> str:
    for style in _READABLE:
        text = _scene(job.scene, job.chapter, job.language, style)
        if _reads_back(text, job.scene, job.language):
            return text
    return _scene(job.scene, job.chapter, job.language, "coded")


def render_fields(scene: ScenePlan, language: Language) -> str:
    """Return the fields of a scene without its heading, as they stand under `## Plan acordado`."""
    return render_scene(scene, 0, language).partition("\n")[2]


def heading_text(scene: ScenePlan, title: str, chapter: int, language: Language) -> str:
    """Return `Capítulo 5 · Escena 5.1 — …` with a title that is already escaped."""
    words = written(language, "chapter"), written(language, "scene")
    return f"{words[0]} {chapter} · {words[1]} {scene.id} — {title}".rstrip()


def quoted_title(title: str, language: Language) -> str:
    """Return an escaped title in the language's quotes."""
    text = escape_line(title)
    return f"{written(language, 'title_open')}{text}{written(language, 'title_close')}"


def _title(title: str, language: Language) -> str:
    """Return an escaped title, in quotes only where its own would be taken for those."""
    if title_span(title, 0, len(title)) != (0, len(title)):
        return quoted_title(title, language)
    return escape_line(title)


def _scene(scene: ScenePlan, chapter: int, language: Language, style: _Style) -> str:
    coded = style == "coded"
    title = _coded(scene.title) if coded else _title(scene.title, language)
    lines = ["### " + heading_text(scene, title, chapter, language)]
    for key in FIELD_KEYS:
        name = written(language, f"field.{key}")
        if key == "outcomes":
            lines.append(f"- {name}:")
            lines += [f"    - {_outcome(o, language, style)}" for o in scene.outcomes]
        else:
            lines.append(f"- {name}: {_text(getattr(scene, key), coded=coded)}".rstrip())
    return "\n".join(lines) + "\n"


def _outcome(outcome: Outcome, language: Language, style: _Style) -> str:
    coded = style == "coded"
    degree = written(language, f"degree.{outcome.degree}")
    tag = f"[{degree}]" if coded or outcome.degree != degree_of(outcome.label) else ""
    if coded:
        label = f"**{' '.join(filter(None, (_all_coded(outcome.label), tag)))}**"
    elif style == "bold":
        label = f"**{' '.join(filter(None, (escape_line(outcome.label, also=':[*_'), tag)))}**"
    else:
        label = " ".join(filter(None, (escape_line(outcome.label, also=":["), tag)))
    text = f"{_text(outcome.text, coded=coded)}{_destination(outcome.leads_to, language)}"
    return f"{label}: {text.lstrip()}".rstrip()


def _destination(leads_to: str | None, language: Language) -> str:
    if leads_to is None:
        return ""
    if leads_to == "end":
        return f" (→ {written(language, 'leads_end')})"
    known = leads_to.isascii() and SCENE_ID.match(leads_to)
    return f" (→ {leads_to})" if known else f' (→ "{_all_coded(leads_to)}")'


def _text(text: str, *, coded: bool) -> str:
    return _coded(text) if coded else escape_line(text)


def _coded(text: str) -> str:
    """Return the text with every character that is neither letter, digit nor space as a code."""
    return "".join(c if c.isalnum() or c == " " else code(c) for c in text)


def _all_coded(text: str) -> str:
    return "".join(code(c) for c in text)


def _reads_back(text: str, scene: ScenePlan, language: Language) -> bool:
    read = read_plan(text)
    try:
        return len(read.scenes) == 1 and as_written(read.scenes[0], language) == scene
    except ValueError:
        return False
