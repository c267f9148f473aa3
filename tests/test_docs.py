"""The examples in the documentation do what it says."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from upstream.kubeconform_binary import find_kubeconform

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
LINKING_PAGES = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md"))]
PROMPT = "$ "


@dataclass(frozen=True, slots=True)
class Step:
    """A command of a page and what the page says that it prints."""

    command: str
    printed: str


def _steps(page: Path) -> Iterator[Step]:
    for block in page.read_text(encoding="utf-8").split("```console\n")[1:]:
        for part in f"\n{block.split('```')[0]}".split(f"\n{PROMPT}")[1:]:
            command, _, printed = part.partition("\n")
            yield Step(command, printed.strip())


def _run(command: str, directory: Path) -> str:
    binaries = str(Path(sys.executable).parent)
    done = subprocess.run(
        ["bash", "-c", command],
        cwd=directory,
        env=os.environ | {"PATH": f"{binaries}{os.pathsep}{os.environ['PATH']}", "COLUMNS": "100"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    return "\n".join(line.rstrip() for line in done.stdout.strip().splitlines())


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a copy of the platform repository, as a clone of its main branch."""
    monkeypatch.chdir(tmp_path)
    # Where kubeconform is missing, the first command that validates says that it builds it.
    find_kubeconform()
    for folder in ("clusters", "dist", "examples"):
        shutil.copytree(ROOT / folder, tmp_path / folder)
    identity = "-c user.name=test -c user.email=test@example.com"
    _run(f"git init -q -b main && git add -A && git {identity} commit -q -m Start", tmp_path)
    return tmp_path


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_pages_commands_print_what_it_says(page: Path, repository: Path) -> None:
    steps = list(_steps(page))
    assert [Step(step.command, _run(step.command, repository)) for step in steps] == steps


@pytest.mark.parametrize("page", LINKING_PAGES, ids=lambda page: page.name)
def test_links_of_a_page_lead_somewhere(page: Path) -> None:
    prose = re.sub(r"```.*?```|`[^`\n]*`", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    targets = re.findall(r"\]\(([^)#]+)", prose)
    local = [target for target in targets if not target.startswith(("http://", "https://"))]
    assert [target for target in local if not (page.parent / target).exists()] == []
