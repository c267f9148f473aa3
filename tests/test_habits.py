"""The files by which tools and people treat the repository: they say what holds elsewhere."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
import yaml

from gpuplane.generated_files import generated_files
from tests.e2e.evidence.pages import PAGES

ROOT = Path(__file__).parents[1]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yaml"))
ACTIONS = sorted((ROOT / "actions").glob("*/action.yaml"))
TEMPLATES = ROOT / "gpuplane" / "new_repository" / "templates"
PINNED = r"uses: ([\w./-]+)@([0-9a-f]{40} # v\S+)$"


def _git(*arguments: str, given: str = "") -> list[str]:
    command = ("git", *arguments)
    done = subprocess.run(
        command, cwd=ROOT, input=given, capture_output=True, text=True, check=True
    )
    return done.stdout.splitlines()


def _folded(paths: list[str]) -> set[str]:
    """Return the paths that `.gitattributes` marks as generated."""
    lines = _git("check-attr", "--stdin", "linguist-generated", given="\n".join(paths))
    marked = (line.rpartition(": linguist-generated: ") for line in lines)
    return {path for path, _, value in marked if value == "set"}


@pytest.fixture(scope="module")
def generated() -> list[str]:
    """Return every file that a command of this repository writes."""
    pages = generated_files(ROOT)
    evidence = [page.file.relative_to(ROOT).as_posix() for page in PAGES]
    folders = ("dist", "upstream/schemas", "requirements/*.txt", "gpuplane/new_repository/locks")
    return [*pages, *evidence, "docs/agreement.md", *_git("ls-files", *folders)]


def test_every_generated_file_is_marked_and_no_other(generated: list[str]) -> None:
    assert _folded(_git("ls-files")) == {*generated}


def test_hooks_check_what_lint_does() -> None:
    config = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8"))
    (local,) = config["repos"]
    hooks = [hook["entry"].removeprefix(".venv/bin/") for hook in local["hooks"]]
    recipe = (ROOT / "Makefile").read_text(encoding="utf-8").partition("\nlint:")[2]
    assert hooks == re.findall(r"^\t@\$\(BIN\)/(.*)$", recipe.split("\n\n")[0], re.MULTILINE)


def _pins(workflow: Path) -> set[tuple[str, str]]:
    return set(re.findall(PINNED, workflow.read_text(encoding="utf-8"), re.MULTILINE))


def _users_of_actions() -> list[Path]:
    return [*WORKFLOWS, *ACTIONS, *TEMPLATES.glob("*.yaml")]


def test_an_action_has_one_pin_here_and_in_new_repositories() -> None:
    pins = {pin for file in _users_of_actions() for pin in _pins(file)}
    assert len({action for action, _ in pins}) == len(pins)


@pytest.mark.parametrize("workflow", WORKFLOWS, ids=lambda path: path.stem)
def test_a_workflow_pins_its_actions_and_may_do_nothing_by_default(workflow: Path) -> None:
    text = workflow.read_text(encoding="utf-8")
    pinned = [action for action, _ in re.findall(PINNED, text, re.MULTILINE)]
    assert re.findall(r"uses: (\S+)@", text) == pinned
    assert "\npermissions: {}\n" in text


@pytest.mark.parametrize("action", ACTIONS, ids=lambda path: path.parent.name)
def test_an_action_pins_the_actions_that_it_uses(action: Path) -> None:
    text = action.read_text(encoding="utf-8")
    pinned = [name for name, _ in re.findall(PINNED, text, re.MULTILINE)]
    assert re.findall(r"uses: (\S+)@", text) == pinned
