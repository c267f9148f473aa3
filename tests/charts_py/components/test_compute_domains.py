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
from tests.charts_py.fixture_types import DocumentsOf, PlatformWith


@pytest.fixture
def racks(platform_after: PlatformWith) -> Platform:
    return platform_after("nvl72")


def _component(platform: Platform) -> Component:
    (component,) = COMPUTE_DOMAINS.plan(platform)
    return component


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
