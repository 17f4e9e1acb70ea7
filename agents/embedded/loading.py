"""Reading the embedded author's own data files."""

from functools import cache
from pathlib import Path
from typing import Any

import yaml

LANGUAGES: tuple[str, ...] = ("es", "en")
LEXICON = Path(__file__).parent / "lexicon"
"""Words by language, as data."""
_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
"""The loader in C where PyYAML was built with it: ten times faster."""


@cache
def load_yaml(path: Path) -> Any:
    """Return the content of one of our YAML files; callers must not change it.

    Raises:
        FileNotFoundError, yaml.YAMLError: the package is damaged.
    """
    return yaml.load(path.read_text(encoding="utf-8"), Loader=_LOADER)  # noqa: S506 - safe loaders both
