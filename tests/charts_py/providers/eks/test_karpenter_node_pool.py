"""NodePools of Karpenter."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
import yaml

from charts_py.cluster_file.pool import Purpose
from charts_py.providers.eks.karpenter_node_pool import node_pools
from gpus.taint import Taint

if TYPE_CHECKING:
    from collections.abc import Callable

    from charts_py.objects.document import Document
    from charts_py.platform.platform import Platform

    PlatformWith = Callable[..., Platform]

RESERVED = """
    instanceType: p5.48xlarge
    purpose: training
    nodes: {min: 4, max: 16}
    purchase: reserved
    reservation: cr-0123456789abcdef0
    zones: [us-east-1a, us-east-1b]
"""

NODE_POOL = """
apiVersion: karpenter.sh/v1
kind: NodePool
metadata:
  name: pool
  labels: {app.kubernetes.io/managed-by: gpuplane}
spec:
  template:
    metadata:
      labels:
        gpuplane.io/gpu-model: h100
        gpuplane.io/interconnect: efa
        gpuplane.io/nvlink: "true"
        gpuplane.io/pool: pool
        gpuplane.io/purchase: reserved
        gpuplane.io/purpose: training
        nvidia.com/gpu.product: NVIDIA-H100-80GB-HBM3
        nvidia.com/mig.config: all-disabled
    spec:
      nodeClassRef: {group: karpenter.k8s.aws, kind: EC2NodeClass, name: pool}
      requirements:
      - {key: karpenter.sh/capacity-type, operator: In, values: [reserved]}
      - {key: kubernetes.io/arch, operator: In, values: [amd64]}
      - {key: kubernetes.io/os, operator: In, values: [linux]}
      - {key: node.kubernetes.io/instance-type, operator: In, values: [p5.48xlarge]}
      - {key: topology.kubernetes.io/zone, operator: In, values: [us-east-1a, us-east-1b]}
      taints: [{key: nvidia.com/gpu, value: present, effect: NoSchedule}]
      expireAfter: Never
  disruption:
    consolidationPolicy: WhenEmpty
    consolidateAfter: 30m
    budgets:
    - {nodes: 100%, reasons: [Empty]}
    - {nodes: "0", reasons: [Drifted, Underutilized]}
  limits: {cpu: "2304", nodes: "12"}
"""


def made(platform: Platform) -> list[Document]:
    (pool,) = platform.pools
    return list(node_pools(pool))


def test_a_minimum_size_stands_in_a_node_pool_of_its_own_beside_the_one_that_grows(
    platform_with: PlatformWith,
) -> None:
    growing = yaml.safe_load(NODE_POOL)
    least = yaml.safe_load(NODE_POOL)
    least["metadata"]["name"] = "pool.minimum"
    least["spec"] |= {"limits": {"nodes": "5"}, "replicas": 4}
    assert made(platform_with("eks", RESERVED)) == [least, growing]


@pytest.mark.parametrize(
    ("nodes", "limits"),
    [
        ("{max: 3}", {"pool": "3"}),
        ("{min: 1, max: 3}", {"pool": "2", "pool.minimum": "2"}),
        ("{min: 3, max: 3}", {"pool.minimum": "4"}),
    ],
)
def test_node_pools_together_grow_to_the_maximum_size(
    platform_with: PlatformWith, nodes: str, limits: dict[str, str]
) -> None:
    pool = f"{{instanceType: g6.xlarge, purpose: batch, nodes: {nodes}}}"
    found = {
        document["metadata"]["name"]: document["spec"]["limits"]["nodes"]
        for document in made(platform_with("eks", pool))
    }
    assert found == limits


@pytest.mark.parametrize(
    ("purpose", "policy", "expiry", "grace", "at_once"),
    [
        ("training", "WhenEmpty", "Never", None, "0"),
        ("batch", "WhenEmpty", "720h", "6h", "1"),
        ("notebooks", "WhenEmpty", "720h", "12h", "1"),
        ("inference", "WhenEmptyOrUnderutilized", "720h", "1h", "1"),
    ],
)
def test_the_purpose_decides_when_a_node_may_go(
    platform_with: PlatformWith,
    purpose: str,
    policy: str,
    expiry: str,
    grace: str | None,
    at_once: str,
) -> None:
    pool = f"{{instanceType: g6.xlarge, purpose: {purpose}, nodes: {{max: 3}}}}"
    (found,) = made(platform_with("eks", pool))
    spec = found["spec"]
    template = spec["template"]["spec"]
    assert (
        spec["disruption"]["consolidationPolicy"],
        template["expireAfter"],
        template.get("terminationGracePeriod"),
        spec["disruption"]["budgets"],
    ) == (
        policy,
        expiry,
        grace,
        [
            {"nodes": "100%", "reasons": ["Empty"]},
            {"nodes": at_once, "reasons": ["Drifted", "Underutilized"]},
        ],
    )


@pytest.mark.parametrize("purpose", list(Purpose))
def test_nodes_of_the_minimum_never_expire(platform_with: PlatformWith, purpose: Purpose) -> None:
    pool = f"{{instanceType: g6.xlarge, purpose: {purpose}, nodes: {{min: 2, max: 2}}}}"
    (minimum,) = made(platform_with("eks", pool))
    assert minimum["spec"]["template"]["spec"]["expireAfter"] == "Never"


@pytest.mark.parametrize("purpose", list(Purpose))
def test_nodes_of_a_capacity_block_stay_until_they_are_drained_before_its_end(
    platform_with: PlatformWith, purpose: Purpose
) -> None:
    pool = (
        f"{{instanceType: p5.48xlarge, purpose: {purpose}, nodes: {{max: 3}}, "
        "purchase: capacity-block, reservation: cr-0123456789abcdef0}"
    )
    (found,) = made(platform_with("eks", pool))
    spec = found["spec"]
    template = spec["template"]["spec"]
    assert spec["disruption"] == {
        "consolidationPolicy": "WhenEmpty",
        "consolidateAfter": "Never",
        "budgets": [
            {"nodes": "100%", "reasons": ["Empty"]},
            {"nodes": "0", "reasons": ["Drifted", "Underutilized"]},
        ],
    }
    assert (template["expireAfter"], template["terminationGracePeriod"]) == ("Never", "10m")
    assert template["requirements"][:2] == [
        {"key": "karpenter.sh/capacity-type", "operator": "In", "values": ["reserved"]},
        {
            "key": "karpenter.k8s.aws/capacity-reservation-type",
            "operator": "In",
            "values": ["capacity-block"],
        },
    ]


def test_spot_nodes_carry_the_taint_that_pods_opt_in_to(
    platform_with: PlatformWith,
) -> None:
    pool = "{instanceType: g6.xlarge, purpose: batch, nodes: {max: 3}, purchase: spot}"
    (found,) = made(platform_with("eks", pool))
    template = found["spec"]["template"]["spec"]
    assert template["requirements"][0]["values"] == ["spot"]
    assert template["taints"] == [
        {"key": "nvidia.com/gpu", "value": "present", "effect": "NoSchedule"},
        {"key": "gpuplane.io/purchase", "value": "spot", "effect": "NoSchedule"},
    ]


def test_nodes_start_with_the_taints_that_a_component_takes_off(
    platform_with: Callable[..., Platform],
) -> None:
    pool = "{instanceType: g6.xlarge, purpose: batch, nodes: {min: 1, max: 2}}"
    (found,) = platform_with("eks", pool).pools
    starting = Taint("example.com/starting", "true", "NoSchedule")
    templates = [each["spec"]["template"]["spec"] for each in node_pools(found, (starting,))]
    assert [template["startupTaints"] for template in templates] == [
        [{"key": "example.com/starting", "value": "true", "effect": "NoSchedule"}]
    ] * 2
    assert not any("startupTaints" in str(document) for document in node_pools(found))
