"""Make the gettext file `concilio.mo` of each language from `concilio.toml` beside it.

Only click's own messages go through gettext; ours are read from `concilio/texts/<language>/*.toml`.
"""

import struct
import tomllib
from pathlib import Path

TEXTS = Path(__file__).parent.parent / "concilio" / "texts"
HEADER = "Content-Type: text/plain; charset=UTF-8\nPlural-Forms: nplurals=2; plural=(n != 1);\n"
MAGIC = 0x950412DE
HEADER_BYTES = 28
ENTRY_BYTES = 8


def entries(source: str) -> dict[str, str]:
    """Return the pairs (original, translation) as gettext stores them: plural forms joined by a zero byte."""
    table = tomllib.loads(source)
    pairs: dict[str, str] = {"": HEADER, **table["messages"]}
    for one, forms in table["plurals"].items():
        pairs[f"{one}\0{table['plural_ids'][one]}"] = "\0".join(forms)
    return pairs


def compiled(source: str) -> bytes:
    """Return the bytes of the .mo file: a header, two tables of (length, offset), and the texts."""
    ids, texts = zip(*sorted((i.encode(), t.encode()) for i, t in entries(source).items()), strict=True)
    count = len(ids)
    ids_at, texts_at = HEADER_BYTES, HEADER_BYTES + ENTRY_BYTES * count
    at = texts_at + ENTRY_BYTES * count
    tables = bytearray(struct.pack("<7I", MAGIC, 0, count, ids_at, texts_at, 0, at))
    body = bytearray()
    for text in (*ids, *texts):
        tables += struct.pack("<2I", len(text), at + len(body))
        body += text + b"\0"
    return bytes(tables + body)


def main() -> None:
    """Compile every language's messages."""
    for source in sorted(TEXTS.glob("*/LC_MESSAGES/concilio.toml")):
        source.with_suffix(".mo").write_bytes(compiled(source.read_text(encoding="utf-8")))


if __name__ == "__main__":
    main()
