"""The DRA driver, and what its pinned chart renders with our values."""

from collections.abc import Mapping

import pytest

from charts_py.argocd.applications import applications
from charts_py.components.component import Component
from charts_py.components.dra_driver_nvidia_gpu import DRA_DRIVER_NVIDIA_GPU
from charts_py.objects.document import Document
from charts_py.platform.platform import Platform
from tests.charts_py.fixture_types import DocumentsOf
from tests.e2e.scheduling.dra_devices import GPU_DEVICE_CLASS

DEVICE_PLUGIN_SELECTOR = {"nvidia.com/gpu.deploy.device-plugin": "true"}
"""Of the GPU operator's device plugin (https://github.com/NVIDIA/gpu-operator,
assets/state-device-plugin/0500_daemonset.yaml at v26.7.0)."""


GPU_CLIENT = "nvidia.com/gpu.deploy.client"
"""Paused while the driver of a node is replaced."""


@pytest.fixture
def platform(platforms: Mapping[str, Platform]) -> Platform:
    return platforms["sample-dra"]


@pytest.fixture
def driver(platform: Platform) -> Component:
    (component,) = DRA_DRIVER_NVIDIA_GPU.plan(platform)
    return component


def test_it_and_the_device_plugin_are_never_on_one_node(
    platform: Platform, driver: Component, rendered: DocumentsOf
) -> None:
    (daemons,) = (each for each in rendered(driver) if each["kind"] == "DaemonSet")
    selector = daemons["spec"]["template"]["spec"]["nodeSelector"]
    assert any(selector.get(key) not in {None, v} for key, v in DEVICE_PLUGIN_SELECTOR.items())
    assert selector.pop(GPU_CLIENT) == "true"  # the operator sets it on every node with GPUs
    by_pool = {pool.name: selector.items() <= pool.facts.labels.items() for pool in platform.pools}
    assert by_pool == {"h100": False, "h100-dra": True}


def test_its_device_class_stands_for_the_resource_that_pods_ask_for(
    driver: Component, rendered: DocumentsOf
) -> None:
    classes = {each["metadata"]["name"]: each for each in rendered(driver) if _is_class(each)}
    assert sorted(classes) == ["gpu.nvidia.com", "mig.nvidia.com", "vfio.gpu.nvidia.com"]
    assert classes["gpu.nvidia.com"] == GPU_DEVICE_CLASS


def test_argo_cd_leaves_the_chart_s_definitions_to_the_gpu_operator_s(
    platform: Platform, driver: Component
) -> None:
    applications_by_name = {
        each["metadata"]["name"]: each for each in applications(platform, (driver,))
    }
    application = applications_by_name["sample-dra-dra-driver-nvidia-gpu"]
    assert application["spec"]["source"] == {
        "repoURL": "registry.k8s.io/dra-driver-nvidia/charts",
        "chart": "dra-driver-nvidia-gpu",
        "targetRevision": "0.4.1",
        "helm": {
            "releaseName": "dra-driver-nvidia-gpu",
            "valuesObject": driver.helm.values if driver.helm else {},
            "skipCrds": True,
        },
    }


def _is_class(document: Document) -> bool:
    return bool(document["kind"] == "DeviceClass")
