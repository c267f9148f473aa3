from collections.abc import Mapping
from typing import Any

import pytest

from charts_py.platform.provider_facts import EngineSign, GpuHost, enforcing_engines
from charts_py.providers.registry import PROVIDERS
from gpus.provider import Provider
from tests.charts_py.fixture_types import Load

RUNNING = {"status": {"desiredNumberScheduled": 3, "numberReady": 3}}
NOWHERE = {"status": {"desiredNumberScheduled": 0, "numberReady": 0}}
ON = {"data": {"enable-network-policy-controller": "true"}}
OFF = {"data": {"enable-network-policy-controller": "false"}}


def _engines(provider: str, objects: Mapping[str, Mapping[str, Any]]) -> list[str]:
    def read(sign: EngineSign) -> Mapping[str, Any] | None:
        return objects.get(f"{sign.kind} {sign.namespace}/{sign.name}")

    signs = PROVIDERS[Provider(provider)].network_policy_engines
    return [engine.value for engine in enforcing_engines(signs, read)]


@pytest.mark.parametrize(
    ("provider", "objects", "engines"),
    [
        ("eks", {"ConfigMap kube-system/amazon-vpc-cni": ON}, ["vpc-cni"]),
        ("eks", {"ConfigMap kube-system/amazon-vpc-cni": OFF}, []),
        ("eks", {"DaemonSet calico-system/calico-node": RUNNING}, ["calico"]),
        ("gke", {"DaemonSet kube-system/anetd": RUNNING}, ["dataplane-v2"]),
        ("gke", {"DaemonSet kube-system/calico-node": NOWHERE}, []),
        ("aks", {"DaemonSet kube-system/azure-npm": RUNNING}, ["azure"]),
        ("aks", {"DaemonSet kube-system/cilium": RUNNING}, ["cilium"]),
        ("onprem", {"DaemonSet kube-system/antrea-agent": RUNNING}, ["antrea"]),
        ("onprem", {"DaemonSet kube-system/flannel": RUNNING}, []),
        ("onprem", {}, []),
    ],
)
def test_an_engine_is_known_by_what_it_runs(
    provider: str, objects: Mapping[str, Mapping[str, Any]], engines: list[str]
) -> None:
    assert _engines(provider, objects) == engines


OWNED_BY_THE_OPERATOR = """
provider: eks
region: us-east-1
kubernetes: "1.35"
version: 1.0.0
gitops: {repository: https://github.com/example/platform.git}
eks: {clusterName: training, nodeRole: nodes, imageRelease: "20260709"}
driver: {owner: operator}
pools:
  a10g: {instanceType: g5.12xlarge, purpose: notebooks, nodes: {max: 2}}
"""


@pytest.mark.parametrize(
    ("cluster", "host"),
    [
        ("training", GpuHost(toolkit={"enabled": False})),
        (
            "inference",
            GpuHost(
                toolkit={
                    "enabled": True,
                    "installDir": "/home/kubernetes/bin/nvidia",
                    "env": [{"name": "RUNTIME_CONFIG_SOURCE", "value": "file"}],
                },
                driver_folder="/home/kubernetes/bin/nvidia",
            ),
        ),
        ("mixed", GpuHost(toolkit={"enabled": False}, runtime_class="nvidia-container-runtime")),
        ("onprem", GpuHost(toolkit={"enabled": True}, runtime_class="nvidia")),
    ],
)
def test_toolkit_runtime_and_folders_are_those_of_the_providers_nodes(
    cluster: str, host: GpuHost, example: Load
) -> None:
    platform = example(cluster)
    assert platform.provider.host(platform.driver_owner) == host


def test_the_owner_of_the_driver_brings_the_toolkit(platform_of: Load) -> None:
    platform = platform_of(OWNED_BY_THE_OPERATOR)
    assert platform.provider.host(platform.driver_owner) == GpuHost(toolkit={"enabled": True})
