"""The driver of a cluster, by what its GPU operator is told, and its addons by their objects."""

import pytest

from charts_py.providers.registry import PROVIDERS
from gpuplane.adoption.commented import Commented
from gpuplane.adoption.platform_fields import OperatorSettings, addon_fields, driver_fields
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
