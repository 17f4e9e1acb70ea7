"""What can be set, in which range, and where each value came from."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict

from concilio.domain.base import Language

AGENTS: tuple[str, ...] = ("iris", "damian", "ruben", "prose", "reader")
"""Ids of the seats that a model can take."""

EMBEDDED = "embedded"
"""The author that needs no key and no network; the model of every seat for which none is configured."""

SeatId = Literal["iris", "damian", "ruben", "prose", "reader"]
ModelName = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=200)]
OnUnresolved = Literal["write", "ask", "stop"]
ReviewMode = Literal["none", "plan", "rounds", "prose", "all"]
ToolUse = Literal["auto", "on", "off"]
Layer = Literal["flag", "variable", "file", "default"]
"""From the strongest to the weakest."""


class Origin(BaseModel):
    """Where a value came from."""

    model_config = ConfigDict(frozen=True)

    layer: Layer
    where: str = ""
    """`--rounds`, `CONCILIO_ROUNDS`, `concilio.toml:3`; empty for a default."""


class Settings(BaseSettings):
    """All settings of one invocation. Make it with `load_settings`."""

    model_config = SettingsConfigDict(
        frozen=True,
        extra="forbid",
        env_prefix="CONCILIO_",
        env_nested_delimiter="__",
        env_ignore_empty=True,
    )

    model: ModelName | None = None
    """Model of all seats (`openai/gpt-4o`); None where none is configured."""
    agents: dict[SeatId, ModelName] = {}
    """Models of single seats."""
    rounds: int = Field(default=3, ge=1, le=50)
    """Most rounds of a debate."""
    max_rewrites: int = Field(default=2, ge=0, le=10)
    """Most rewrites of one scene's prose."""
    seed: int = Field(default=0, ge=0, lt=2**63)
    """Always a number, 0 where none is given: the same command makes the same chapter."""
    budget_usd: float | None = Field(default=None, ge=0, allow_inf_nan=False)
    """Hard limit of one run, in US dollars; None for no limit."""
    concurrency: int = Field(default=8, ge=1, le=256)
    """Most calls in flight in the whole process."""
    requests_per_minute: int | None = Field(default=None, ge=1)
    """Most calls begun in a minute in the whole process; None for no limit."""
    tokens_per_minute: int | None = Field(default=None, ge=1)
    """Most tokens of prompts and replies in a minute to one provider; None for no limit."""
    timeout_s: float = Field(default=300.0, gt=0, le=3600, allow_inf_nan=False)
    """Seconds after which one call is given up."""
    longest_wait_s: float = Field(default=300.0, ge=0, le=86_400, allow_inf_nan=False)
    """Most seconds to wait between two tries; where a provider asks for more, the call is given up."""
    longest_reply: int = Field(default=250_000, ge=1_000, le=5_000_000)
    """Characters of the longest answer that is read."""
    tools: ToolUse = "auto"
    """Whether reviewers may ask the rules engine while they judge, by function calling."""
    out: Path = Path("outputs")
    """Folder where runs land."""
    on_unresolved: OnUnresolved = "write"
    """What follows a debate that was not accepted."""
    review: ReviewMode = "none"
    """Where `concilio run` pauses for the designer."""
    language: Language | None = None
    """Language of a file that states none; None: found from its text."""
    ruleset: Annotated[str, StringConstraints(pattern=r"^[a-z0-9_-]{1,40}$")] | None = None
    """Ruleset instead of the adventure's; None: the adventure's."""
    origins: Mapping[str, Origin] = Field(default={}, exclude=True, repr=False)
    """By name of the setting; a seat's model by `agents.<seat>`. What is missing is a default."""

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Validate what `load_settings` merged, and nothing else: it keeps where each value came from."""
        return (init_settings,)

    def origin_of(self, name: str) -> Origin:
        """Return where the value of a setting, or of `agents.<seat>`, came from."""
        return self.origins.get(name, Origin(layer="default"))

    def model_for(self, agent: str, adventure_model: str | None = None) -> str:
        """Return the model of a seat.

        The stronger layer wins first, the seat's own model before the common one within a layer. What the
        adventure file says (`adventure_model`) stands between the variables and `concilio.toml`.
        """
        for layer in ("flag", "variable"):
            if key := self._model_key(layer, agent):
                return self._model_at(key)
        key = self._model_key("file", agent)
        return adventure_model or (self._model_at(key) if key else EMBEDDED)

    def model_origin(self, agent: str) -> Origin:
        """Return where a seat's model came from, whatever the adventure says."""
        keys = (self._model_key(layer, agent) for layer in ("flag", "variable", "file"))
        return self.origin_of(next((key for key in keys if key), "model"))

    def _model_key(self, layer: Layer, agent: str) -> str | None:
        """Return the setting by which a layer gives the seat its model, or None where it gives none."""
        keys = (f"agents.{agent}", "model")
        return next((key for key in keys if self.origin_of(key).layer == layer), None)

    def _model_at(self, key: str) -> str:
        seats = {f"agents.{seat}": model for seat, model in self.agents.items()}
        return seats.get(key) or self.model or EMBEDDED


SETTING_NAMES: tuple[str, ...] = tuple(name for name in Settings.model_fields if name != "origins")
"""Names of the settings in the order in which they are told."""
