"""The variables by which a program records its run."""

import json
from typing import Any

import pytest

from gpuplane.workloads.workload import new_workload
from policies.manifest_pod import manifest_pods
from tests.gpuplane.workloads.conftest import SMALL_MODEL, ask, platform_named

REGISTRY = platform_named("sample-model-registry")
TAGS = {
    "gpuplane.io/cluster": "model-registry",
    "gpuplane.io/workload": "research-training/demo",
    "gpuplane.io/image": "registry.example.com/train:1.0",
    "gpuplane.io/dataset": "corpus",
    "gpuplane.io/gpu-model": "H100-SXM",
    "gpuplane.io/gpus": "16",
}
RECORDED = {
    "MLFLOW_TRACKING_URI": "http://mlflow.mlflow.svc:5000",
    "MLFLOW_EXPERIMENT_NAME": "research/llama-3",
    "MLFLOW_RUN_CONTEXT": json.dumps(TAGS),
    "MLFLOW_ENABLE_SYSTEM_METRICS_LOGGING": "true",
}


def _variables(cluster: str = "sample-model-registry", **fields: Any) -> list[dict[str, str]]:
    """Return those of MLflow that each container has, one after the other."""
    documents = new_workload(ask(**fields), platform_named(cluster)).documents
    pods = [pod.document["spec"] for each in documents for pod in manifest_pods(each)]
    every = [container.get("env", []) for pod in pods for container in pod["containers"]]
    return [
        {each["name"]: each["value"] for each in env if each["name"].startswith("MLFLOW_")}
        for env in every
    ]


@pytest.mark.parametrize("kind", ["job", "jobset", "pytorchjob", "tfjob"])
def test_a_job_records_who_it_is_and_what_it_runs_on(kind: str) -> None:
    found = _variables(kind=kind, nodes=2, gpus=8, data="corpus", model="llama-3")
    assert found == [RECORDED]


def test_the_trainer_of_a_trainjob_has_them_too() -> None:
    asked = ask(kind="trainjob", nodes=2, data="corpus", model="llama-3")
    *_, job = new_workload(asked, REGISTRY).documents
    env = {each["name"]: each["value"] for each in job["spec"]["trainer"]["env"]}
    assert {name: env.get(name) for name in RECORDED} == RECORDED


def test_the_head_of_a_rayjob_has_them_where_the_program_runs() -> None:
    head, worker, submitter = _variables(kind="rayjob", data="corpus", model="llama-3", nodes=2)
    assert (head, worker, submitter) == (RECORDED, RECORDED, {})


def test_without_a_model_an_experiment_has_the_name_of_the_workload() -> None:
    (found,) = _variables(kind="notebook")
    assert found["MLFLOW_EXPERIMENT_NAME"] == "research/demo"


@pytest.mark.parametrize(
    ("cluster", "fields"),
    [
        ("sample-training", {}),
        ("sample-model-registry", {"kind": "llm", **SMALL_MODEL}),
        ("sample-model-registry", {"kind": "service"}),
    ],
)
def test_servers_record_nothing_nor_does_a_cluster_without_a_registry(
    cluster: str, fields: dict[str, Any]
) -> None:
    assert _variables(cluster, **fields) == [{}]


def test_what_an_image_needs_to_record_is_said_once() -> None:
    said = (
        "where it records runs with MLflow, its image has to have psutil, and nvidia-ml-py for "
        "what its GPUs do: without psutil no run starts, unless "
        "MLFLOW_ENABLE_SYSTEM_METRICS_LOGGING is false"
    )
    notes = new_workload(ask(), REGISTRY).notes
    assert [note for note in notes if "psutil" in note] == [said]
