"""The application as a whole."""

import subprocess
import sys
from typing import Any

import pytest
import typer

from gpuplane.application import create_application
from gpuplane.exit_code import EXIT_CODES, ExitCode

COMMANDS = (
    *("synth", "validate", "lint", "diff", "plan", "release", "promote", "prune", "remove"),
    *("report", "images", "cost", "recommend", "priorities", "queues"),
    *("new", "expand", "admit", "rules", "playground", "mcp"),
    *("serve", "cull", "init", "import", "migrate", "hardware", "schema", "version"),
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
