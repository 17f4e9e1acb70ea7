"""The fake model in a process of its own, so that it does not share our interpreter."""

import json
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Mapping
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent


class FakeServer:
    """A fake model that plays a script. Use it as a context manager."""

    def __init__(self, folder: Path, script: Mapping[str, Any]) -> None:
        self.file = folder / "script.json"
        self.file.write_text(json.dumps(script), encoding="utf-8")
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]

    @property
    def url(self) -> str:
        """Address for clients."""
        return f"http://127.0.0.1:{self.port}/v1"

    def __enter__(self) -> "FakeServer":
        command = [sys.executable, "-m", "tests.fake_model", str(self.file), "--port", str(self.port)]
        self.process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL)
        for _ in range(400):
            try:
                self.get("stats")
            except OSError:
                time.sleep(0.05)
            else:
                return self
        raise RuntimeError("the fake model did not start")

    def __exit__(self, *_: object) -> None:
        self.process.terminate()
        self.process.wait(10)

    def get(self, path: str) -> Any:
        """Return the JSON of one of the server's own pages."""
        with urllib.request.urlopen(f"{self.url}/{path}", timeout=20) as answer:
            return json.load(answer)
