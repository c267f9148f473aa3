"""`gpuplane new`."""

import shutil
from pathlib import Path

import pytest

from charts_py.objects.manifest_yaml import from_yaml
from tests.gpuplane.conftest import Run

CLUSTERS = Path(__file__).parents[3] / "clusters"
JOB = (
    *("new", "job", "demo", "--cluster", "training", "--team", "research"),
    *("--image", "registry.example.com/train:1"),
)


@pytest.fixture(autouse=True)
def repository(tmp_path: Path) -> Path:
    shutil.copytree(CLUSTERS, tmp_path / "clusters")
    return tmp_path


def test_the_manifest_is_printed(in_repository: Run) -> None:
    result = in_repository(*JOB, "--", "train.py", "--lr", "0.1")
    assert (result.exit_code, result.stderr) == (0, "")
    claim, job = from_yaml(result.stdout)
    assert (claim["kind"], job["kind"]) == ("PersistentVolumeClaim", "Job")
    (container,) = job["spec"]["template"]["spec"]["containers"]
    assert container["command"] == ["python", "train.py", "--lr", "0.1"]


def test_reasons_are_told_in_its_place(in_repository: Run) -> None:
    result = in_repository(*JOB, "--explain")
    assert (result.exit_code, result.stderr) == (0, "")
    assert "Job: spec.backoffLimit: fails for good after as many attempts\n" in result.stdout


def test_a_file_is_not_written_over_unless_it_is_asked_for(
    in_repository: Run, repository: Path
) -> None:
    file = repository / "job.yaml"
    assert in_repository(*JOB, "-o", file).exit_code == 0
    written = file.read_text(encoding="utf-8")
    file.write_text("mine", encoding="utf-8")
    refused = in_repository(*JOB, "-o", file)
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert refused.stderr == f"{file}: there already; allowed: another file, or --overwrite\n"
    assert in_repository(*JOB, "-o", file, "--overwrite").stdout == ""
    assert file.read_text(encoding="utf-8") == written


def test_what_the_rules_warn_of_is_noted(in_repository: Run) -> None:
    shared = ("--cluster", "inference", "--team", "assistants", "--pool", "l4-shared")
    image = ("--image", "registry.example.com/train:1")
    result = in_repository("new", "pod", "demo", *shared, *image)
    assert result.exit_code == 0
    assert result.stderr.startswith("note: Pod demo: warned time-sliced-inference: ")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--gpus", "9"), "--gpus: 9 is out of bounds"),
        (("--image", "demo:1"), "which is not from an allowed registry"),
        (("--cluster", "trainin"), "nearest: training"),
    ],
)
def test_what_is_asked_wrongly_is_told(
    arguments: tuple[str, ...], said: str, in_repository: Run
) -> None:
    result = in_repository(*JOB, *arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert said in result.stderr
