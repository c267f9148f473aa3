"""What shows that NetworkPolicies are enforced in a cluster."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from charts_py.platform.engine_sign import EngineSign, enforcing_engines
from charts_py.providers.registry import PROVIDERS
from gpus.provider import Provider

if TYPE_CHECKING:
    from collections.abc import Mapping

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
