"""Keep secrets out of whatever is written or shown."""

import os
import re
from functools import lru_cache
from typing import Any

HIDDEN = "***"
SHORTEST_SECRET = 6
"""Characters: a shorter value of a key variable is a placeholder, and hiding it would spoil other text."""

_SHAPES = re.compile(
    r"\bsk-[\w.*-]{4,}"
    r"|\bBearer\s+[^\s\"',;]+"
    r"|(?<=://)[^\s/@:]{1,100}:[^\s/@]{1,200}(?=@)"
    r"|(?<=[?&]key=)[^\s&\"']+",
    re.IGNORECASE,
)
_SECRET_NAME = re.compile(r"(API_?KEY|_TOKEN|_SECRET|PASSWORD|_KEY)\Z", re.IGNORECASE)


@lru_cache(maxsize=4096)
def _is_secret(name: str) -> bool:
    return _SECRET_NAME.search(name) is not None


def _secret_values() -> list[str]:
    values = (os.environ.get(name, "").strip() for name in os.environ if _is_secret(name))
    return sorted((v for v in values if len(v) >= SHORTEST_SECRET), key=len, reverse=True)


def scrub(text: str) -> str:
    """Return the text without keys: by their shape, and by the value of every variable that names one."""
    return _scrubbed(text, _secret_values())


def scrub_value(value: Any) -> Any:
    """Return a JSON-like value with every text in it scrubbed, keys of mappings too."""
    return _scrubbed_value(value, _secret_values())


def _scrubbed(text: str, secrets: list[str]) -> str:
    for secret in secrets:
        text = text.replace(secret, HIDDEN)
    return _SHAPES.sub(HIDDEN, text)


def _scrubbed_value(value: Any, secrets: list[str]) -> Any:
    if isinstance(value, str):
        return _scrubbed(value, secrets)
    if isinstance(value, dict):
        return {_scrubbed(str(k), secrets): _scrubbed_value(v, secrets) for k, v in value.items()}  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
    if isinstance(value, (list, tuple)):
        return [_scrubbed_value(v, secrets) for v in value]  # pyright: ignore[reportUnknownVariableType]
    return value
