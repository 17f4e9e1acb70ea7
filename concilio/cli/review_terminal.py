"""The designer's seat at a terminal: what is decided is shown, typed, checked and kept."""

import select
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import click

from concilio.catalogue import LANGUAGES, say
from concilio.chapterfile.plan_markdown import render_plan
from concilio.chapterfile.words import folded
from concilio.cli.editor import EditorError, written_in_editor
from concilio.domain.base import Language
from concilio.domain.debate import Objection, ObjectionDraft
from concilio.domain.plan import ScenePlan
from concilio.printable import shown_text
from concilio.review import Decision, Pending, decide
from concilio.review.checks import told_beside
from concilio.review.editing import EditError, edited_scene, is_edited, scene_texts
from concilio.review.folder import StaleDecisionError, WrongDecisionError, decision_on
from concilio.review.model import Action
from concilio.review.unsent import draft_file, keep_unsent, unsent, unsent_file
from concilio.store.own import require_own

ACTIONS = ("accept", "edit", "object", "waive", "round", "show", "stop", "quit")
SEVERITIES = ("blocker", "major", "minor")
LOOK_EVERY_S = 0.4
"""Seconds between looks at whether it was decided elsewhere."""


def ask_at_terminal(folder: Path, pause: Pending, language: Language) -> bool:
    """Ask whoever sits there; tell whether something was decided, so that the run can go on.

    Where nobody sits there, or who does goes away, a line says how to go on.
    """
    if not somebody_is_there():
        kind = say(f"review.kind.{pause.kind}", language, round=pause.round)
        line = say("review.waits", language, chapter=pause.chapter, kind=kind, run=folder)
        click.echo(line, err=True)
        return False
    return Dialogue(folder, pause, language).run()


def somebody_is_there() -> bool:
    """Tell whether questions can be seen and answered."""
    return sys.stdin.isatty() and sys.stderr.isatty()


def something_is_typed() -> bool:
    """Wait a moment for a line at the terminal; tell whether there is one, or whether it cannot be told."""
    try:
        ready, _, _ = select.select([sys.stdin.fileno()], [], [], LOOK_EVERY_S)
    except (OSError, ValueError):  # no file of the system's: reading it tells
        return True
    return bool(ready)


@dataclass
class Dialogue:
    """One pause, from what is shown to what is decided."""

    folder: Path
    pause: Pending
    language: Language
    scenes: dict[str, ScenePlan] = field(default_factory=dict[str, ScenePlan])
    prose: dict[str, str] = field(default_factory=dict[str, str])
    objections: list[ObjectionDraft] = field(default_factory=list[ObjectionDraft])
    waived: list[str] = field(default_factory=list[str])

    def run(self) -> bool:
        """Ask until something is decided, here or elsewhere, or the designer goes away."""
        self._take_up()
        self.show()
        steps: dict[str, Callable[[], None]] = {
            "edit": self.edit,
            "object": self.object_to,
            "waive": self.waive,
            "show": self.show,
        }
        try:
            while True:
                chosen = self.choose()
                if chosen is None:
                    return self.leave_to_others()
                if chosen in steps:
                    steps[chosen]()
                elif chosen == "quit":
                    return self.leave()
                elif (ended := self.decide(chosen)) is not None:
                    return ended
        except KeyboardInterrupt:
            click.echo(err=True)
            self.leave()
            raise
        except (click.Abort, EOFError) as error:
            click.echo(err=True)
            left = self.leave()
            if isinstance(error.__context__, KeyboardInterrupt):  # click tells both ends of a prompt as one
                raise KeyboardInterrupt from None
            return left

    def show(self) -> None:
        """Show plan or prose, verdicts, and what is open."""
        for line in shown(self.pause, self.language):
            click.echo(shown_text(line), err=True)
        self.show_kept()

    def show_kept(self) -> None:
        """Show what will be sent with the decision."""
        if said := told_beside(self.decision("round"), self.language):
            click.echo(shown_text(self._say("kept", said=said)), err=True)

    def choose(self) -> str | None:
        """Return what the designer wants to do; None where it was decided elsewhere meanwhile."""
        click.echo(self._say("ask"), err=True)
        while True:
            typed = self._line_unless_decided()
            if typed is None:
                return None
            if meant := meant_by(typed, self.language):
                return meant
            click.echo(self._say("unknown_word", ask=self._say("ask")), err=True)

    def edit(self) -> None:
        """Open a scene in the editor until it reads back, or the designer leaves it; nothing is lost."""
        texts = scene_texts(self.pause)
        scene = self._one_of("ask_scene", list(texts))
        if scene is None:
            return
        draft = draft_file(self.folder, self.pause.version, scene)
        require_own(draft, self.folder)
        text = draft.read_text(encoding="utf-8", errors="replace") if draft.is_file() else ""
        while True:
            try:
                text = written_in_editor(draft, (text.strip() and text) or self._current(scene, texts))
            except EditorError as error:
                click.echo(self._say("no_editor", problem=error, path=draft), err=True)
                return
            problem = self._take(scene, text, texts)
            if not problem:
                draft.unlink(missing_ok=True)
                return
            click.echo(self._say("not_there", scene=scene, problem=problem), err=True)
            if not self._sure("edit_again", default=True):
                click.echo(self._say("kept_draft", path=draft), err=True)
                return

    def _current(self, scene: str, texts: dict[str, str]) -> str:
        if scene in self.prose:
            return self.prose[scene]
        if scene in self.scenes:
            pause = self.pause.model_copy(
                update={"plan": self.pause.plan.model_copy(update={"scenes": (self.scenes[scene],)})}
            )
            return scene_texts(pause)[scene]
        return texts[scene]

    def _take(self, scene: str, text: str, texts: dict[str, str]) -> str:
        """Take an edited text; return what is wrong with it. An empty one is the scene as it was."""
        if not text.strip() or not is_edited(texts[scene], text):
            self.scenes.pop(scene, None)
            self.prose.pop(scene, None)
            self._keep()
            click.echo(self._say("unchanged"), err=True)
            return ""
        if self.pause.kind == "prose":
            self.prose[scene] = text
        else:
            try:
                self.scenes[scene] = edited_scene(self.pause, scene, text, self.language)
            except EditError as error:
                return str(error)
        self._keep()
        click.echo(self._say("edited", scene=scene), err=True)
        return ""

    def object_to(self) -> None:
        """Take an objection of the designer's own."""
        chapter = str(self.pause.chapter)
        scene = self._one_of("ask_objection_scene", [*scene_texts(self.pause), chapter], chapter=chapter)
        if scene is None or not (text := self._ask("ask_text")):
            return
        severities = {say(f"debate.severity.{s}", self.language): s for s in SEVERITIES}
        severity = self._one_of("ask_severity", list(severities))
        if severity is None:
            return
        draft = {"scene": scene, "text": text, "proposal": self._ask("ask_proposal")}
        self.objections.append(ObjectionDraft.model_validate({**draft, "severity": severities[severity]}))
        self._keep()
        self.show_kept()

    def waive(self) -> None:
        """Set an open objection aside."""
        still = [o.id for o in self.pause.ledger.open() if o.id not in self.waived]
        if not still:
            click.echo(self._say("open_none"), err=True)
            return
        if chosen := self._one_of("ask_id", still):
            self.waived.append(chosen)
            self._keep()
            self.show_kept()

    def decision(self, action: Action) -> Decision:
        """Return all that was said, with an action."""
        return Decision(
            version=self.pause.version,
            action=action,
            scenes=tuple(self.scenes.values()),
            objections=tuple(self.objections),
            waived=tuple(self.waived),
            prose=self.prose,
        )

    def decide(self, action: str) -> bool | None:
        """Keep the decision; None where it cannot be, and the designer is asked on."""
        if action == "stop" and not self._sure("stopping", default=False):
            return None
        actions: dict[str, Action] = {"accept": "accept", "round": "round", "stop": "stop"}
        try:
            decide(self.folder, self.decision(actions[action]), self.language)
        except WrongDecisionError as error:
            click.echo(str(error), err=True)
            return None
        except StaleDecisionError as error:
            click.echo(str(error), err=True)
            return self.leave_to_others()
        unsent_file(self.folder, self.pause.version).unlink(missing_ok=True)
        return True

    def leave(self) -> bool:
        """Say how to go on."""
        click.echo(self._say("left", run=self.folder), err=True)
        if self._says_something():
            click.echo(self._say("left_kept"), err=True)
        return False

    def leave_to_others(self) -> bool:
        """Say that it was decided elsewhere, and where what was said here is kept."""
        click.echo(f"\n{self._say('decided_elsewhere')}", err=True)
        if self._says_something():
            path = unsent_file(self.folder, self.pause.version)
            click.echo(self._say("kept_draft", path=path), err=True)
        return True

    # --- parts ---------------------------------------------------------------------------------------

    def _take_up(self) -> None:
        """Go on from what was said of this pause before, and not sent."""
        if before := unsent(self.folder, self.pause.version):
            self.scenes = {scene.id: scene for scene in before.scenes}
            self.prose = dict(before.prose)
            self.objections, self.waived = list(before.objections), list(before.waived)

    def _keep(self) -> None:
        keep_unsent(self.folder, self.decision("round"))

    def _says_something(self) -> bool:
        return bool(self.scenes or self.prose or self.objections or self.waived)

    def _say(self, key: str, **values: object) -> str:
        return say(f"review.{key}", self.language, **values)

    def _ask(self, key: str, **values: object) -> str:
        typed: str = click.prompt(self._say(key, **values), default="", show_default=False, err=True)
        return typed.strip()

    def _sure(self, key: str, *, default: bool) -> bool:
        """Ask a question of yes or no in the designer's language; nothing typed is the default."""
        answers = {
            folded(say(f"review.{word}", one)): word == "yes" for one in LANGUAGES for word in ("yes", "no")
        }
        shown = self._say("yes_or_no" if default else "no_or_yes")
        while True:
            typed = folded(self._line(f"{self._say(key)} {shown} "))
            if not typed:
                return default
            found = {answer for word, answer in answers.items() if word.startswith(typed)}
            if len(found) == 1:
                return found.pop()

    def _line(self, prompt: str) -> str:
        typed: str = click.prompt(prompt, default="", show_default=False, prompt_suffix="", err=True)
        return typed.strip()

    def _line_unless_decided(self) -> str | None:
        """Return what is typed to the first question; None as soon as it is decided elsewhere, in a page say.

        Raises:
            EOFError: whoever sat there has gone.
        """
        click.echo(f"{self._say('prompt')} ", nl=False, err=True)
        while not something_is_typed():
            if decision_on(self.folder, self.pause.version) is not None:
                return None
        line = sys.stdin.readline()
        if not line:
            raise EOFError
        return line.strip().lower()

    def _one_of(self, key: str, known: list[str], **values: object) -> str | None:
        """Ask for one of some words until one is given; None where nothing is typed."""
        if len(known) == 1:
            return known[0]
        while True:
            typed = self._ask(key, **values)
            found = [name for name in known if name.casefold() == typed.casefold()]
            if found or not typed:
                return found[0] if found else None
            click.echo(self._say("unknown_answer", keys=", ".join(known)), err=True)


def meant_by(typed: str, language: Language) -> str | None:
    """Return the action that is typed: by its key, or a word of either language, whole or begun; else None.

    What may be the beginning of two is neither: a chapter does not end by a slip.
    """
    keys = {say(f"review.keys.{action}", language): action for action in ACTIONS}
    word = folded(typed.split()[0]) if typed.split() else ""
    if word in keys or not word:
        return keys.get(word)
    spelt = {w: action for one in LANGUAGES for action in ACTIONS for w in _words_for(action, one)}
    if word in spelt:
        return spelt[word]
    begun = {action for known, action in spelt.items() if known.startswith(word)}
    return begun.pop() if len(begun) == 1 and len(word) > 1 else None


def _words_for(action: str, language: str) -> list[str]:
    return [folded(word) for word in say(f"review.words.{action}", language).split()]


def shown(pause: Pending, language: Language) -> list[str]:
    """Return a pause as lines of text."""
    kind = say(f"review.kind.{pause.kind}", language, round=pause.round)
    lines = ["", say("review.title", language, chapter=pause.chapter, kind=kind)]
    if pause.ending:
        lines[-1] += f" · {say(f'run.ending.{pause.ending}', language)}"
    if pause.kind == "prose":
        lines += [f"\n{scene}\n{text}" for scene, text in pause.prose.items()]
        lines += [
            say("run.open_finding", language, rule=f.rule, scene=f.scene, message=f.message)
            for f in pause.findings
        ]
    else:
        lines += ["", render_plan(pause.plan, pause.chapter, pause.language).strip()]
    lines += [say("review.unfinished", language, scene=scene) for scene in pause.unfinished]
    if pause.known:
        lines += ["", say("review.known.title", language), *(f"  {line}" for line in pause.known)]
    lines.append("")
    for agent, verdict in pause.verdicts.items():
        name = say(f"debate.agent.{agent}", language)
        word = say(f"run.verdict_{verdict or 'none'}", language)
        lines.append(say("review.verdict", language, name=name, verdict=word))
    still = pause.ledger.open()
    lines.append(say("review.open_title" if still else "review.open_none", language))
    for objection in still:
        lines += _objection(objection, language)
    return lines


def _objection(objection: Objection, language: Language) -> list[str]:
    values = {
        "id": objection.id,
        "severity": say(f"debate.severity.{objection.severity}", language),
        "author": say(f"debate.agent.{objection.author}", language),
        "scene": objection.scene,
        "text": objection.text,
    }
    lines = [say("review.objection", language, **values)]
    if objection.proposal:
        lines.append(say("review.objection_proposal", language, text=objection.proposal))
    if objection.answer:
        kind = say(f"debate.kind.{objection.answer_kind or 'fixed'}", language)
        lines.append(say("review.objection_answer", language, kind=kind, text=objection.answer))
    return lines
