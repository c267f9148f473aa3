import pytest

from tests.charts_py.fixture_types import ObjectsOf, PlatformWith


@pytest.mark.parametrize(
    ("purchase", "fields"),
    [
        ("spot", {"spot": True}),
        ("on-demand", {"spot": False}),
        ("flex-start", {"flexStart": {"enabled": True}}),
        ("reserved", {"spot": False, "reservations": {"affinity": "AnyBestEffort"}}),
    ],
)
def test_nodes_are_bought_as_the_pool_says(
    platform_with: PlatformWith, objects_of: ObjectsOf, purchase: str, fields: dict[str, object]
) -> None:
    pool = (
        f"{{instanceType: g2-standard-48, purpose: batch, nodes: {{max: 1}}, purchase: {purchase}}}"
    )
    spec = objects_of(platform_with("compute-class", pool))["ComputeClass pool"]["spec"]
    (priority,) = spec["priorities"]
    keys = ("spot", "flexStart", "reservations")
    assert {key: priority[key] for key in keys if key in priority} == fields


@pytest.mark.parametrize(
    ("purpose", "policy"),
    [
        ("training", {"gpuConsolidationThreshold": 0}),
        ("batch", {"gpuConsolidationThreshold": 0}),
        ("notebooks", {"gpuConsolidationThreshold": 0}),
        ("inference", None),
    ],
)
def test_only_nodes_of_inference_are_drained_while_something_uses_them(
    platform_with: PlatformWith, objects_of: ObjectsOf, purpose: str, policy: dict[str, int] | None
) -> None:
    pool = f"{{instanceType: g2-standard-48, purpose: {purpose}, nodes: {{max: 1}}}}"
    (made,) = objects_of(platform_with("compute-class", pool)).values()
    assert made["spec"].get("autoscalingPolicy") == policy


def test_spot_nodes_carry_the_taint_that_pods_opt_in_to(
    platform_with: PlatformWith, objects_of: ObjectsOf
) -> None:
    pool = "{instanceType: g2-standard-48, purpose: batch, nodes: {max: 1}, purchase: spot}"
    spec = objects_of(platform_with("compute-class", pool))["ComputeClass pool"]["spec"]
    assert spec["nodePoolConfig"]["taints"] == [
        {"key": "cloud.google.com/gke-spot", "value": "true", "effect": "NoSchedule"}
    ]
