"""One distribution, one import name, rooms that know only those below them."""

import ast
import importlib.util
import json
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
TESTS = ROOT / "tests"
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
SETUPTOOLS = PYPROJECT["tool"]["setuptools"]
FOLDERS = {
    package: ROOT / folder for package, folder in SETUPTOOLS["package-dir"].items()
}
LINKED = {package: path for package, path in FOLDERS.items() if "." in package}

# A room imports only from earlier lines and from itself; rooms on one line may
# import each other.
LAYERS = [
    {"floors", "errors"},
    {"engine"},
    {"analysis"},
    {"play"},
    {"solver"},
    {"generator"},
    {"observation"},
    {"envs"},
    {"wrappers"},
    {"agents"},
    {"bench"},
    {"versus"},
    {"cli", "lab", "testing", "__main__"},
]
RANK = {room: rank for rank, rooms in enumerate(LAYERS) for room in rooms}
FACE = "mt_gym"  # mt_gym/__init__.py: gathers the public names and registers
RANK[FACE] = len(LAYERS) - 1
ABOUT_THE_GAME = {"engine", "analysis", "play", "solver", "generator"}

# Heavy, optional, or of use to the command line alone: imported on first use.
LATE = {
    "httpx",
    "httpx2",
    "matplotlib",
    "numba",
    "openai",
    "pettingzoo",
    "PIL",
    "pydantic",
    "pygame",
    "rich",
    "sb3_contrib",
    "scipy",
    "stable_baselines3",
    "starlette",
    "tenacity",
    "tensorboard",
    "torch",
    "typer",
    "uvicorn",
}


def modules() -> Iterator[tuple[str, Path]]:
    """Every module by its dotted name, rooms at the top under their real folder."""
    for package, folder in FOLDERS.items():
        for path in sorted(folder.rglob("*.py")):
            parts = path.relative_to(folder).with_suffix("").parts
            name = ".".join((package, *parts)).removesuffix(".__init__")
            if package != FACE or not name.startswith(tuple(LINKED)):
                yield name, path


MODULES = dict(modules())


def room_of(module: str) -> str:
    """The room of a dotted name: `mt_gym.engine.rules` is in `engine`."""
    parts = module.split(".")
    return parts[1] if len(parts) > 1 else FACE


def imports(source: str) -> Iterator[tuple[int, str]]:
    """Line and dotted name of everything a source imports, wherever it does."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"line {node.lineno}: relative import"
            for alias in node.names:
                yield node.lineno, f"{node.module}.{alias.name}"


def target_room(name: str) -> str | None:
    """The room that an imported name belongs to; None outside the package."""
    parts = name.split(".")
    if parts[0] != FACE:
        return None
    if len(parts) > 1 and parts[1] in RANK:
        return parts[1]
    return FACE


def upward_imports(module: str, source: str) -> list[str]:
    """The imports of a module that its room is not allowed."""
    room = room_of(module)
    if room == FACE:
        return []
    return [
        f"{module}, line {line}: {room} imports {name}"
        for line, name in imports(source)
        if (target := target_room(name)) is not None
        and target != room
        and RANK[target] >= RANK[room]
        and not RANK[target] == RANK[room] == RANK[FACE]
    ]


def test_package_list_equals_the_folders() -> None:
    packages = [name for name, path in MODULES.items() if path.name == "__init__.py"]
    assert sorted(SETUPTOOLS["packages"]) == sorted(packages)


@pytest.mark.parametrize("package", LINKED)
def test_room_at_the_top_is_linked_relatively(package: str) -> None:
    link = ROOT / package.replace(".", "/")
    if not link.is_symlink():
        pytest.skip("this checkout has no symbolic links")
    assert link.readlink() == Path("..") / LINKED[package].name
    assert link.resolve() == LINKED[package]


def test_every_module_has_a_room() -> None:
    assert [name for name in MODULES if room_of(name) not in RANK] == []


def test_rooms_import_only_from_rooms_above_them() -> None:
    found = [
        line
        for module, path in MODULES.items()
        for line in upward_imports(module, path.read_text(encoding="utf-8"))
    ]
    assert found == []


@pytest.mark.parametrize(
    ("module", "source", "allowed"),
    [
        ("mt_gym.play.settle", "from mt_gym.engine.state import State", True),
        ("mt_gym.play.settle", "from mt_gym.play import heuristic", True),
        ("mt_gym.engine.tower", "from mt_gym import floors", True),
        ("mt_gym.engine.tower", "import mt_gym.play.settle", False),
        ("mt_gym.engine.tower", "def f():\n    from mt_gym import play", False),
        ("mt_gym.agents.person", "from mt_gym import load", False),
        ("mt_gym.agents.person", "import mt_gym", False),
        ("mt_gym.floors", "from mt_gym.errors import MapError", False),
        ("mt_gym.cli", "import mt_gym", True),
        ("mt_gym.cli", "from mt_gym.testing import check_tower", True),
        ("mt_gym", "from mt_gym.bench import run", True),
    ],
)
def test_layer_check_sees(module: str, source: str, allowed: bool) -> None:
    assert (upward_imports(module, source) == []) is allowed


def test_the_game_knows_no_gymnasium() -> None:
    found = [
        f"{module}, line {line}"
        for module, path in MODULES.items()
        if room_of(module) in ABOUT_THE_GAME
        for line, name in imports(path.read_text(encoding="utf-8"))
        if name.split(".")[0] == "gymnasium"
    ]
    assert found == []


def test_importing_mt_gym_imports_nothing_heavy() -> None:
    code = "import json, sys, mt_gym; print(json.dumps(sorted(sys.modules)))"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    loaded = {name.split(".")[0] for name in json.loads(done.stdout)}
    assert loaded & LATE == set()


def test_citation_states_the_version() -> None:
    text = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    stated = re.findall(r"^version: (\S+)$", text, re.MULTILINE)
    assert stated == [PYPROJECT["project"]["version"]]


def test_continuous_integration_installs_every_extra_that_a_test_needs() -> None:
    texts = [path.read_text(encoding="utf-8") for path in TESTS.rglob("*.py")]
    needed = {name for text in texts for name in re.findall(r"the extra (\w+)", text)}
    (installed,) = re.findall(
        r"^EXTRAS=(\S+)$", (ROOT / ".ci" / "run").read_text(encoding="utf-8"), re.M
    )
    assert needed <= set(installed.split(","))
    assert needed <= set(PYPROJECT["project"]["optional-dependencies"])


WITHOUT_EXTRAS = """
import sys

from importlib.machinery import PathFinder

class Finder:
    invalidate_caches = PathFinder.invalidate_caches

    def find_spec(name, path=None, target=None):
        if name.split(".")[0] not in {missing!r}:
            return PathFinder.find_spec(name, path, target)

sys.meta_path[:] = [Finder if f is PathFinder else f for f in sys.meta_path]
import pytest

sys.exit(pytest.main(["--collect-only", "-q", "-p", "no:cacheprovider", "tests"]))
"""


@pytest.mark.slow
def test_without_the_extras_every_test_module_is_collected_or_skips() -> None:
    """So the tests pass after the README's install, which asks for `dev` alone."""
    missing = LATE - {"numba", "rich", "typer", "pydantic", "PIL", "scipy"}
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_EXTRAS.format(missing=missing)],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout[-3000:]
    assert "needs the extra llm" in done.stdout


@pytest.mark.slow
@pytest.mark.parametrize("links", [True, False], ids=["links", "no links"])
def test_wheel_holds_the_whole_package_and_nothing_else(
    links: bool, tmp_path: Path
) -> None:
    if importlib.util.find_spec("build") is None:
        pytest.skip("needs the package build")
    tree = tmp_path / "tree"
    tree.mkdir()
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, tree)
    skip = shutil.ignore_patterns("__pycache__")
    for folder in FOLDERS.values():
        shutil.copytree(folder, tree / folder.name, symlinks=True, ignore=skip)
    if not links:
        for package, folder in LINKED.items():
            link = tree / package.replace(".", "/")
            link.unlink()
            link.write_text(f"../{folder.name}")  # as git does without links

    command = ["-m", "build", "--wheel", "--no-isolation", "--outdir", str(tmp_path)]
    done = subprocess.run(
        [sys.executable, *command, str(tree)], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr

    (wheel,) = tmp_path.glob("*.whl")
    held = set(zipfile.ZipFile(wheel).namelist())
    info = f"mt_gym-{PYPROJECT['project']['version']}.dist-info/"
    assert f"{info}licenses/LICENSE" in held
    assert {name for name in held if not name.startswith(info)} == {
        "mt_gym/py.typed",
        *(module_file(name, path) for name, path in MODULES.items()),
        *(
            f"{package.replace('.', '/')}/{path.relative_to(folder).as_posix()}"
            for package, folder in LINKED.items()
            for pattern in ("*.toml", "*.md", "*.npz", "weights/*.json")
            for path in folder.rglob(pattern)
        ),
    }


def module_file(name: str, path: Path) -> str:
    """Where a module lies in the wheel."""
    package = path.name == "__init__.py"
    return name.replace(".", "/") + ("/__init__.py" if package else ".py")
