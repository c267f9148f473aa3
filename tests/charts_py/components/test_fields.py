"""The reference names, of each component, every field of the cluster file that steers it."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from charts_py.cluster_file.addons import Dashboards, GpuCounters
from charts_py.cluster_file.gitops import Charts, Registry
from charts_py.cluster_file.hardware import Driver, DriverOwner
from charts_py.components.definition import Definition
from charts_py.components.registry import DEFINITIONS
from charts_py.platform.platform import Platform
from tests.charts_py.components.own_objects import own_objects

PLATFORMS = ("training", "inference", "onprem", "sample-dra", "sample-nvl72")
CHANGES: dict[str, dict[str, Any]] = {
    "imagePullSecrets": {"image_pull_secrets": ("registry",)},
    "registries": {
        "registries": {
            name: Registry(mirror=f"registry.example.com/{name}")
            for name in ("602401143452.dkr.ecr.us-east-1.amazonaws.com", "docker.io", "nvcr.io")
        }
        | {"registry.k8s.io": Registry(mirror="registry.example.com/kubernetes")}
        | {"registry.example.com": Registry(mirror="mirror.example.com")}
    },
    "charts.mirror": {"charts": Charts(mirror="https://charts.example.com")},
    "driver.owner": {"driver": Driver(owner=DriverOwner.IMAGE)},
    "addons.monitoring.interval": {"interval": "47s"},
    "addons.monitoring.labels": {"labels": {"release": "stack"}},
    "addons.monitoring.runbooks": {"runbooks": "https://docs.example.com/alerts/#"},
    "addons.monitoring.serviceMonitors": {"service_monitors": False},
    "addons.monitoring.gpuCounters": {"gpu_counters": GpuCounters.HEALTH},
    "addons.monitoring.dashboards": {"dashboards": Dashboards()},
}
"""What is changed of a cluster, or of its monitoring, by the field of its file."""


def changed(platform: Platform, field: str) -> Platform:
    """Return the platform with another value of one field."""
    cluster, change = platform.cluster, CHANGES[field]
    if field.startswith("addons.monitoring."):
        monitoring = cluster.addons.monitoring.model_copy(update=change)
        change = {"addons": cluster.addons.model_copy(update={"monitoring": monitoring})}
    owner = DriverOwner.IMAGE if field == "driver.owner" else platform.driver_owner
    return replace(platform, cluster=cluster.model_copy(update=change), driver_owner=owner)


def emitted(platform: Platform) -> dict[str, dict[str, object]]:
    """Return what each component emits: its objects, or the values of its charts."""
    objects = own_objects(platform)
    return {
        definition.name: {
            each.name: each.helm or each.manifests or objects.get(each.name)
            for each in definition.plan(platform)
        }
        for definition in DEFINITIONS
    }


@pytest.fixture(scope="module")
def before(platforms: Mapping[str, Platform]) -> dict[str, dict[str, dict[str, object]]]:
    return {name: emitted(platforms[name]) for name in PLATFORMS}


@pytest.mark.parametrize("field", CHANGES)
def test_what_a_field_changes_names_it(
    field: str, platforms: Mapping[str, Platform], before: dict[str, dict[str, dict[str, object]]]
) -> None:
    steered = {
        component
        for name in PLATFORMS
        for after in [changed(platforms[name], field)]
        for component, parts in emitted(after).items()
        if parts != before[name][component]
    }
    assert steered
    assert [d.name for d in DEFINITIONS if d.name in steered and not is_named(d, field)] == []


def is_named(definition: Definition, field: str) -> bool:
    """Return whether a component names a field, or one that holds it."""
    return any(field == named or field.startswith(f"{named}.") for named in definition.steered_by)
