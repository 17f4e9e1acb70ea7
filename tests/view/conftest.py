from pathlib import Path

import pytest
from starlette.testclient import TestClient

from concilio.view.app import make_app

ADDRESS = "http://127.0.0.1:8422"


@pytest.fixture
def out(tmp_path: Path) -> Path:
    """A folder for runs, beside which nothing of ours lies."""
    folder = tmp_path / "outputs"
    folder.mkdir()
    return folder


@pytest.fixture
def client(out: Path) -> TestClient:
    """Who asks from this machine."""
    return TestClient(
        make_app(out), base_url=ADDRESS, headers={"accept-language": "en"}, follow_redirects=False
    )
