"""The DRA driver for NVLink domains, and what its pinned chart renders with our values."""

from typing import Any

import pytest

from charts_py.argocd.applications import application_of
from charts_py.components.component import Component
from charts_py.components.compute_domains import COMPUTE_DOMAINS
from charts_py.components.gpu_operator.definition import GPU_OPERATOR
from charts_py.components.registry import plan_components
from charts_py.objects.document import Document
from charts_py.platform.platform import Platform
from charts_py.platform.wave import Wave
from tests.charts_py.fixture_types import DocumentsOf, Load, PlatformWith
from tests.charts_py.managed import GPU_TOLERATION

GKE = """
provider: gke
region: us-central1
kubernetes: "1.35"
version: 1.0.0
gitops: {repository: https://github.com/example/platform.git}
gke: {project: sample, clusterName: sample, location: us-central1}
pools:
  a4x:
    instanceType: a4x-highgpu-4g
    purpose: training
    nodes: {max: 2}
    zones: [us-central1-a]
    interconnect: ethernet
    purchase: reserved
"""


@pytest.fixture
def racks(platform_after: PlatformWith) -> Platform:
    return platform_after("nvl72")


def _component(platform: Platform) -> Component:
    (component,) = COMPUTE_DOMAINS.plan(platform)
    return component


def test_it_runs_on_the_nodes_of_the_domain_after_the_gpu_operator(racks: Platform) -> None:
    component = _component(racks)
    assert component.helm is not None
    assert (component.wave, component.namespace) == (Wave.NODES, "gpu-operator")
    assert component.helm.values == {
        "nvidiaDriverRoot": "/run/nvidia/driver",
        "resourceApiVersion": "resource.k8s.io/v1",
        "resources": {"gpus": {"enabled": False}},
        "kubeletPlugin": {
            "affinity": {
                "nodeAffinity": {
                    "requiredDuringSchedulingIgnoredDuringExecution": {
                        "nodeSelectorTerms": [
                            {
                                "matchExpressions": [
                                    {
                                        "key": "gpuplane.io/pool",
                                        "operator": "In",
                                        "values": ["gb200"],
                                    }
                                ]
                            }
                        ]
                    }
                }
            },
            "nodeSelector": {"nvidia.com/gpu.deploy.client": "true"},
            "tolerations": [GPU_TOLERATION],
        },
    }


@pytest.mark.parametrize(("owner", "root"), [("operator", "/run/nvidia/driver"), ("image", "/")])
def test_the_driver_is_where_its_owner_puts_it(
    owner: str, root: str, platform_after: PlatformWith
) -> None:
    platform = platform_after("nvl72", ("pools:", f"driver: {{owner: {owner}}}\npools:"))
    helm = _component(platform).helm
    assert helm is not None
    assert helm.values["nvidiaDriverRoot"] == root


@pytest.mark.parametrize(("owner", "stops"), [("operator", True), ("image", False)])
def test_it_stops_while_the_operator_replaces_the_driver_that_it_has_read(
    owner: str, stops: bool, platform_after: PlatformWith, rendered: DocumentsOf
) -> None:
    platform = platform_after("nvl72", ("pools:", f"driver: {{owner: {owner}}}\npools:"))
    documents = rendered(_component(platform))
    (plugin,) = (d["spec"]["template"]["spec"] for d in documents if d["kind"] == "DaemonSet")
    selector = {"nvidia.com/gpu.deploy.client": "true"} if stops else None
    assert plugin.get("nodeSelector") == selector


def test_on_gke_the_driver_is_in_googles_folder(platform_of: Load) -> None:
    helm = _component(platform_of(GKE)).helm
    assert helm is not None
    assert helm.values["nvidiaDriverRoot"] == "/home/kubernetes/bin/nvidia"


@pytest.mark.parametrize(
    "changes",
    [
        [("gpu: GB200", "gpu: B200")],
        [('kubernetes: "1.36"', 'kubernetes: "1.33"'), ("          resourceClaims: 18\n", "")],
        [("pools:", "addons: {computeDomains: false}\npools:")],
    ],
)
def test_it_is_left_out_without_a_domain_or_claims_or_by_choice(
    changes: list[tuple[str, str]], platform_after: PlatformWith
) -> None:
    assert list(COMPUTE_DOMAINS.plan(platform_after("nvl72", *changes))) == []


def _names(documents: tuple[Document, ...], kind: str) -> list[str]:
    return sorted(d["metadata"]["name"] for d in documents if d["kind"] == kind)


def test_gpus_stay_with_the_device_plugin(racks: Platform, rendered: DocumentsOf) -> None:
    documents = rendered(_component(racks))
    assert _names(documents, "DeviceClass") == [
        "compute-domain-daemon.nvidia.com",
        "compute-domain-default-channel.nvidia.com",
    ]
    (plugin,) = (d["spec"]["template"]["spec"] for d in documents if d["kind"] == "DaemonSet")
    assert [container["name"] for container in plugin["containers"]] == ["compute-domains"]


def test_the_operators_chart_brings_the_kinds_and_this_one_leaves_them_out(
    racks: Platform, rendered: DocumentsOf
) -> None:
    (operator,) = GPU_OPERATOR.plan(racks)
    definition = "computedomains.resource.nvidia.com"
    assert definition in _names(rendered(operator), "CustomResourceDefinition")
    assert _names(rendered(_component(racks)), "CustomResourceDefinition") == []
    assert _helm_of(racks, "compute-domains")["skipCrds"] is True
    assert "skipCrds" not in _helm_of(racks, "gpu-operator")


def _helm_of(platform: Platform, component: str) -> dict[str, Any]:
    (found,) = (c for c in plan_components(platform) if c.name == component)
    helm: dict[str, Any] = application_of(platform, found).source["helm"]
    return helm
