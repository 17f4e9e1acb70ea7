"""From a model's name to its provider, without loading litellm."""

import os
import tomllib
from collections.abc import Collection
from dataclasses import dataclass
from functools import cache
from pathlib import Path

_TABLE = Path(__file__).with_name("providers.toml")


@dataclass(frozen=True)
class Provider:
    """What has to be known about a provider before anything is sent to it."""

    name: str
    keys: tuple[str, ...] = ()
    """Variables of which one must hold a key; none where no key is needed."""
    bases: tuple[str, ...] = ()
    """Variables that move its address, first match wins."""
    address: str = ""
    """Its own address; empty where nobody can know it."""
    key_free_with_base: bool = False
    """Whether a server of one's own, reached through `bases`, may go without a key."""

    def base(self) -> str:
        """Return the address from the environment, or an empty text."""
        return next((v for v in (os.environ.get(name, "").strip() for name in self.bases) if v), "")

    def has_key(self) -> bool:
        """Tell whether the environment holds one of its keys, or none is needed."""
        return not self.keys or any(os.environ.get(name, "").strip() for name in self.keys)


@cache
def _table() -> tuple[dict[str, Provider], dict[str, str]]:
    data = tomllib.loads(_TABLE.read_text(encoding="utf-8"))
    providers = {
        name: Provider(
            name=name,
            keys=tuple(entry.get("keys", ())),
            bases=tuple(entry.get("bases", ())),
            address=entry.get("address", ""),
            key_free_with_base=entry.get("key_free_with_base", False),
        )
        for name, entry in data["providers"].items()
    }
    return providers, data["bare_names"]


def provider_name(model: str) -> str:
    """Return the provider of a model: what stands before the first slash, or what its bare name tells.

    An unknown bare name is its own provider (`embedded`).
    """
    before, slash, _ = model.partition("/")
    if slash:
        return before
    bare = _table()[1]
    return next((bare[start] for start in bare if model.startswith(start)), model)


def provider_of(model: str) -> Provider:
    """Return what is known about a model's provider; only its name where nothing is."""
    name = provider_name(model)
    return _table()[0].get(name, Provider(name))


def is_own(model: str, own: Collection[str]) -> bool:
    """Tell whether a program of ours answers for the model."""
    return model.partition("/")[0] in own


def litellm_name(model: str, own: Collection[str]) -> str:
    """Return the name under which litellm finds the model: `embedded` is `embedded/embedded` there."""
    return f"{model}/{model}" if model in own else model
