"""`gpuplane new`."""

import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner

from charts_py.objects.manifest_yaml import from_yaml
from gpuplane.application import create_application
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


@pytest.mark.parametrize("more", [(), ("--overwrite",)])
def test_a_folder_is_no_file_to_write(
    in_repository: Run, repository: Path, more: tuple[str, ...]
) -> None:
    refused = in_repository(*JOB, "-o", repository, *more)
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert refused.stderr == f"{repository}: a folder; allowed: a file\n"


def test_a_dash_is_stdout(in_repository: Run, repository: Path) -> None:
    assert in_repository(*JOB, "-o", "-").stdout == in_repository(*JOB).stdout
    assert not (repository / "-").exists()


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
        (("--", "train.py", "\udcff"), 'PROGRAM: "\\udcff" is not UTF-8'),
        (("--cluster", "trainin"), "nearest: training"),
    ],
)
def test_what_is_asked_wrongly_is_told(
    arguments: tuple[str, ...], said: str, in_repository: Run
) -> None:
    result = in_repository(*JOB, *arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert said in result.stderr


def test_the_cluster_is_to_be_named(in_repository: Run) -> None:
    result = in_repository("new", "job", "demo")
    assert result.exit_code == 2
    said = " ".join(result.stderr.replace("│", " ").split())
    assert "--cluster is missing; allowed: inference, mixed, onprem, training" in said


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "KIND is missing; allowed: pod, job, jobset, trainjob, pytorchjob, "),
        (("jobs",), 'unknown kind "jobs"; allowed: pod, job, jobset, trainjob, '),
        (("job",), "NAME is missing; allowed: what the workload is called"),
    ],
)
def test_kind_and_name_are_to_be_named(
    arguments: tuple[str, ...], said: str, in_repository: Run
) -> None:
    result = in_repository("new", *arguments)
    assert result.exit_code == 2
    assert said in " ".join(result.stderr.replace("│", " ").split())


@pytest.fixture
def at_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gpuplane.commands.new._at_terminal", lambda: True)


@pytest.mark.usefixtures("at_terminal")
def test_at_a_terminal_it_asks_for_what_is_missing(repository: Path) -> None:
    answers = "training\nresearch\n\nh100-spot\nfour\n4\n2\nregistry.example.com/train:1\n"
    arguments = ["--directory", str(repository), "new", "job", "demo"]
    result = CliRunner().invoke(create_application(), arguments, input=answers)
    assert result.exit_code == 0
    spec = from_yaml(result.stdout)[-1]["spec"]
    pod = spec["template"]["spec"]
    assert spec["completions"] == 2
    assert pod["nodeSelector"] == {"gpuplane.io/pool": "h100-spot"}
    assert pod["containers"][0]["resources"]["limits"]["nvidia.com/gpu"] == "4"
    assert (
        "  h100       H100-SXM: 8 nvidia.com/gpu a node, efa\n"
        "  h100-spot  H100-SXM: 8 nvidia.com/gpu a node, efa; spot, which can be taken away at any "
        "time\n"
    ) in result.stderr
    assert "four is not a number\n" in result.stderr


@pytest.mark.usefixtures("at_terminal")
def test_at_a_terminal_the_kind_and_the_name_are_asked_for_too(repository: Path) -> None:
    arguments = ["--directory", str(repository), "new", *JOB[3:]]
    result = CliRunner().invoke(create_application(), arguments, input="pod\ntry\n")
    assert result.exit_code == 0
    pod = from_yaml(result.stdout)[-1]
    assert (pod["kind"], pod["metadata"]["name"]) == ("Pod", "try")
    assert "  job         a program that ends; on several nodes, pods that " in result.stderr


@pytest.mark.usefixtures("at_terminal")
def test_at_a_terminal_the_pool_that_is_named_chooses_the_namespace(repository: Path) -> None:
    pool = ("--team", "research", "--pool", "a10g-notebooks")
    arguments = ["--directory", str(repository), "new", "pod", "try", "--cluster", "training"]
    result = CliRunner().invoke(create_application(), [*arguments, *pool], input=f"{JOB[-1]}\n")
    assert result.exit_code == 0
    assert from_yaml(result.stdout)[-1]["metadata"]["namespace"] == "research-notebooks"


@pytest.mark.usefixtures("at_terminal")
def test_at_a_terminal_a_wrong_answer_is_told(repository: Path) -> None:
    arguments = ["--directory", str(repository), *JOB[:5], "--image", JOB[-1]]
    result = CliRunner().invoke(create_application(), arguments, input="reserch\n")
    assert result.exit_code == 2
    assert "nearest: research" in result.stderr


@pytest.mark.usefixtures("at_terminal")
def test_at_a_terminal_nothing_is_asked_where_nothing_is_missing(in_repository: Run) -> None:
    assert in_repository(*JOB).stderr == ""
