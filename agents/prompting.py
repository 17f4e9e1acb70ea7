"""Prompt files to chat messages: front matter checked, Jinja2 in a sandbox, untrusted text made inert.

A prompt is `prompts/<language>/<agent>.<message>.md`. Its front matter says the `role` and which variables it
`needs`; a missing one is an error of ours that raises at once. Values are inserted, never read as templates.
A designer's folder of the same file names may replace any of them.
"""

import re
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Literal

import yaml
from jinja2 import ChoiceLoader, FileSystemLoader, StrictUndefined, Template, TemplateError
from jinja2.sandbox import ImmutableSandboxedEnvironment
from pydantic import BaseModel, ConfigDict, ValidationError

from concilio.domain.base import Language
from concilio.gateway.ask import ChatMessage

PROMPTS = Path(__file__).resolve().parent.parent / "prompts"
_FRONT_MATTER = re.compile(r"---\n(.*?)\n---\n", re.DOTALL)
_BLANK_RUN = re.compile(r"\n{3,}")


class PromptError(ValueError):
    """A prompt file that is missing, malformed, or asks for what nobody gives it."""

    def __init__(self, name: str, problem: str) -> None:
        self.name, self.problem = name, problem
        super().__init__(f"{name}: {problem}")


class PromptHead(BaseModel):
    """Front matter of a prompt file."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    role: Literal["system", "user"]
    needs: tuple[str, ...] = ()
    """Names of the variables that the text uses."""


def inert(text: str) -> str:
    """Return untrusted text so that no tag opens in it and no reference is live."""
    return text.replace("<", "&lt;").replace("[[", "\\[\\[")


def quoted(text: str) -> str:
    """Return untrusted text as a Markdown quotation: what it says is said by somebody else."""
    return _quote(inert(text))


def quoted_draft(text: str) -> str:
    """Return a draft of ours as a quotation, its references kept live."""
    return _quote(text.replace("<", "&lt;"))


def _quote(text: str) -> str:
    return "\n".join(f"> {line}".rstrip() for line in text.splitlines())


def unescape_reply(text: str) -> str:
    """Undo in a reply what `inert` did to text that the model copied, but for dead references."""
    return text.replace("&lt;", "<")


def make_inert_references(text: str) -> str:
    """Return text in which `[[` is dead, for the embedded author, which reads no prompt."""
    return text.replace("[[", "\\[\\[")


@cache
def _environment(folders: tuple[str, ...]) -> ImmutableSandboxedEnvironment:
    environment = ImmutableSandboxedEnvironment(
        auto_reload=False,  # a run keeps to the prompts that it began with
        loader=ChoiceLoader([FileSystemLoader(folder) for folder in folders]),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=False,
    )
    environment.filters.update(data=inert, quoted=quoted, quoted_draft=quoted_draft)
    return environment


@cache
def _template(folders: tuple[str, ...], body: str) -> Template:
    return _environment(folders).from_string(body)


@dataclass(frozen=True)
class PromptBook:
    """The prompts of one language, with a designer's own in front."""

    language: Language
    overlay: Path | None = None
    """Folder whose files replace ours of the same name."""
    root: Path = field(default=PROMPTS)

    def message(self, name: str, /, **values: object) -> ChatMessage:
        """Render one prompt file to a chat message.

        Raises:
            PromptError: the file is missing or malformed, or a variable is missing.
        """
        head, body = self._file(name)
        missing = [need for need in head.needs if need not in values]
        if missing:
            raise PromptError(name, f"needs {', '.join(missing)}")
        try:
            text = self._template(body).render(**values)
        except TemplateError as error:
            raise PromptError(name, str(error)) from error
        return ChatMessage(role=head.role, content=_BLANK_RUN.sub("\n\n", text).strip())

    def _folders(self) -> tuple[Path, ...]:
        shipped = self.root / self.language
        return (self.overlay, shipped) if self.overlay else (shipped,)

    def _template(self, body: str) -> Template:
        return _template(tuple(str(folder) for folder in self._folders()), body)

    def _file(self, name: str) -> tuple[PromptHead, str]:
        return _read_prompt(_find_prompt(self._folders(), name))


@cache
def _find_prompt(folders: tuple[Path, ...], name: str) -> Path:
    path = next((f / f"{name}.md" for f in folders if (f / f"{name}.md").is_file()), None)
    if path is None:
        raise PromptError(name, f"no such prompt in {', '.join(str(f) for f in folders)}")
    return path


@cache
def _read_prompt(path: Path) -> tuple[PromptHead, str]:
    text = path.read_text(encoding="utf-8")
    match = _FRONT_MATTER.match(text)
    if match is None:
        raise PromptError(str(path), "begins with no front matter (--- role: … ---)")
    try:
        head = PromptHead.model_validate(yaml.safe_load(match.group(1)))
    except (yaml.YAMLError, ValidationError) as error:
        raise PromptError(str(path), f"front matter: {error}") from error
    return head, text[match.end() :]
