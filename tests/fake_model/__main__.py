"""Run the fake model: `python -m tests.fake_model SCRIPT.yaml --port 8765 --latency-ms 200`."""

import argparse
import asyncio
import contextlib
import sys
from pathlib import Path

from tests.fake_model.script import ScriptError, load_script
from tests.fake_model.server import FakeModel


def main() -> int:
    """Serve until interrupted; 2 for a script that cannot be used or a port that is taken."""
    parser = argparse.ArgumentParser(prog="python -m tests.fake_model", description=__doc__)
    parser.add_argument("script", type=Path, help="YAML or JSON file, see tests/fake_model/README.md")
    parser.add_argument("--port", type=int, default=8765)
    parser.add_argument("--latency-ms", type=float, default=None, help="before every answer")
    arguments = parser.parse_args()
    try:
        script = load_script(arguments.script)
        if arguments.latency_ms is not None:
            script = script.model_copy(update={"latency_ms": arguments.latency_ms})
        fake = FakeModel(script, port=arguments.port)

        def ready() -> None:
            print(f"export OPENAI_API_BASE={fake.url} OPENAI_API_KEY=fake", flush=True)

        with contextlib.suppress(KeyboardInterrupt):
            asyncio.run(fake.serve(ready))
    except (ScriptError, OSError) as error:
        print(f"fake model: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
