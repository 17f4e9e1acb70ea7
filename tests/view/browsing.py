"""A real browser for tests, and pages of ours served to it."""

import shutil
import threading
from collections.abc import Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import uvicorn

from concilio.view.serve import bind

if TYPE_CHECKING:
    from playwright.sync_api import Browser

CHROMIUM = shutil.which("chromium")
"""Debian's chromium; None where it is not installed."""
WITHOUT = "chromium is not installed"


@contextmanager
def launched() -> "Generator[Browser]":
    """Give a browser, driven by Playwright."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


@contextmanager
def served(app: Any) -> Generator[str]:
    """Serve an application on this machine, and give its address."""
    listening = bind("127.0.0.1", 0)
    server = uvicorn.Server(uvicorn.Config(app, log_level="error", lifespan="off", ws="none"))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
    thread.start()
    yield f"http://127.0.0.1:{listening.getsockname()[1]}"
    server.should_exit = True
    server.force_exit = True
    thread.join()
    listening.close()
