from pathlib import Path

import pytest

from charts_py.objects.manifest_yaml import from_yaml
from tests.gpuplane.conftest import Run

IMAGE = ("--image", "registry.example.com/train:1")
JOB = ("new", "job", "demo", "--cluster", "training", "--team", "research", *IMAGE)

pytestmark = pytest.mark.usefixtures("examples")


def test_the_manifest_is_printed(in_repository: Run) -> None:
    claim, job = from_yaml(in_repository.printed(*JOB, "--", "train.py", "--lr", "0.1"))
    assert (claim["kind"], job["kind"]) == ("PersistentVolumeClaim", "Job")
    (container,) = job["spec"]["template"]["spec"]["containers"]
    assert container["command"] == ["python", "train.py", "--lr", "0.1"]


def test_reasons_are_told_in_its_place(in_repository: Run) -> None:
    reason = "Job: spec.backoffLimit: fails for good after as many attempts\n"
    assert reason in in_repository.printed(*JOB, "--explain")


def test_a_word_for_servers_is_told_what_they_are_called(in_repository: Run) -> None:
    said = "; a server is an llm, or else a service"
    assert said in in_repository.refused("new", "deployment", "web")


def test_a_gpu_model_is_named_in_any_case_and_without_its_end(in_repository: Run) -> None:
    assert in_repository.printed(*JOB, "--gpu", "h100") == in_repository.printed(*JOB)


def test_a_file_is_not_written_over_unless_it_is_asked_for(
    in_repository: Run, tmp_path: Path
) -> None:
    file = tmp_path / "job.yaml"
    assert in_repository(*JOB, "-f", file).exit_code == 0
    written = file.read_text(encoding="utf-8")
    file.write_text("mine", encoding="utf-8")
    said = f"{file}: there already; allowed: another file, or --overwrite\n"
    assert in_repository.refused(*JOB, "-f", file) == said
    assert in_repository(*JOB, "-f", file, "--overwrite").stdout == ""
    assert file.read_text(encoding="utf-8") == written


@pytest.mark.parametrize("more", [(), ("--overwrite",)])
def test_a_folder_is_no_file_to_write(
    in_repository: Run, tmp_path: Path, more: tuple[str, ...]
) -> None:
    said = f"{tmp_path}: a folder; allowed: a file\n"
    assert in_repository.refused(*JOB, "-f", tmp_path, *more) == said


def test_a_dash_is_stdout(in_repository: Run, tmp_path: Path) -> None:
    assert in_repository(*JOB, "-f", "-").stdout == in_repository(*JOB).stdout
    assert not (tmp_path / "-").exists()


def test_what_the_rules_warn_of_is_noted(in_repository: Run) -> None:
    shared = ("--cluster", "inference", "--team", "assistants", "--pool", "l4-shared")
    result = in_repository("new", "pod", "demo", *shared, *IMAGE)
    assert result.exit_code == 0
    assert result.stderr.startswith("note: Pod demo: warned time-sliced-inference: ")


@pytest.fixture
def at_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gpuplane.commands.new.at_terminal", lambda: True)


@pytest.mark.usefixtures("at_terminal")
def test_at_a_terminal_it_asks_for_what_is_missing(in_repository: Run) -> None:
    answers = "training\nresearch\n\nh100-spot\nfour\n4\n2\nregistry.example.com/train:1\n"
    result = in_repository("new", "job", "demo", answers=answers)
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
def test_at_a_terminal_the_kind_and_the_name_are_asked_for_too(in_repository: Run) -> None:
    result = in_repository("new", *JOB[3:], answers="pod\ntry\n")
    assert result.exit_code == 0
    pod = from_yaml(result.stdout)[-1]
    assert (pod["kind"], pod["metadata"]["name"]) == ("Pod", "try")
    assert "  job         a program that ends; on several nodes, pods that " in result.stderr


@pytest.mark.usefixtures("at_terminal")
def test_at_a_terminal_the_pool_that_is_named_chooses_the_namespace(in_repository: Run) -> None:
    pool = ("--team", "research", "--pool", "a10g-notebooks")
    arguments = ("new", "pod", "try", "--cluster", "training", *pool)
    result = in_repository(*arguments, answers=f"{JOB[-1]}\n")
    assert result.exit_code == 0
    assert from_yaml(result.stdout)[-1]["metadata"]["namespace"] == "research-notebooks"


NAMED = ("--cluster", "training", "--team", "research")


@pytest.mark.usefixtures("at_terminal")
@pytest.mark.parametrize(
    ("given", "answers", "question", "said"),
    [
        (NAMED, "My_Job demo", "name", 'NAME: "My_Job" is not a valid name for a workload'),
        (NAMED[2:], "demo trainig training", "cluster", 'unknown cluster "trainig"; allowed: '),
        (NAMED[:2], "demo reserch research", "team", 'unknown team "reserch"; allowed: '),
        (
            NAMED,
            "demo training research-training",
            "namespace [research-training]",
            "--namespace: ",
        ),
        (NAMED, "demo research-training h100s h100", "pool [h100]", '--pool: unknown pool "h100s"'),
        (NAMED, "demo research-training h100 9 8", "GPUs of each pod, 1 to 8 [1]", "--gpus: 9 is"),
        (NAMED, "demo research-training h100 8 99 1", "pods that compute [1]", "--nodes: 99 pods"),
        (
            NAMED,
            f"demo research-training h100 8 1 a:b:c {IMAGE[1]}",
            "image",
            '--image: "a:b:c" is',
        ),
    ],
)
def test_at_a_terminal_a_wrong_answer_is_told_and_asked_again(
    in_repository: Run, given: tuple[str, ...], answers: str, question: str, said: str
) -> None:
    lines = "\n".join((*answers.split(), ""))
    stderr = in_repository("new", "job", *given, answers=lines).stderr
    assert f"{question}: {said}" in stderr
    assert f"{question}: " in stderr.partition(said)[2]


@pytest.mark.usefixtures("at_terminal")
def test_at_a_terminal_a_wrong_option_is_told_before_the_first_question(in_repository: Run) -> None:
    said = in_repository.refused("new", "job", "demo", *JOB[3:5], "--hours", "0")
    assert said == "--hours: 0 is out of bounds; allowed: 1 to 8760\n"


@pytest.mark.usefixtures("at_terminal")
def test_the_kinds_that_are_offered_have_a_cluster_among_them(
    in_repository: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gpuplane.commands.new_cluster.at_terminal", lambda: True)
    result = in_repository("new", answers="cluster\nlab\n\n\n\n\n\n\n")
    assert result.stdout == f"{tmp_path}/clusters/lab.yaml\n"


@pytest.mark.usefixtures("at_terminal")
def test_at_a_terminal_nothing_is_asked_where_nothing_is_missing(in_repository: Run) -> None:
    assert in_repository(*JOB).stderr == ""


def test_a_program_that_is_no_text_is_told(in_repository: Run) -> None:
    said = in_repository.refused(*JOB, "--", "train.py", "\udcff")
    assert 'PROGRAM: "\\udcff" is not UTF-8' in said


LLM = ("new", "llm", "chat", *NAMED, "--weights", "Qwen/Qwen3-32B", "--parameters", "32B")


def test_a_server_of_a_model_is_printed(in_repository: Run) -> None:
    result = in_repository(*LLM, *IMAGE, "--", "--enable-lora")
    assert result.exit_code == 0
    kinds = [each["kind"] for each in from_yaml(result.stdout)]
    assert kinds == ["PersistentVolumeClaim", "Service", "PodMonitor", "Deployment"]
    assert result.stdout.count("        - --enable-lora\n") == 1


def test_any_server_is_printed(in_repository: Run) -> None:
    printed = in_repository.printed("new", "service", "rank", *NAMED, *IMAGE, "--port", "9000")
    assert [each["kind"] for each in from_yaml(printed)] == ["Service", "Deployment"]


def test_a_route_has_a_name_and_a_cluster_with_a_gateway(in_repository: Run) -> None:
    assert "NAME is missing: give the route a name" in in_repository.misused("new", "route")
    said = in_repository.refused("new", "route", "chat", *NAMED)
    assert "the file of training has no Gateway; allowed: a cluster with serving.gateway" in said


@pytest.mark.parametrize("kind", ["llm", "service", "route", "cluster"])
def test_what_has_options_of_its_own_is_a_command_of_its_own(kind: str, in_repository: Run) -> None:
    said = f"{kind} is a command of its own: gpuplane new {kind} NAME --help"
    assert said in in_repository.misused("new", "--explain", kind, "web")


@pytest.mark.usefixtures("at_terminal")
def test_at_a_terminal_no_number_is_asked_for_that_follows_from_the_model(
    in_repository: Run,
) -> None:
    result = in_repository(*LLM, *IMAGE, answers="\n\n")
    assert result.exit_code == 0
    assert "GPUs of each pod" not in result.stderr
