"""The driver of a cluster, by what its GPU operator is told, and its addons by their objects."""

import pytest

from charts_py.providers.registry import PROVIDERS
from gpuplane.adoption.commented import Commented
from gpuplane.adoption.platform_fields import (
    OperatorSettings,
    addon_fields,
    driver_fields,
    lost_settings,
    operator_settings,
)
from gpus.provider import Provider
from tests.gpuplane.adoption.conftest import Reading


@pytest.mark.parametrize(
    ("stated", "expected"),
    [
        ("open", {"kernelModule": Commented("open")}),
        ("auto", {}),
        ("unheard-of", {}),
        ([], {}),
        ({"a": None}, {}),
        (True, {}),
    ],
    ids=repr,
)
def test_a_kernel_module_is_taken_where_it_is_one(
    stated: object, expected: dict[str, Commented]
) -> None:
    settings = OperatorSettings({"driver": {"version": "580.1", "kernelModuleType": stated}})
    driver = driver_fields(settings, PROVIDERS[Provider.ONPREM])["driver"]
    assert driver == Commented({"version": Commented("580.1"), **expected})


RULE = """
apiVersion: readiness.node.x-k8s.io/v1alpha1
kind: NodeReadinessRule
metadata: {{name: found}}
spec: {{taint: {{key: readiness.k8s.io/{key}, value: "true", effect: {effect}}}}}
"""


@pytest.mark.parametrize(
    ("key", "effect", "fields"),
    [
        ("gpu-not-ready", "NoSchedule", {"nodeReadiness": True}),
        ("gpu-unhealthy", "NoSchedule", {"gpuHealth": {"action": Commented("quarantine")}}),
        ("gpu-unhealthy", "NoExecute", {"gpuHealth": {"action": Commented("evict")}}),
        ("gpu-unhealthy", "PreferNoSchedule", {}),
        ("network-not-ready", "NoSchedule", {}),
    ],
)
def test_a_rule_on_nodes_is_told_by_its_taint(
    key: str, effect: str, fields: dict[str, object], inventory_of: Reading
) -> None:
    inventory = inventory_of(RULE.format(key=key, effect=effect))
    origin = "NodeReadinessRule found"
    expected = {name: Commented(value, origin) for name, value in fields.items()}
    addons = {"addons": Commented(expected)} if expected else {}
    assert addon_fields(inventory, OperatorSettings({})) == addons


POLICY = "{{apiVersion: nvidia.com/v1, kind: ClusterPolicy, metadata: {}, status: {}}}"
RELEASE = """
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {{name: gpus, namespace: flux}}
spec: {{chart: {{spec: {{chart: gpu-operator}}}}{}}}
"""
APPLICATION = """
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {{name: gpus, namespace: argocd}}
spec: {{source: {{chart: gpu-operator}}, destination: {}}}
"""
BY_HELM = "{annotations: {meta.helm.sh/release-namespace: b}}"
USUAL = OperatorSettings().namespaces


@pytest.mark.parametrize(
    ("text", "namespaces"),
    [
        (POLICY.format(BY_HELM, "{namespace: a}"), ("a",)),
        (POLICY.format(BY_HELM, "{}"), ("b",)),
        (POLICY.format("{}", "{}"), USUAL),
        (RELEASE.format(", targetNamespace: a"), ("a",)),
        (RELEASE.format(""), ("flux",)),
        (APPLICATION.format("{namespace: a}"), ("a",)),
        (APPLICATION.format("{}"), USUAL),
    ],
)
def test_the_operator_runs_where_the_object_with_its_settings_says(
    text: str, namespaces: tuple[str, ...], inventory_of: Reading
) -> None:
    assert operator_settings(inventory_of(text)).namespaces == namespaces


def test_a_config_map_of_the_same_name_in_another_namespace_is_named(inventory_of: Reading) -> None:
    text = "{{apiVersion: v1, kind: ConfigMap, metadata: {{name: {}, namespace: {}}}}}"
    names = [("own", "aaa-team"), ("own", "a"), ("default-mig-parted-config", "b"), ("c", "c")]
    settings = OperatorSettings({"devicePlugin": {"config": {"name": "own"}}}, namespaces=("a",))
    found = inventory_of("\n---\n".join(text.format(*each) for each in names))
    what = "not read: ConfigMap aaa-team/own, ConfigMap b/default-mig-parted-config"
    note = f"{what}; the GPU operator reads those of a"
    assert lost_settings(found, settings) == {"unread": Commented(None, notes=(note,))}
