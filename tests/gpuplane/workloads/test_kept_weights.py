"""A server that reads weights which its node keeps."""

from typing import Any

from gpuplane.workloads.workload import Workload, new_workload
from tests.gpuplane.workloads.conftest import ask, platform_named

KEPT = {
    "kind": "llm",
    "team": "search",
    "namespace": "search-serving",
    "weights": "cache://qwen3-32b",
    "parameters": "32B",
    "pool": "h100",
}


def _new(**fields: Any) -> Workload:
    return new_workload(ask(**KEPT, **fields), platform_named("sample-node-cache"))


def _pod(workload: Workload) -> dict[str, Any]:
    (found,) = (each for each in workload.documents if each["kind"] == "Deployment")
    spec: dict[str, Any] = found["spec"]["template"]["spec"]
    return spec


def test_the_pod_reads_them_by_the_claim_of_its_pool() -> None:
    pod = _pod(_new())
    (server,) = pod["containers"]
    claim = {"claimName": "node-cache.h100.qwen3-32b", "readOnly": True}
    assert {"name": "weights", "persistentVolumeClaim": claim} in pod["volumes"]
    mount = {"name": "weights", "mountPath": "/weights", "readOnly": True}
    assert mount in server["volumeMounts"]
    assert "/weights" in server["command"]
    assert pod["nodeSelector"] == {"gpuplane.io/pool": "h100"}


def test_it_may_start_for_as_long_as_a_local_disk_takes() -> None:
    (server,) = _pod(_new())["containers"]
    seconds = 600 + 64 / 0.66
    assert server["startupProbe"]["failureThreshold"] == -(-seconds // 10)


def test_a_new_node_is_told_to_download_first() -> None:
    assert (
        "a node of pool h100 that is new downloads qwen3-32b first, and the pod waits in "
        "ContainerCreating until it has"
    ) in _new().notes
