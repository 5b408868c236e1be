"""The README does what it says: its code blocks run, its links lead somewhere.

A block under a comment `<!-- not run: NAME -->` is not run here. In every other bash
block each command must begin with `mt-gym`.
"""

import os
import re
import shlex
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
README = ROOT / "README.md"
BLOCK = re.compile(
    r"^(?:<!-- not run: (?P<name>[\w ]+) -->\n)?"
    r"^```(?P<language>\w*)\n(?P<text>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)
TIMEOUT = 300


@dataclass(frozen=True)
class Block:
    """A fenced code block: `name` is set if it is not run, `line` counts from 1."""

    name: str | None
    language: str
    text: str
    line: int


def code_blocks(markdown: str) -> list[Block]:
    return [
        Block(
            name=match["name"],
            language=match["language"],
            text=match["text"],
            line=markdown.count("\n", 0, match.start("text")),
        )
        for match in BLOCK.finditer(markdown)
    ]


def commands(bash: str) -> list[list[str]]:
    """The commands of a bash block, without comments, long lines joined."""
    lines = bash.replace("\\\n", " ").splitlines()
    words = [shlex.split(line, comments=True) for line in lines]
    return [command for command in words if command]


def run(command: list[str], block: Block, folder: Path) -> None:
    """Run a command of a block in a folder and with this interpreter's scripts."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    done = subprocess.run(
        command,
        cwd=folder,
        env={**os.environ, "PATH": path, "PYTHONWARNINGS": "error"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=TIMEOUT,
    )
    if done.returncode:
        pytest.fail(
            f"README.md, line {block.line}: exit code {done.returncode} from\n\n"
            f"{block.text}\n{done.stdout}",
            pytrace=False,
        )


BLOCKS = code_blocks(README.read_text(encoding="utf-8"))
RUN = [block for block in BLOCKS if block.name is None]


def label(block: Block) -> str:
    return f"line {block.line}"


@pytest.mark.parametrize(
    "block", [block for block in RUN if block.language == "python"], ids=label
)
def test_python_block_runs_by_itself(block: Block, tmp_path: Path) -> None:
    script = tmp_path / "example.py"
    script.write_text(block.text, encoding="utf-8")
    folder = tmp_path / "empty"
    folder.mkdir()
    run([sys.executable, str(script)], block, folder)


@pytest.mark.parametrize(
    "block", [block for block in RUN if block.language == "bash"], ids=label
)
def test_bash_block_runs(block: Block, tmp_path: Path) -> None:
    for command in commands(block.text):
        assert command[0] == "mt-gym", (
            f"README.md, line {block.line}: {shlex.join(command)!r} is no mt-gym "
            "command; put <!-- not run: NAME --> above the block"
        )
        run(command, block, tmp_path)


def test_every_block_names_its_language() -> None:
    fences = README.read_text(encoding="utf-8").count("\n```")
    assert len(BLOCKS) * 2 == fences
    assert [block.line for block in BLOCKS if not block.language] == []


def test_contributing_names_the_same_four_commands() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    shared = [block.text for block in code_blocks(text) if block.language == "bash"]
    ours = {block.name: block.text for block in BLOCKS if block.name}
    assert [ours[name] for name in ("install", "check", "test", "bench")] == shared


def test_links_to_files_lead_somewhere() -> None:
    targets = re.findall(r"\]\(([^)#]+)", README.read_text(encoding="utf-8"))
    local = [target for target in targets if "://" not in target]
    assert local
    assert [target for target in local if not (ROOT / target).exists()] == []
