"""What is offered for pipelines of other repositories runs commands and options that there are."""

import re
from pathlib import Path
from typing import Any

import pytest
import typer
import yaml

from gpuplane.application import create_application

ROOT = Path(__file__).parents[1]
ACTION = ROOT / "actions" / "pull-request" / "action.yaml"
PIPELINE = ROOT / "ci" / "gitlab.yaml"
PROMOTE = ROOT / "gpuplane" / "new_repository" / "templates" / "promote.yaml"
HOOKS = ROOT / ".pre-commit-hooks.yaml"


def _scripts() -> list[str]:
    """Return the lines that action and pipeline run, those that a backslash continues as one."""
    action = yaml.safe_load(ACTION.read_text(encoding="utf-8"))
    _, pipeline = yaml.safe_load_all(PIPELINE.read_text(encoding="utf-8"))
    steps = [step["run"] for step in action["runs"]["steps"] if "run" in step]
    scripts = [*steps, *(line for job in pipeline.values() for line in job["script"])]
    workflow = yaml.safe_load(PROMOTE.read_text(encoding="utf-8"))
    ran = workflow["jobs"]["promote"]["steps"]
    scripts += [step["run"] for step in ran if "run" in step]
    return [line.strip() for script in scripts for line in script.splitlines()]


def _commands() -> list[tuple[str, ...]]:
    found = [
        re.search(r'(?:"\$GPUPLANE"|\.venv/bin/gpuplane) (\w+)(.*)', line) for line in _scripts()
    ]
    ran = [(match[1], *re.findall(r"--[a-z-]+", match[2])) for match in found if match]
    hooks = yaml.safe_load(HOOKS.read_text(encoding="utf-8"))
    return sorted({*ran, *(tuple(hook["args"]) for hook in hooks)})


def test_pipelines_lint_check_validate_promote_plan_and_report() -> None:
    assert {command for command, *_ in _commands()} == {
        "lint",
        "plan",
        "promote",
        "report",
        "synth",
        "validate",
    }


@pytest.mark.parametrize("command", _commands(), ids=" ".join)
def test_a_command_and_its_options_exist(command: tuple[str, ...]) -> None:
    application: Any = typer.main.get_command(create_application())
    name, *options = command
    known = [each for one in application.commands[name].params for each in one.opts]
    assert [option for option in options if option not in known] == []


def test_an_input_of_the_workflow_is_one_of_the_action() -> None:
    workflow = yaml.safe_load((ROOT / ".github/workflows/platform.yaml").read_text("utf-8"))
    (step,) = [
        each
        for each in workflow["jobs"]["platform"]["steps"]
        if each["uses"] == "$/actions/pull-request"
    ]
    inputs = yaml.safe_load(ACTION.read_text(encoding="utf-8"))["inputs"]
    assert step["with"].keys() <= inputs.keys()
    # `on` is a boolean in YAML 1.1.
    assert {*step["with"], "python"} == workflow[True]["workflow_call"]["inputs"].keys()


def test_pipelines_name_branches_in_full() -> None:
    """A tag may be called `origin/main`, too, by whoever may push one."""
    text = "".join(each.read_text("utf-8") for each in (ACTION, PIPELINE, PROMOTE))
    places = re.findall(r"(\S*)origin/[${]", text)
    assert len(places) == 6
    assert {place.removeprefix("format(").strip("'\"") for place in places} == {"refs/remotes/"}


def test_a_token_that_may_push_is_read_on_the_main_branch_alone() -> None:
    _, pipeline = yaml.safe_load_all(PIPELINE.read_text(encoding="utf-8"))
    reading = {name: job["rules"] for name, job in pipeline.items() if "GPUPLANE_TOKEN" in str(job)}
    rule = '$CI_PIPELINE_SOURCE == "schedule" && $CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH'
    assert reading == {"$[[ inputs.job ]]-promote": [{"if": rule}]}


def test_an_image_is_signed_on_the_main_branch_alone() -> None:
    workflow = yaml.safe_load(PROMOTE.with_name("webhook-image.yaml").read_text(encoding="utf-8"))
    condition = "github.ref_name == github.event.repository.default_branch"
    assert workflow["jobs"]["image"]["if"] == condition
