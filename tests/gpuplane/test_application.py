import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from charts_py.cluster_file.fault import Fault, Mark, Problem, RenderError, SpecError
from gpuplane.application import COMMANDS, create_application
from gpuplane.errors import EXIT_CODES
from gpuplane.near_words import COMMANDS_OF_OTHERS
from gpuplane.versions.git import GitError
from gpuplane.versions.tree import DistError
from upstream.lock import UpstreamError


def _contexts(command: Any, name: str, parent: Any = None) -> Iterator[Any]:
    context = typer.Context(command, info_name=name, parent=parent)
    yield context
    for inner, each in getattr(command, "commands", {}).items():
        yield from _contexts(each, inner, context)


CONTEXTS = tuple(_contexts(typer.main.get_command(create_application()), "gpuplane"))
PATHS = [each.command_path for each in CONTEXTS]


@pytest.mark.parametrize("context", CONTEXTS, ids=PATHS)
def test_the_help_of_a_command_fits_on_a_screen(context: Any) -> None:
    lines = context.get_help().splitlines()
    assert (len(lines) <= 40, [line for line in lines if len(line) > 80]) == (True, [])


@pytest.mark.parametrize("context", CONTEXTS, ids=PATHS)
def test_examples_stand_below_the_summary(context: Any) -> None:
    if not hasattr(context.command, "commands"):
        _, _, below = context.command.help.partition("\n\n")
        assert below.startswith("```console\n")
        assert context.command_path in below.partition("```\n")[0]


def test_exit_codes_stand_on_a_page_of_their_own() -> None:
    with_codes = [each.command_path for each in CONTEXTS if "Exit codes" in each.get_help()]
    said = CliRunner().invoke(create_application(), ["help", "exit-codes"]).stdout
    assert (with_codes, said) == ([], f"{EXIT_CODES.replace('`', '')}\n")


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ("synht", "no command is called synht; try gpuplane synth"),
        ("template", "no command is called template; try gpuplane synth"),
        ("nothing-like-it", "no command is called nothing-like-it; gpuplane help lists all"),
        ("help templat", "no command is called templat; gpuplane help lists all"),
        ("synth --json", "no option is called --json; try -o json"),
        ("--json plan", "no option is called --json; try -o json after the command"),
        (
            "new job train train.py --epochs 3",
            "no option is called --epochs; try -- before PROGRAM, if it is an option of that",
        ),
        ("init", "Invalid value: name a folder, such as gpuplane init gpu-platform"),
        ("synth --quite", "no option is called --quite; try --quiet"),
        ("synth -c training", "no option is called -c; try the argument CLUSTER..."),
        ("admit -f pod.yaml", "no option is called -f; try the argument FILE..."),
        ("new --out job.yaml", "no option is called --out; try --file"),
        ("cost --format json", "no option is called --format; try --output"),
        ("--directry here synth", "no option is called --directry; try --directory"),
        ("synth -C here", "no option is called -C; try it before synth"),
        ("synth --nothing-like-it", "no option is called --nothing-like-it"),
        ("-v", "no option is called -v; try --version"),
        ("bootstrap", "no command is called bootstrap; try gpuplane init"),
        ("queues --output", "--output needs a value behind it"),
        ("-C", "-C needs a value behind it"),
        ("hardware eks foo", "one argument too many: foo; allowed: NAME"),
        ("schema a b", "one argument too many: a b; allowed: options alone"),
        ("docs --port 9", "Invalid value for --port: only --serve listens on a port"),
    ],
)
def test_a_word_that_is_not_known_leads_to_one_that_is(arguments: str, told: str) -> None:
    result = CliRunner().invoke(create_application(), arguments.split())
    assert (result.exit_code, result.stderr.splitlines()[-1]) == (2, f"Error: {told}")


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ("new job a --gpus four", "'--gpus': 'four' is not a number; allowed: a whole number"),
        ("new nccl-test a --expected x", "'--expected': 'x' is not a number; allowed: a number"),
        ("new cluster a --nodes 1.5", "'--nodes': '1.5' is not a number; allowed: a whole number"),
        ("synth -o xml", "'--output' / '-o': 'xml' is unknown; allowed: text, json"),
        ("recommend --gpus 0", "'--gpus': 0 is out of bounds; allowed: a whole number, at least 1"),
        (
            "docs --port 99999",
            "'--port': 99999 is out of bounds; allowed: a whole number, at least 0, at most 65535",
        ),
    ],
)
def test_a_wrong_value_of_an_option_is_told_what_is_allowed(arguments: str, told: str) -> None:
    result = CliRunner().invoke(create_application(), arguments.split())
    assert result.stderr.splitlines()[-1] == f"Error: Invalid value for {told}"


def test_what_is_tried_for_words_of_other_tools_is_there() -> None:
    tried = {meant.partition(",")[0].split()[1] for meant in COMMANDS_OF_OTHERS.values()}
    assert (tried - set(COMMANDS), COMMANDS_OF_OTHERS.keys() & set(COMMANDS)) == (set(), set())


def test_help_of_a_command_has_all_of_its_options_and_prose() -> None:
    said = CliRunner().invoke(create_application(), ["help", "synth"]).stdout
    assert ["--main-branch" in said, "`-o json` prints a `Synthesis`" in said] == [True, True]


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
    "to install it: pip install ./SOURCE, "
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
