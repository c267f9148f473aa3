"""The application as a whole."""

import subprocess
import sys
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from charts_py.cluster_file.fault import Fault, Mark, Problem, RenderError, SpecError
from gpuplane.application import create_application
from gpuplane.errors import EXIT_CODES, ExitCode
from gpuplane.versions.git import GitError
from gpuplane.versions.tree import DistError
from upstream.lock import UpstreamError

COMMANDS = (
    "synth",
    "validate",
    "lint",
    "diff",
    "plan",
    "release",
    "promote",
    "prune",
    "remove",
    "report",
    "images",
    "cost",
    "recommend",
    "priorities",
    "queues",
    "new",
    "expand",
    "admit",
    "rules",
    "playground",
    "mcp",
    "serve",
    "cull",
    "init",
    "import",
    "migrate",
    "hardware",
    "schema",
    "docs",
    "version",
    "upstream",
)


def _commands(*group: str) -> dict[str, Any]:
    """Return the commands of the application, or of a group in it."""
    command: Any = typer.main.get_command(create_application())
    for name in group:
        command = command.commands[name]
    commands: dict[str, Any] = command.commands
    return commands


def test_the_help_lists_the_commands_in_the_order_of_their_use() -> None:
    shown = [name for name, command in _commands().items() if not command.hidden]
    assert tuple(shown) == COMMANDS


@pytest.mark.parametrize(
    "path",
    [*((name,) for name in COMMANDS[:21]), ("upstream", "fetch"), ("upstream", "compile")],
    ids=" ".join,
)
def test_the_help_of_a_command_has_examples(path: tuple[str, ...]) -> None:
    assert f"```console\ngpuplane {' '.join(path)}" in _commands(*path[:-1])[path[-1]].help


def test_every_exit_code_is_in_the_help() -> None:
    assert [f"- `{code.value}`: {code.words}" in EXIT_CODES for code in ExitCode] == [True] * 5


def test_help_starts_no_node_and_reads_no_yaml() -> None:
    code = (
        "import sys; from typer.testing import CliRunner;"
        "from gpuplane.application import create_application;"
        "result = CliRunner().invoke(create_application(), ['synth', '--help']);"
        "print(result.exit_code, *sorted({'cdk8s', 'jsii', 'ruamel.yaml'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["0"]


FAULTS = [
    Fault(Mark("b.yaml", 2), Problem(("version",), "missing")),
    Fault(Mark("a.yaml", 1), Problem((), "invalid YAML")),
]
NOT_INSTALLED = (
    "gpuplane version: needs the Python package semver; "
    "to install it: pip install SOURCE, "
    "where SOURCE is the wheel or checkout that gpuplane was installed from\n"
)
MISSING = "a.yaml: No such file or directory\n"


@pytest.mark.parametrize(
    ("error", "code", "message"),
    [
        (SpecError(FAULTS), 2, "a.yaml:1: invalid YAML\nb.yaml:2: version: missing\n"),
        (RenderError("training: twice"), 2, "training: twice\n"),
        (DistError("dist: nothing"), 2, "dist: nothing\n"),
        (FileNotFoundError("clusters: no cluster file"), 2, "clusters: no cluster file\n"),
        (FileExistsError("folder: is not empty"), 2, "folder: is not empty\n"),
        (GitError("dist: git is not on the PATH"), 3, "dist: git is not on the PATH\n"),
        (UpstreamError("no kubeconform"), 3, "no kubeconform\n"),
        (PermissionError("dist: not allowed"), 3, "dist: not allowed\n"),
        (OSError(13, "Permission denied", "dist"), 3, "dist: Permission denied\n"),
        (FileNotFoundError(2, "No such file or directory", "a.yaml"), 2, MISSING),
        (OSError(28, "No space left on device"), 3, "output: No space left on device\n"),
        (ModuleNotFoundError(name="semver"), 3, NOT_INSTALLED),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, Exception) else "",
)
def test_an_expected_error_is_a_message_and_a_code(
    error: Exception, code: int, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail() -> None:
        raise error

    monkeypatch.setattr("gpuplane.commands.version.version", fail)
    result = CliRunner().invoke(create_application(), ["version"])
    assert (result.exit_code, result.stdout, result.stderr) == (code, "", message)
