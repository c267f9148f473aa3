"""Pools whose nodes may be of several instance types, or bought in more than one way."""

from charts_py.platform.pool_price import NoPrice
from tests.charts_py.fixture_types import ObjectsOf, PlatformWith

SEVERAL = (
    "{instanceType: g6.xlarge, instanceTypes: [g6.4xlarge, gr6.4xlarge], interconnect: ethernet, "
    "purpose: batch, nodes: {max: 3}, purchase: spot, onDemandFallback: true}"
)


def test_karpenter_chooses_among_instance_types_and_purchases(
    platform_with: PlatformWith, objects_of: ObjectsOf
) -> None:
    spec = objects_of(platform_with("eks", SEVERAL))["NodePool pool"]["spec"]
    required = {one["key"]: one["values"] for one in spec["template"]["spec"]["requirements"]}
    types = ["g6.xlarge", "g6.4xlarge", "gr6.4xlarge"]
    assert required["node.kubernetes.io/instance-type"] == types
    assert required["karpenter.sh/capacity-type"] == ["spot", "on-demand"]
    assert spec["limits"] == {"cpu": "48", "nodes": "3"}


def test_a_pool_of_several_goes_by_the_first(platform_with: PlatformWith) -> None:
    platform = platform_with("eks", SEVERAL)
    (pool,) = platform.pools
    assert (pool.hardware.cpu, pool.hardware.memory, pool.facts.gpus_per_node) == (4, 16 * 2**30, 1)
    price = platform.price_or_reason(pool)
    assert price == NoPrice("its nodes may be of several instance types", "price")


def test_eksctl_takes_several_instance_types(
    platform_with: PlatformWith, objects_of: ObjectsOf
) -> None:
    pool = (
        "{instanceType: g6.xlarge, instanceTypes: [g6.2xlarge], purpose: batch, "
        "nodes: {max: 3}, purchase: spot}"
    )
    (made,) = objects_of(platform_with("eksctl", pool)).values()
    (group,) = made["managedNodeGroups"]
    assert group["instanceTypes"] == ["g6.xlarge", "g6.2xlarge"]


def test_a_class_has_a_priority_for_each_machine_and_purchase(
    platform_with: PlatformWith, objects_of: ObjectsOf
) -> None:
    pool = (
        "{instanceType: g2-standard-4, instanceTypes: [g2-standard-8], purpose: batch, "
        "nodes: {max: 3}, purchase: spot, onDemandFallback: true}"
    )
    (made,) = objects_of(platform_with("compute-class", pool)).values()
    assert [(one["machineType"], one["spot"]) for one in made["spec"]["priorities"]] == [
        ("g2-standard-4", True),
        ("g2-standard-8", True),
        ("g2-standard-4", False),
        ("g2-standard-8", False),
    ]
