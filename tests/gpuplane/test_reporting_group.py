"""What becomes of errors."""

import pytest
import typer
from typer.testing import CliRunner

from charts_py.cluster_file.fault import Fault, Mark, Problem, SpecError
from charts_py.platform.render_error import RenderError
from gpuplane.reporting_group import ReportingGroup
from gpuplane.versions.dist_error import DistError
from gpuplane.versions.git import GitError
from upstream.error import UpstreamError

FAULTS = [
    Fault(Mark("b.yaml", 2), Problem(("version",), "missing")),
    Fault(Mark("a.yaml", 1), Problem((), "invalid YAML")),
]

NOT_INSTALLED = (
    "gpuplane fail: needs the Python package semver; "
    "to install it: pip install 'SOURCE[render]', "
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
        (
            ModuleNotFoundError(name="semver"),
            3,
            NOT_INSTALLED,
        ),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, Exception) else "",
)
def test_an_expected_error_is_a_message_and_a_code(
    error: Exception, code: int, message: str
) -> None:
    def fail() -> None:
        raise error

    application = typer.Typer(cls=ReportingGroup)
    application.command("fail")(fail)
    application.callback()(lambda: None)
    result = CliRunner().invoke(application, ["fail"])
    assert (result.exit_code, result.stdout, result.stderr) == (code, "", message)
