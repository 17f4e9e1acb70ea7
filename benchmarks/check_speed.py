"""The speed of `check` on one core in processor time, reading included, start-up excluded.

A scene is 250 words of the file.

The chapters are written by the embedded author from the example adventures, unless files are named.
"""

import sys
import tempfile
import time
from pathlib import Path

from common import ROOT, finish, report, run_quietly

sys.path.insert(0, str(ROOT))

SECONDS = 3.0
"""How long is measured, at least."""
WORDS_A_SCENE = 250
BAR_MS = 2.0
"""Milliseconds a scene: 500 scenes a second."""


def chapters(folder: Path) -> list[Path]:
    """Write the example adventures' chapters into a folder and return them."""
    for adventure in ("el_faro_de_sal", "the_winter_post"):
        command = [sys.executable, "-m", "concilio", "run", str(ROOT / "examples" / adventure)]
        run_quietly([*command, "--model", "embedded", "--out", str(folder)])
    return sorted(folder.rglob("*_*.md"))


def measure(files: list[Path]) -> tuple[float, float]:
    """Check the files again and again; return how many scenes that were, and the processor's seconds."""
    from concilio.chapterfile.reader import read_document
    from rules.engine import check
    from rules.ruleset import load_ruleset

    ruleset = load_ruleset()
    texts = [(file.name, file.read_text(encoding="utf-8")) for file in files]
    words, begin = 0, 0.0
    for warm in (False, True):
        words, begin = 0, time.process_time()
        while time.process_time() - begin < (SECONDS if warm else SECONDS / 6):
            for name, text in texts:
                check(read_document(text, name), ruleset)
                words += len(text.split())
    return words / WORDS_A_SCENE, time.process_time() - begin


def main() -> None:
    """Measure and compare with the bar."""
    with tempfile.TemporaryDirectory() as name:
        files = [Path(argument) for argument in sys.argv[1:]] or chapters(Path(name))
        scenes, seconds = measure(files)
    rate = f"{scenes / seconds:.0f} scenes a second"
    finish([report("check, ms a scene", seconds / scenes * 1000, BAR_MS, rate)])


if __name__ == "__main__":
    main()
