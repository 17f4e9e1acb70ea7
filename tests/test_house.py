"""How the house is built: who may import whom, what stays light, how large things may grow."""

import ast
import functools
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from concilio.catalogue import LANGUAGES, TEXTS
from concilio.cli.main import COMMANDS

ROOT = Path(__file__).parents[1]
PACKAGES = ("concilio", "agents", "graphs", "rules", "prompts")
LONGEST_FUNCTION = 60
"""Lines, decorators and docstring included."""
LONGEST_FILE = 500
MEDIAN_FUNCTION = 11

LAYERS = {
    "rules": 0,
    "concilio": 1,
    "agents": 2,
    "prompts": 2,
    "graphs": 3,
    "leaves": 4,
}
"""A module imports only from its own layer or from below; rules imports nothing of ours at all."""
LEAVES = (
    "concilio.cli",
    "concilio.batch",
    "concilio.fleet",
    "concilio.view",
    "concilio.export",
    "concilio.mcp",
    "concilio.starting",
    "concilio.promises",
    "concilio.__main__",
)
AUTHOR = "agents.embedded"
"""The author that needs no model is reached by the gateway's registry alone."""


def sources() -> list[Path]:
    return sorted(f for package in PACKAGES for f in (ROOT / package).rglob("*.py"))


@functools.cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def module_name(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def is_leaf(module: str) -> bool:
    return any(module == leaf or module.startswith(leaf + ".") for leaf in LEAVES)


def layer(module: str) -> int:
    return LAYERS["leaves"] if is_leaf(module) else LAYERS[module.partition(".")[0]]


def imported(node: ast.Module) -> Iterator[tuple[str, int]]:
    """Every module of ours that is imported, also inside functions and for types only, with its line."""
    for found in (n for n in ast.walk(node) if isinstance(n, ast.Import | ast.ImportFrom)):
        if isinstance(found, ast.Import):
            names = [alias.name for alias in found.names]
        else:
            assert found.level == 0, "imports are absolute"
            names = [found.module or ""]
            names += [f"{found.module}.{alias.name}" for alias in found.names]
        yield from ((n, found.lineno) for n in names if n.partition(".")[0] in PACKAGES)


def test_imports_go_one_way() -> None:
    """leaves -> graphs -> agents -> concilio's domain and gateway -> rules."""
    wrong = [
        f"{module_name(path)}:{line} imports {name}"
        for path in sources()
        for name, line in imported(tree(path))
        if layer(name) > layer(module_name(path))
    ]
    assert wrong == []


def test_rules_imports_only_libraries_and_itself() -> None:
    wrong = [
        f"{module_name(path)}:{line} imports {name}"
        for path in sources()
        if path.is_relative_to(ROOT / "rules")
        for name, line in imported(tree(path))
        if not name.startswith("rules")
    ]
    assert wrong == []


def test_nobody_imports_the_leaves() -> None:
    wrong = [
        f"{module_name(path)}:{line} imports {name}"
        for path in sources()
        if not is_leaf(module_name(path))
        for name, line in imported(tree(path))
        if is_leaf(name)
    ]
    assert wrong == []


def functions(node: ast.Module) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    return (n for n in ast.walk(node) if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef))


def length(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    first = min([node.lineno, *(d.lineno for d in node.decorator_list)])
    return (node.end_lineno or first) - first + 1


def test_functions_and_files_are_small() -> None:
    long_functions = [
        f"{path.relative_to(ROOT)}:{node.lineno} {node.name}: {length(node)} lines"
        for path in sources()
        for node in functions(tree(path))
        if length(node) > LONGEST_FUNCTION
    ]
    long_files = [
        f"{path.relative_to(ROOT)}: {lines} lines"
        for path in sources()
        if (lines := len(path.read_text(encoding="utf-8").splitlines())) >= LONGEST_FILE
    ]
    assert long_functions + long_files == []


def test_the_median_function_is_short() -> None:
    lengths = sorted(length(node) for path in sources() for node in functions(tree(path)))
    assert lengths[len(lengths) // 2] <= MEDIAN_FUNCTION


Named = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


def public_without_docstring(body: list[ast.stmt], within: str) -> Iterator[str]:
    """Methods of a Protocol's or a base's are told where they are declared; `@override` says that."""
    for child in (c for c in body if isinstance(c, Named) and not c.name.startswith("_")):
        told_elsewhere = any(ast.unparse(d) in ("overload", "override") for d in child.decorator_list)
        if ast.get_docstring(child) is None and not told_elsewhere:
            yield f"{within}.{child.name}"
        if isinstance(child, ast.ClassDef):
            yield from public_without_docstring(child.body, f"{within}.{child.name}")


def test_every_public_name_has_a_docstring() -> None:
    modules = [module_name(path) for path in sources() if ast.get_docstring(tree(path)) is None]
    names = [n for path in sources() for n in public_without_docstring(tree(path).body, module_name(path))]
    assert modules + names == []


def is_a_language(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value in LANGUAGES


def compares_a_language(node: ast.AST) -> bool:
    """Tell whether a node compares a language with "es" or "en" (`en` is a Spanish word, too)."""
    if isinstance(node, ast.Compare):
        equal = any(isinstance(operator, ast.Eq | ast.NotEq) for operator in node.ops)
        sides = (node.left, *node.comparators)
        return equal and "lang" in ast.unparse(node).lower() and any(map(is_a_language, sides))
    if isinstance(node, ast.Match):
        values = (c.pattern.value for c in node.cases if isinstance(c.pattern, ast.MatchValue))
        return any(map(is_a_language, values))
    return False


def test_no_code_decides_by_the_name_of_a_language() -> None:
    wrong = [
        f"{path.relative_to(ROOT)}:{getattr(node, 'lineno', 0)}"
        for path in sources()
        for node in ast.walk(tree(path))
        if compares_a_language(node)
    ]
    assert wrong == []


HEAVY = ("litellm", "langgraph", "langchain_core", "openai", "numpy")
LIGHT_COMMANDS = [["--help"], ["--version"], ["check", "{file}"], ["rules", "list"], ["doctor"], ["chek"]]


@pytest.mark.parametrize("arguments", LIGHT_COMMANDS, ids=" ".join)
def test_light_commands_load_no_heavy_module(arguments: list[str], tmp_path: Path) -> None:
    """They cost seconds: `litellm` alone 4 to 7."""
    file = tmp_path / "text.md"
    file.write_text("Una tarde de lluvia en el puerto.\n", encoding="utf-8")
    if arguments[0] in COMMANDS and not (ROOT / "concilio" / "cli" / f"{arguments[0]}.py").is_file():
        pytest.skip(f"there is no command {arguments[0]} yet")
    code = (
        "import sys\n"
        "from concilio.cli.main import run_command_line\n"
        "run_command_line(sys.argv[1:])\n"
        f"print('LOADED', [n for n in {HEAVY!r} if n in sys.modules])"
    )
    argv = [argument.replace("{file}", str(file)) for argument in arguments]
    ran = subprocess.run(
        [sys.executable, "-c", code, *argv], capture_output=True, text=True, check=True, cwd=ROOT
    )
    assert ran.stdout.splitlines()[-1] == "LOADED []"


def test_help_loads_only_what_it_shows() -> None:
    code = (
        "import sys\n"
        "from concilio.__main__ import main\n"
        "sys.argv = ['concilio', '--help']\n"
        "main()\n"
        "print('LOADED', [n for n in ('click', 'pydantic', 'yaml', 'rich', 'inspect') if n in sys.modules])"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert ran.stdout.splitlines()[-1] == "LOADED []"


@pytest.mark.parametrize("package", PACKAGES)
def test_top_level_names_are_ours(package: str, tmp_path: Path) -> None:
    """`agents` is also what another distribution installs: ours must win in its own environment."""
    code = f"import {package}; print({package}.__file__)"
    ran = subprocess.run(
        [sys.executable, "-I", "-c", code], capture_output=True, text=True, check=True, cwd=tmp_path
    )
    assert Path(ran.stdout.strip()).parent == ROOT / package


def catalogues(language: str) -> dict[str, dict[str, Any]]:
    return {f.stem: tomllib.loads(f.read_text("utf-8")) for f in (TEXTS / language).glob("*.toml")}


def keys(table: dict[str, Any], within: str = "") -> Iterator[str]:
    for name, value in table.items():
        if isinstance(value, dict):
            yield from keys(value, f"{within}{name}.")  # pyright: ignore[reportUnknownArgumentType]
        else:
            yield within + name


PLACE = re.compile(r"\{([a-z_]+)[}:!]")


def places(table: dict[str, Any], within: str = "") -> dict[str, list[str]]:
    """The slots of each text: a translation that lacks one would lose a figure."""
    found: dict[str, list[str]] = {}
    for name, value in table.items():
        if isinstance(value, dict):
            found |= places(value, f"{within}{name}.")  # pyright: ignore[reportUnknownArgumentType]
        elif isinstance(value, str):
            found[within + name] = sorted(set(PLACE.findall(value)))
    return found


def test_both_languages_have_the_same_words() -> None:
    """A key that one language lacks is a crash for its speakers."""
    spanish, english = catalogues("es"), catalogues("en")
    assert spanish.keys() == english.keys()
    for area in spanish:
        assert sorted(keys(spanish[area])) == sorted(keys(english[area])), area
        assert places(spanish[area]) == places(english[area]), area


def said_keys() -> Iterator[tuple[Path, str]]:
    """Every literal first argument of `say`."""
    calls = ((p, n) for p in sources() for n in ast.walk(tree(p)) if isinstance(n, ast.Call))
    for path, call in calls:
        if isinstance(call.func, ast.Name) and call.func.id == "say" and call.args:
            key = call.args[0]
            if isinstance(key, ast.Constant):
                yield path, str(key.value)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_text_that_is_said_exists(language: str) -> None:
    texts = catalogues(language)
    known = {f"{area}.{key}" for area, table in texts.items() for key in keys(table)}
    missing = {f"{path.relative_to(ROOT)}: {key}" for path, key in said_keys() if key not in known}
    assert missing == set()
