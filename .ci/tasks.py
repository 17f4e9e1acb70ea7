"""What `make` needs before anything is installed: the environment, and the list of targets.

Standard library only. The environment is made anew when the lock, the project file, the folder or, if one
was asked for, the Python changed; otherwise this ends at once.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
PY = VENV / "bin" / "python"
STAMP = VENV / ".concilio-setup"
LOCK = ROOT / "requirements.lock"
OLDEST, NEWEST = (3, 11), (3, 13)
PACKAGES = ("concilio", "agents", "graphs", "rules", "prompts")


def show_help() -> None:
    """Print the targets of the Makefile with what they do."""
    for line in (ROOT / "Makefile").read_text(encoding="utf-8").splitlines():
        target, mark, meaning = line.partition("  ## ")
        if mark and ":" in target:
            print(f"  make {target.partition(':')[0]:<14}{meaning}")


def wanted_stamp() -> str:
    """Return what the environment must have been made from."""
    digest = hashlib.sha256()
    for file in (LOCK, ROOT / "pyproject.toml"):
        digest.update(file.read_bytes())
    return f"{digest.hexdigest()} {VENV}"


def version_of(python: Path) -> str:
    """Return `3.12` of an interpreter, or an empty text where it does not run."""
    code = "import sys; print('%d.%d' % sys.version_info[:2])"
    try:
        ran = subprocess.run([python, "-c", code], capture_output=True, text=True, check=False)
    except OSError:
        return ""
    return ran.stdout.strip()


def is_ready(this_python: bool) -> bool:
    """Tell whether the environment stands as it should."""
    if not STAMP.is_file() or STAMP.read_text(encoding="utf-8") != wanted_stamp():
        return False
    here = "{}.{}".format(*sys.version_info[:2])
    return version_of(PY) == here if this_python else bool(version_of(PY))


def pip(*arguments: str) -> None:
    """Run the environment's pip."""
    subprocess.run([PY, "-m", "pip", "--disable-pip-version-check", "-qq", *arguments], cwd=ROOT, check=True)


def make_environment() -> None:
    """Make `.venv` with the locked versions and this project in place."""
    here = "{}.{}".format(*sys.version_info[:2])
    print(f"Setting up .venv with Python {here}; the first time takes a few minutes.", flush=True)
    STAMP.unlink(missing_ok=True)
    clear = ["--clear"] if VENV.exists() and version_of(PY) != here else []
    subprocess.run([sys.executable, "-m", "venv", *clear, VENV], check=True)
    # The lock is complete: without its resolver, pip is done in half the time.
    pip("install", "--no-deps", "--require-hashes", "-r", str(LOCK))
    pip("install", "--no-deps", "--no-build-isolation", "-e", ".")
    # Where PYTHONDONTWRITEBYTECODE is set, every start would compile our modules again.
    subprocess.run([PY, "-m", "compileall", "-q", *PACKAGES], cwd=ROOT, check=False)
    STAMP.write_text(wanted_stamp(), encoding="utf-8")


def setup(this_python: bool) -> int:
    """Make the environment if it does not stand; return an exit status."""
    if is_ready(this_python):
        return 0
    if not OLDEST <= sys.version_info[:2] <= NEWEST:
        need = "Python {}.{} to {}.{} is needed".format(*OLDEST, *NEWEST)
        print(f"{need}; this is {sys.version.split()[0]} ({sys.executable}).", file=sys.stderr)
        print("Name another one:  make setup PYTHON=/path/to/python3.12", file=sys.stderr)
        return 2
    try:
        make_environment()
    except (subprocess.CalledProcessError, OSError) as error:
        print(f"The environment could not be made: {error}", file=sys.stderr)
        print("Remove the folder .venv and try again; the network is needed once.", file=sys.stderr)
        return 1
    return 0


def main(arguments: list[str]) -> int:
    """Run one task."""
    os.environ.pop("PYTHONHOME", None)
    if arguments[:1] == ["setup"]:
        return setup("--this-python" in arguments)
    show_help()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
