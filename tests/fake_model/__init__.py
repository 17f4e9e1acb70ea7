"""A scripted model behind a real OpenAI-compatible server on 127.0.0.1: for the tests, and for users."""

from tests.fake_model.replay import messages_of_chapter, script_from_chapter
from tests.fake_model.script import Script, ScriptError, Step, load_script, parse_script
from tests.fake_model.server import FakeModel

__all__ = [
    "FakeModel",
    "Script",
    "ScriptError",
    "Step",
    "load_script",
    "messages_of_chapter",
    "parse_script",
    "script_from_chapter",
]
