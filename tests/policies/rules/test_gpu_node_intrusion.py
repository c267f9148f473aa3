from typing import Any

import pytest
from msgspec.structs import replace

from gpus.taint import Taint
from policies.document import Document
from policies.rules.gpu_node_intrusion import RULE
from policies.settings import PoolSettings, Settings
from tests.policies.conftest import GPU_TAINT, SETTINGS, affinity, found, gpu_pod, message

NO_GPU: Document = {"resources": {}}
TOLERATES = {"tolerations": [{"key": "nvidia.com/gpu", "operator": "Exists"}]}


CLAIMS: Document = {"resourceClaims": [{"name": "gpu"}]}


def _affinity(operator: str) -> Document:
    expression = {"key": "gpuplane.io/gpu-model", "operator": operator, "values": ["h100"]}
    return {"affinity": affinity({"matchExpressions": [expression]})}


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        (TOLERATES, "/spec/tolerations The pod asks for no GPU, but tolerates the taints"),
        (
            {"tolerations": [{"operator": "Exists"}]},
            "/spec/tolerations The pod asks for no GPU, but tolerates the taints",
        ),
        (
            {"nodeSelector": {"gpuplane.io/pool": "h100"}},
            "/spec/nodeSelector The pod asks for no GPU, but selects the nodes",
        ),
        (
            _affinity("In"),
            "/spec/affinity/nodeAffinity The pod asks for no GPU, but selects the nodes",
        ),
        (
            _affinity("Exists"),
            "/spec/affinity/nodeAffinity The pod asks for no GPU, but selects the nodes",
        ),
    ],
)
def test_a_pod_without_gpus_that_can_land_on_gpu_nodes_is_refused(spec: Any, said: str) -> None:
    text = message(found(RULE, gpu_pod(NO_GPU, **spec)))
    assert text.startswith(f"{said} of pool h100. Ask for a GPU resource, or remove that from ")


@pytest.mark.parametrize(
    "spec",
    [
        {},
        {"tolerations": [{"key": "zone", "operator": "Exists"}]},
        {"nodeSelector": {"kubernetes.io/os": "linux"}},
        TOLERATES | {"nodeSelector": {"gpuplane.io/pool": "cpu"}},
        CLAIMS,
        CLAIMS | {"nodeSelector": {"kubernetes.io/os": "linux"}},
        _affinity("NotIn"),
        {"tolerations": [{"operator": "Exists"}]} | _affinity("DoesNotExist"),
    ],
)
def test_a_pod_that_cannot_or_may_passes(spec: Any) -> None:
    assert found(RULE, gpu_pod(NO_GPU, **spec)) == []


def test_a_daemon_set_passes_outside_of_the_teams_namespaces() -> None:
    pod = gpu_pod(NO_GPU, **TOLERATES)
    pod["metadata"]["ownerReferences"] = [{"kind": "DaemonSet", "controller": True}]
    assert found(RULE, pod, "monitoring") == []
    assert len(found(RULE, pod, "plain")) == 1


@pytest.mark.parametrize(
    ("spec", "field", "way"),
    [
        (TOLERATES, "tolerations", "tolerates the taints"),
        ({"nodeSelector": {"gpuplane.io/pool": "h100"}}, "nodeSelector", "selects the nodes"),
    ],
)
def test_claims_alone_open_no_pool_that_gives_them_nothing(
    dra_pool: PoolSettings, settings: Settings, spec: Document, field: str, way: str
) -> None:
    pools = (dra_pool, *settings.pools)
    assert message(found(RULE, gpu_pod(NO_GPU, **CLAIMS, **spec), pools=pools)) == (
        f"/spec/{field} The pod holds claims and asks for no GPU resource, but {way} of pool "
        "h100, where claims get no GPU. Ask for a GPU resource, or remove that from "
        f"spec.{field}."
    )


@pytest.mark.parametrize("selected", ["dra", None])
def test_a_pod_with_claims_alone_may_go_where_they_get_gpus(
    dra_pool: PoolSettings, settings: Settings, selected: str | None
) -> None:
    pools = (*settings.pools, dra_pool) if selected else (dra_pool,)
    chosen = {"nodeSelector": {"gpuplane.io/pool": selected}} if selected else {}
    pod = gpu_pod(NO_GPU, **CLAIMS, **TOLERATES, **chosen)
    assert found(RULE, pod, pools=pools) == []


DEDICATED = Taint("dedicated", "llm", "NoSchedule")


@pytest.mark.parametrize(("taints", "count"), [((GPU_TAINT, DEDICATED), 1), ((DEDICATED,), 0)])
def test_only_the_taint_of_gpus_says_that_other_pods_stay_off(
    taints: tuple[Taint, ...], count: int
) -> None:
    pool = replace(SETTINGS.pools[0], taints=taints)
    pod = gpu_pod(NO_GPU, tolerations=[{"operator": "Exists"}])
    assert len(found(RULE, pod, pools=(pool,))) == count
