"""A cluster that gpuplane synced comes back as the file that it was synced from."""

from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from charts_py.load import load_platform
from charts_py.objects.document import Document
from charts_py.objects.manifest_yaml import from_yaml
from charts_py.platform.platform import Platform, PlatformPool
from gpuplane.adoption.adoption import check_file, cluster_file
from gpuplane.adoption.found_object import FoundObject, Inventory
from gpuplane.versions.rendering import RenderedCluster, render_platform
from gpus.provider import Provider
from tests.charts_py.fixture_types import Load
from tests.conftest import CLUSTERS, SAMPLES

COMING_BACK = ("node-pools/", "gpu-sharing/", "node-readiness/", "priority-classes/", "gpu-roles/")
"""Components that are rendered alike, beside those of teams."""
KINDS_OF_TEAMS = ("Namespace", "ResourceQuota", "LimitRange", "RoleBinding")
_ROLES = frozenset(f"gpu-roles/ClusterRole.gpu-{role}.yaml" for role in ("admin", "user", "viewer"))
"""Those on what `queues`, `serving` and `training` bring, which are not read back."""
LOST: Mapping[str, frozenset[str]] = {
    # Trainer, which is not read back, makes a ConfigMap for each job.
    "training": _ROLES
    | {
        "gpu-roles/ClusterRole.gpu-reader.yaml",
        "gpu-roles/ClusterRoleBinding.gpu-reader.yaml",
        "team-recommendations/ResourceQuota.objects.yaml",
        "team-research/ResourceQuota.research-notebooks.objects.yaml",
        "team-research/ResourceQuota.research-training.objects.yaml",
    },
    # What pickers may do goes with `serving`; warm nodes that placeholders hold are not read back.
    "inference": _ROLES
    | {
        "node-pools/ContainerNodePool.l4-shared.yaml",
        "team-assistants/RoleBinding.endpoint-picker.yaml",
        "team-search/RoleBinding.endpoint-picker.yaml",
    },
    # A construct of the cluster makes the class, and a patch of it changes the quota.
    "onprem": _ROLES
    | {
        "team-robotics/RoleBinding.endpoint-picker.yaml",
        "priority-classes/PriorityClass.burn-in.yaml",
        "team-simulation/ResourceQuota.simulation.quota.yaml",
    },
}
"""Files that differ, by cluster."""


def _coming_back(files: Mapping[str, bytes]) -> dict[str, str]:
    return {
        path: text.decode()
        for path, text in files.items()
        if path.startswith(COMING_BACK)
        or (path.startswith("team-") and path.partition("/")[2].startswith(KINDS_OF_TEAMS))
    }


@pytest.mark.parametrize("name", ["training", "inference", "mixed", "onprem"])
def test_pools_teams_quotas_and_priorities_are_rendered_alike(name: str, example: Load) -> None:
    platform = example(name)
    rendered = render_platform(platform, name)
    text = cluster_file(held_cluster(platform, rendered))
    checked = check_file(text, name, CLUSTERS / "fleet.yaml")
    assert checked.faults == ()
    assert checked.platform is not None
    before = _coming_back(rendered.files)
    after = _coming_back(render_platform(checked.platform, name).files)
    differing = {
        path for path in before.keys() | after.keys() if before.get(path) != after.get(path)
    }
    assert differing == LOST.get(name, frozenset())


@pytest.mark.parametrize("name", ["numa", "numa-aks"])
def test_kubelets_that_align_numa_nodes_come_back(name: str) -> None:
    platform = load_platform(SAMPLES / f"{name}.yaml", None)
    text = cluster_file(held_cluster(platform, render_platform(platform, name)))
    assert "    numa: best-effort" in text.splitlines()


PROVIDER_IDS = {
    Provider.EKS: "aws:///us-east-1a/i-{}",
    Provider.GKE: "gce://example-inference/europe-west4-a/{}",
    Provider.AKS: "azure:///subscriptions/00000000-0000-0000-0000-000000000000/{}",
    Provider.ONPREM: "",
}


def held_cluster(platform: Platform, rendered: RenderedCluster) -> Inventory:
    """Return the rendered objects, all nodes of each pool and the daemons of the network."""
    documents = [
        *(one for text in rendered.files.values() for one in from_yaml(text.decode())),
        *(node for pool in platform.pools for node in _nodes(platform, pool)),
        *_network(platform),
    ]
    found = tuple(FoundObject(document, "the cluster") for document in documents)
    return Inventory(found, platform.name)


def _nodes(platform: Platform, pool: PlatformPool) -> Iterator[Document]:
    for number in range(pool.spec.nodes.max):
        name = f"{pool.name}-{number}"
        yield {
            "apiVersion": "v1",
            "kind": "Node",
            "metadata": {"name": name, "labels": _labels(platform, pool)},
            "spec": {
                "providerID": PROVIDER_IDS[platform.cluster.provider].format(name),
                "taints": [
                    {"key": taint.key, "value": taint.value, "effect": taint.effect}
                    for taint in pool.facts.taints
                ],
            },
            "status": {
                "capacity": _capacity(pool),
                "nodeInfo": {"kubeletVersion": f"v{platform.cluster.kubernetes}.3"},
            },
        }


def _labels(platform: Platform, pool: PlatformPool) -> Mapping[str, str]:
    instance_type = pool.spec.instance_type
    machine = {"node.kubernetes.io/instance-type": instance_type} if instance_type else {}
    region = {"topology.kubernetes.io/region": platform.cluster.region}
    return {**pool.facts.labels, **machine, **region, **_model(pool)}


def _model(pool: PlatformPool) -> Mapping[str, str]:
    model = pool.hardware.model
    return {"amd.com/gpu.product-name": model.product} if model.vendor == "amd" else {}


def _capacity(pool: PlatformPool) -> Mapping[str, str]:
    offered = {one.name: str(one.per_node) for one in pool.facts.resources}
    memory = f"{pool.hardware.memory // 2**10}Ki"
    return {"cpu": str(pool.hardware.cpu), "memory": memory, "pods": str(pool.max_pods), **offered}


def _network(platform: Platform) -> Iterator[Document]:
    engine = platform.cluster.network.policy_engine
    for sign in platform.provider.network_policy_engines.get(engine, ())[:1] if engine else ():
        document: dict[str, Any] = {
            "apiVersion": sign.api_version,
            "kind": sign.kind,
            "metadata": {"name": sign.name, "namespace": sign.namespace},
            "data": {"enable-network-policy-controller": "true"},
            "status": {"numberReady": 1},
        }
        yield document
    if platform.cluster.eks is not None and platform.cluster.eks.prefix_delegation:
        prefixes = {"name": "ENABLE_PREFIX_DELEGATION", "value": "true"}
        container = {"name": "aws-node", "env": [prefixes]}
        yield {
            "apiVersion": "apps/v1",
            "kind": "DaemonSet",
            "metadata": {"name": "aws-node", "namespace": "kube-system"},
            "spec": {"template": {"spec": {"containers": [container]}}},
        }
