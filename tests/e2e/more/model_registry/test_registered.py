"""A job records a run in MLflow, and a server follows the alias of what it registers."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from charts_py.load import load_platform
from charts_py.objects.manifest_yaml import from_yaml
from tests.e2e.folders import SAMPLES
from tests.e2e.more.model_registry.server import MlflowServer, install_mlflow, running_mlflow
from tests.e2e.processes.component import free_ports
from tests.gpuplane.conftest import Run

PROGRAM = Path(__file__).with_name("train.py")
BUCKET = "s3://example-models/mlflow"
SERVER = (
    *("new", "llm", "chat", "--weights", "models:/chat@champion", "--parameters", "8B"),
    *("--kv-bytes-per-token", "131072", "--image", "registry.example.com/vllm:0.30.0"),
    *("--namespace", "research-serving", "--canary", "--replicas", "2"),
)
JOB = (
    *("new", "job", "finetune", "--namespace", "research-training", "--model", "llama-3"),
    *("--data", "corpus", "--image", "registry.example.com/train:1.4"),
)


@pytest.fixture(scope="module")
def server(
    tmp_path_factory: pytest.TempPathFactory, component_logs: Path
) -> Iterator[MlflowServer]:
    platform = load_platform(SAMPLES / "model-registry.yaml", None)
    folder = install_mlflow(tmp_path_factory.mktemp("mlflow") / "python")
    with running_mlflow(platform, folder, component_logs, *free_ports(1)) as running:
        yield running


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, server: MlflowServer) -> Run:
    (tmp_path / "clusters").mkdir()
    shutil.copy(SAMPLES / "model-registry.yaml", tmp_path / "clusters" / "models.yaml")
    monkeypatch.setenv("MLFLOW_TRACKING_URI", server.url)
    monkeypatch.chdir(tmp_path)
    return Run()


def _variables(run: Run) -> dict[str, str]:
    *_, job = from_yaml(run(*JOB).stdout)
    (container,) = job["spec"]["template"]["spec"]["containers"]
    return {each["name"]: each["value"] for each in container["env"]}


def test_it_answers_for_its_own_names_and_for_a_forwarded_port_alone(server: MlflowServer) -> None:
    path = "/api/2.0/mlflow/experiments/search?max_results=1"
    hosts = ("mlflow.mlflow.svc:5000", "localhost:9000", "192.0.2.7:5000", "rebound.example.com")
    assert [server.status(path, host) for host in hosts] == [200, 200, 403, 403]


def test_a_server_follows_the_alias_of_what_jobs_register(run: Run, server: MlflowServer) -> None:
    first = server.run(PROGRAM, _variables(run))
    assert first["experiment"] == "research/llama-3"
    own = {key: value for key, value in first["tags"].items() if key.startswith("gpuplane.io/")}
    assert own == {
        "gpuplane.io/cluster": "models",
        "gpuplane.io/workload": "research-training/finetune",
        "gpuplane.io/image": "registry.example.com/train:1.4",
        "gpuplane.io/dataset": "corpus",
        "gpuplane.io/gpu-model": "H100-SXM",
        "gpuplane.io/gpus": "1",
    }
    assert run(*SERVER, "-f", "chat.yaml").exit_code == 0
    text = Path("chat.yaml").read_text(encoding="utf-8")
    place = f"{BUCKET}/1/{first['run']}/artifacts/model"
    assert text.count(place) == 2
    second = server.run(PROGRAM, _variables(run))
    new = f"{BUCKET}/1/{second['run']}/artifacts/model"
    moved = f"chat.yaml: models:/chat@champion: 1 -> 2, {new}"
    assert run.ended("bump", "models", "chat.yaml", "--check") == (1, f"{moved}\n", "")
    assert run.printed("bump", "models", "chat.yaml").splitlines()[0] == moved
    expected = text.replace(place, new).replace("model-version: '1'", "model-version: '2'")
    assert Path("chat.yaml").read_text(encoding="utf-8") == expected
