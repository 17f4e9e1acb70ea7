"""The embedded author as a litellm provider. litellm is imported here alone, inside the function."""

from collections.abc import Callable, Mapping
from typing import Any

Answer = Callable[..., str]


def task_of(optional_params: Mapping[str, Any]) -> tuple[str, Mapping[str, Any]]:
    """Return the task's name and payload as the gateway sends them beside the messages.

    Raises:
        ValueError: the call carries no task: the embedded author reads no prompts.
    """
    sent = optional_params.get("concilio_task")
    if not isinstance(sent, Mapping) or "task" not in sent or "payload" not in sent:
        raise ValueError("the embedded author needs `concilio_task`: it reads no prompts")
    return sent["task"], sent["payload"]  # pyright: ignore[reportUnknownVariableType]


def register_provider(name: str, answer: Answer) -> None:
    """Put the author into litellm's map of custom providers, once."""
    from concilio.gateway.wire import quiet_environment

    quiet_environment()
    import litellm

    if any(entry["provider"] == name for entry in litellm.custom_provider_map):
        return
    litellm.custom_provider_map = [
        *litellm.custom_provider_map,
        {"provider": name, "custom_handler": _handler(name, answer)},
    ]
    litellm.utils.custom_llm_setup()


def _handler(name: str, answer: Answer) -> Any:
    from litellm import ModelResponse, Usage
    from litellm.llms.custom_llm import CustomLLM
    from litellm.types.utils import Choices, Message

    def respond(model: str, optional_params: Mapping[str, Any]) -> ModelResponse:
        task, payload = task_of(optional_params)
        message = Message(role="assistant", content=answer(task, payload))
        response = ModelResponse(
            model=f"{name}/{model}", choices=[Choices(index=0, message=message, finish_reason="stop")]
        )
        # It is no model: nothing was read, nothing is to be paid.
        response.usage = Usage(prompt_tokens=0, completion_tokens=0, total_tokens=0)  # pyright: ignore
        return response

    class EmbeddedAuthor(CustomLLM):
        """Answers from the task's values; the messages are for models."""

        def completion(
            self, model: str, *args: Any, optional_params: dict[str, Any], **kwargs: Any
        ) -> ModelResponse:
            return respond(model, optional_params)

        async def acompletion(
            self, model: str, *args: Any, optional_params: dict[str, Any], **kwargs: Any
        ) -> ModelResponse:
            return respond(model, optional_params)

    return EmbeddedAuthor()
