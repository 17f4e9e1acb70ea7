"""A seat at the table: who sits there, with which prompts, behind which gateway."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from pydantic import BaseModel

from agents.prompting import PromptBook, make_inert_references
from concilio.domain.base import Language
from concilio.domain.debate import AgentId
from concilio.gateway.ask import Answered, Ask, ChatMessage
from concilio.gateway.gateway import Gateway
from concilio.gateway.tools import Tools

T = TypeVar("T")


@dataclass(frozen=True)
class PromptFollowups:
    """The texts by which the gateway asks again, from the prompt files."""

    book: PromptBook

    def continue_from(self, tail: str) -> str:
        """Return the request to go on from where a cut reply ends."""
        return self.book.message("followup.continue", tail=tail).content

    def invalid(self, problem: str) -> str:
        """Return the request to mend an unreadable reply."""
        return self.book.message("followup.invalid", problem=problem).content

    def as_markdown(self) -> str:
        """Return the request to answer in the Markdown shape."""
        return self.book.message("followup.markdown").content

    def wrong_language(self) -> str:
        """Return the request to answer in the adventure's language."""
        return self.book.message("followup.language").content


@dataclass(frozen=True)
class Seat:
    """One agent, ready to be asked."""

    agent: AgentId
    name: str
    voice: str
    gateway: Gateway
    book: PromptBook
    seed: int
    tools: Tools | None = None
    """What it may ask before it answers a review; None: nothing."""

    @property
    def language(self) -> Language:
        """Language in which it must answer."""
        return self.book.language

    async def ask(
        self,
        key: str,
        prompt: str,
        task: BaseModel,
        read: Callable[[str], T],
        *,
        schema: type[BaseModel] | None = None,
        max_tokens: int,
        after: tuple[ChatMessage, ...] = (),
        payload: Mapping[str, Any] | None = None,
        tools: Tools | None = None,
        **values: Any,
    ) -> Answered[T]:
        """Send a task and return what `read` made of the reply.

        Args:
            key: stable name of this call within the run (`ch5/r2/damian/check`).
            prompt: name of the user message's file.
            task: what the embedded author is given; its fields are the prompt's variables too.
            read: raises `ReplyIncomplete` or `ReplyInvalid`.
            schema: JSON shape to ask for; None for prose.
            max_tokens: limit of the first reply.
            after: messages that follow the task (a reply, and a question on it).
            payload: task and values for the embedded author, where they are not the task's own.
            tools: what the model may call before it answers.
            values: variables of the prompt that are not fields of the task, or replace one.

        Raises:
            GatewayError: see `concilio.gateway.errors`.
        """
        variables = {name: getattr(task, name) for name in type(task).model_fields} | values
        messages = (
            self.book.message(f"{self.agent}.system", name=self.name, voice=self.voice),
            self.book.message(prompt, **variables),
            *after,
        )
        return await self.gateway.ask(
            Ask(
                agent=self.agent,
                key=key,
                messages=messages,
                read=read,
                schema=schema,
                payload=payload or embedded_payload(task),
                max_tokens=max_tokens,
                seed=self.seed,
                language=self.language,
                followups=PromptFollowups(self.book),
                tools=tools,
            )
        )


def embedded_payload(task: BaseModel, name: str | None = None) -> dict[str, Any]:
    """Return a task as the embedded author takes it: its name and its values as JSON."""
    values = task.model_dump(mode="json")
    return {"task": name or values.get("task"), "payload": values}


def without_live_references(values: Any) -> Any:
    """Return JSON values in which no text holds a live `[[reference]]`."""
    if isinstance(values, str):
        return make_inert_references(values)
    if isinstance(values, list):
        return [without_live_references(item) for item in values]  # pyright: ignore[reportUnknownVariableType]
    if isinstance(values, dict):
        return {key: without_live_references(item) for key, item in values.items()}  # pyright: ignore
    return values
