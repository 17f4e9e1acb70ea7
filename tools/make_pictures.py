"""Make the pictures of the README from a real run: `make pictures`.

The run is the tutorial's, with the embedded author, so that everybody's is the same; the time in its name is
replaced by a fixed one. What a terminal shows becomes SVG by rich, the recording is such an SVG whose lines
appear one after the other, and the pages are photographed by chromium.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from io import StringIO
from pathlib import Path

from tools.tutorial import Step, expanded, steps

ROOT = Path(__file__).resolve().parents[1]
PICTURES = ROOT / "docs" / "pictures"
LANGUAGES = ("es", "en")
LARGEST = 400_000
"""Bytes of one picture."""
COLUMNS = 104
WHEN = "20261201-180000"
"""Stands for the time at which the run began."""
_RUN_TIME = re.compile(r"\d{8}-\d{6}(?=-)")
TYPING_S, LINE_S, HOLD_S = 1.4, 0.4, 5.0
"""Seconds before a command's output, for each of its lines, and at the end."""
_TO_THE_MIDDLE = """node => {
    for (let up = node; up; up = up.parentElement) if (up.tagName === "DETAILS") up.open = true;
    node.scrollIntoView({block: "center"});
}"""
_FONT = re.compile(r"@font-face \{.*?\}\s*", re.DOTALL)
_LINE = re.compile(r'<text class="[^"]*"([^>]*clip-path="url\(#[a-z]+-line-(\d+)\)")')


@dataclass(frozen=True)
class Shot:
    """A page as it is photographed."""

    name: str
    path: str
    width: int
    height: int
    dark: bool = False
    middle: str = ""
    """Selector of what stands in the middle; what is folded around it is opened."""


def run_step(step: Step, folder: Path, language: str) -> list[str]:
    """Run a command of the tutorial in a folder and return the lines that it prints.

    Raises:
        subprocess.CalledProcessError: it failed.
    """
    environment = os.environ | {
        "PYTHONPATH": str(ROOT),
        "CONCILIO_LANG": language,
        "COLUMNS": str(COLUMNS),
        "PYTHONIOENCODING": "utf-8",
    }
    words = [sys.executable, "-m", *expanded(step.words, folder)]
    ran = subprocess.run(  # noqa: S603 - the commands of our own tutorial
        words,
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        check=True,
    )
    return _RUN_TIME.sub(WHEN, ran.stdout).rstrip("\n").split("\n")


def session(language: str, folder: Path) -> dict[str, list[tuple[str, list[str]]]]:
    """Take the tutorial's steps in a folder; return what was typed and printed, by command."""
    found: dict[str, list[tuple[str, list[str]]]] = {}
    for step in steps(language):
        if step.added:
            (adventure,) = folder.glob("*.md")
            with adventure.open("a", encoding="utf-8") as file:
                file.write(step.added)
        elif step.words[0] == "concilio" and step.words[1] in (
            "init",
            "run",
            "check",
            "playtest",
            "promises",
        ):
            found.setdefault(step.words[1], []).append((step.typed, run_step(step, folder, language)))
    return found


def terminal(commands: Sequence[tuple[str, list[str]]]) -> str:
    """Return commands with their output as a terminal shows them: SVG, without any address of a font."""
    from rich.console import Console
    from rich.text import Text

    console = Console(
        record=True, width=COLUMNS, file=StringIO(), force_terminal=True, color_system="truecolor"
    )
    for typed, printed in commands:
        console.print(Text.assemble(("$ ", "bold green"), (typed, "bold")), soft_wrap=False)
        for line in printed:
            console.print(Text(line), highlight=False)
    return _FONT.sub("", console.export_svg(title="concilio", unique_id="concilio"))


def recording(commands: Sequence[tuple[str, list[str]]]) -> str:
    """Return the same, its lines appearing one after the other, again and again."""
    whole = terminal(commands)
    shown = [int(number) for number in re.findall(r'id="concilio-line-(\d+)"', whole)]
    starts = _starts(commands, max(shown) + 1)
    end = max(starts) + HOLD_S
    css = [_keyframes(i, 100 * at / end) for i, at in enumerate(starts)]
    css.append(f".a {{ animation-duration: {end:.1f}s; animation-iteration-count: infinite }}")
    css.append("@media (prefers-reduced-motion: reduce) { .a { animation: none !important } }")
    moving = _LINE.sub(_appearing, whole)
    return moving.replace("</style>", "\n".join(["", *css, "    </style>"]), 1)


def _keyframes(line: int, percent: float) -> str:
    hidden, shown = f"0%, {percent:.2f}% {{ opacity: 0 }}", f"{percent + 0.01:.2f}%, 100% {{ opacity: 1 }}"
    return f"@keyframes a{line} {{ {hidden} {shown} }}"


def _appearing(found: re.Match[str]) -> str:
    opened = found[0].replace('<text class="', '<text class="a ', 1)
    return f'{opened} style="animation-name: a{found[2]}"'


def _starts(commands: Sequence[tuple[str, list[str]]], lines: int) -> list[float]:
    """Return the second at which each line of the terminal appears."""
    starts: list[float] = []
    now = 0.3
    for typed, printed in commands:
        starts += [now] * _rows(typed, 2)
        now += TYPING_S
        for line in printed:
            starts += [now] * _rows(line, 0)
            now += LINE_S
    return (starts + [now] * lines)[:lines]


def _rows(text: str, before: int) -> int:
    from rich.console import Console
    from rich.text import Text

    console = Console(width=COLUMNS, file=StringIO())
    return len(Text(" " * before + text).wrap(console, COLUMNS))


def settle(out: Path) -> Path:
    """Give the first run under a folder its fixed name and time; return its folder."""
    folder = min(file.parent for file in out.glob("*/run.json"))
    settled = folder.with_name(_RUN_TIME.sub(WHEN, folder.name))
    folder = folder.rename(settled)
    info = json.loads((folder / "run.json").read_text(encoding="utf-8"))
    info |= {"id": folder.name, "created": "2026-12-01T18:00:00Z"}
    (folder / "run.json").write_text(json.dumps(info), encoding="utf-8")
    return folder


@contextmanager
def served(out: Path) -> Generator[str]:
    """Serve the page of a folder of runs, and give its address."""
    import uvicorn

    from concilio.view.app import make_app
    from concilio.view.serve import bind

    listening = bind("127.0.0.1", 0)
    server = uvicorn.Server(uvicorn.Config(make_app(out), log_level="error", lifespan="off", ws="none"))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
    thread.start()
    try:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
    finally:
        server.should_exit = server.force_exit = True
        thread.join()
        listening.close()


def photograph(out: Path, shots: Sequence[Shot], language: str) -> Iterator[tuple[str, bytes]]:
    """Give the name and the PNG of each page; none where there is no chromium."""
    from playwright.sync_api import sync_playwright

    chromium = shutil.which("chromium")
    if chromium is None:
        print("no chromium: the pages are left as they are", file=sys.stderr)  # noqa: T201
        return
    with served(out) as address, sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        for shot in shots:
            page = browser.new_page(
                base_url=address,
                viewport={"width": shot.width, "height": shot.height},
                locale=language,
                color_scheme="dark" if shot.dark else "light",
            )
            page.goto(shot.path)
            if shot.middle:
                page.locator(shot.middle).first.evaluate(_TO_THE_MIDDLE)
            yield f"{shot.name}.{language}.png", page.screenshot(animations="disabled")
            page.close()
        browser.close()


def keep(name: str, picture: bytes) -> None:
    """Write a picture.

    Raises:
        ValueError: it is larger than a README should load.
    """
    if len(picture) > LARGEST:
        raise ValueError(f"{name}: {len(picture)} bytes")
    PICTURES.mkdir(exist_ok=True)
    (PICTURES / name).write_bytes(picture)
    print(f"{name}: {len(picture):,} bytes")  # noqa: T201


def make(language: str) -> None:
    """Make the pictures of one language."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        taken = session(language, folder)
        commands = [*taken["init"], taken["run"][0], *taken["check"]]
        keep(f"recording.{language}.svg", recording(commands).encode("utf-8"))
        keep(f"playtest.{language}.svg", terminal(taken["playtest"]).encode("utf-8"))
        run = settle(folder / "outputs")
        chapter = f"/runs/{run.name}/chapters/1"
        shots = (
            Shot("chapter", chapter, 1200, 860),
            Shot("changes", chapter, 1200, 760, dark=True, middle="details.change dd ins"),
            Shot("phone", chapter, 390, 760, middle="#scene-1"),
        )
        for file, picture in photograph(folder / "outputs", shots, language):
            keep(file, picture)


if __name__ == "__main__":
    for one in LANGUAGES:
        make(one)
