"""What the cluster autoscaler is told of an empty node group."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from charts_py.components.team.limit_range import limit_range
from charts_py.components.team.quota import quota_bounds
from charts_py.providers.eks.autoscaler_hints import autoscaler_labels, autoscaler_tags
from gpus.allocator import Allocator

if TYPE_CHECKING:
    from collections.abc import Callable

    from charts_py.platform.platform import Platform

    PlatformWith = Callable[..., Platform]

RESOURCES = "k8s.io/cluster-autoscaler/node-template/resources/"
OPTIONS = "k8s.io/cluster-autoscaler/node-template/autoscaling-options/"
TAINTS = "k8s.io/cluster-autoscaler/node-template/taint/"
G6 = "instanceType: g6.xlarge, purpose: batch, nodes: {max: 1}"
MIG = "sharing: {mig: {1g.10gb: 2, 2g.20gb: 1, 3g.40gb: 1}}, interconnect: ethernet"
P4 = f"instanceType: p4de.24xlarge, purpose: batch, nodes: {{max: 1}}, {MIG}"

TEAM = """
priorities: {batch: {value: 100}}
teams:
  research:
    owner: research@example.com
    costCenter: "4711"
    members: {users: [research]}
    priorities: [batch]
    namespaces:
      research:
        purpose: batch
        quota:
          gpus: {h100: 8, a10g: 4}
          cpu: 100
          memory: 1Ti
          storage: 1Ti
          ephemeralStorage: 2Ti
"""
BY_INSTANCE_TYPE = {"cpu", "memory", "nvidia.com/gpu"}
"""What the autoscaler knows without a tag (`buildNodeFromTemplate` in its aws_manager.go)."""


def tagged(platform: Platform, prefix: str) -> dict[str, str]:
    (pool,) = platform.pools
    tags = autoscaler_tags(pool, platform).items()
    return {key.removeprefix(prefix): value for key, value in tags if key.startswith(prefix)}


@pytest.mark.parametrize(
    ("pool", "resources"),
    [
        (G6, {"ephemeral-storage": "197Gi", "pods": "58"}),
        (f"{G6}, maxPods: 20", {"ephemeral-storage": "197Gi", "pods": "20"}),
        (
            f"{G6}, sharing: {{timeSlicing: 4}}",
            {
                "ephemeral-storage": "197Gi",
                "nvidia.com/gpu": "0",
                "nvidia.com/gpu.shared": "4",
                "pods": "58",
            },
        ),
        (
            P4,
            {
                "ephemeral-storage": "6332Gi",
                "nvidia.com/gpu": "0",
                "nvidia.com/mig-1g.10gb": "16",
                "nvidia.com/mig-2g.20gb": "8",
                "nvidia.com/mig-3g.40gb": "8",
                "pods": "110",
            },
        ),
    ],
)
def test_a_group_grows_from_nothing_by_what_its_nodes_will_offer(
    platform_with: PlatformWith, pool: str, resources: dict[str, str]
) -> None:
    assert tagged(platform_with("eksctl", f"{{{pool}}}"), RESOURCES) == resources


def test_a_node_whose_disks_are_not_joined_offers_its_root_volume(
    platform_with: PlatformWith,
) -> None:
    platform = platform_with("eksctl", f"{{{G6}}}", driver="{owner: operator}")
    assert tagged(platform, RESOURCES) == {"ephemeral-storage": "170Gi", "pods": "58"}


def test_groups_grow_for_all_that_a_namespace_makes_pods_ask_for(
    sample: Callable[..., str], platform_of: Callable[[str], Platform]
) -> None:
    platform = platform_of(f"{sample('eksctl')}{TEAM}")
    (namespace,) = platform.namespaces
    limits = limit_range("research", platform.pools, bounds_disks=True)["spec"]["limits"]
    bounded = {
        name.removeprefix("requests.")
        for name in quota_bounds(platform, namespace)
        if name.startswith("requests.") and name != "requests.storage"
    }
    tags = {tag for pool in platform.pools for tag in autoscaler_tags(pool, platform)}
    told = {tag.removeprefix(RESOURCES) for tag in tags if tag.startswith(RESOURCES)}
    asked = bounded | set(limits[0]["defaultRequest"])
    assert asked == {
        "cpu",
        "ephemeral-storage",
        "memory",
        "nvidia.com/gpu",
        "nvidia.com/gpu.shared",
    }
    assert asked - BY_INSTANCE_TYPE <= told


ONLY_EMPTY = {
    # Daemons request CPU, and would keep a node whose GPUs go by another name for ever.
    "ignoredaemonsetsutilization": "true",
    "scaledowngpuutilizationthreshold": "0",
    "scaledownutilizationthreshold": "0",
}


@pytest.mark.parametrize(
    ("purpose", "options"),
    [
        ("training", ONLY_EMPTY),
        ("batch", ONLY_EMPTY),
        ("notebooks", ONLY_EMPTY),
        ("inference", {}),
    ],
)
def test_only_nodes_of_inference_are_drained_to_pack_their_pods_elsewhere(
    platform_with: PlatformWith, purpose: str, options: dict[str, str]
) -> None:
    platform = platform_with("eksctl", f"{{{G6.replace('batch', purpose)}}}")
    assert tagged(platform, OPTIONS) == options


def test_taints_are_told_with_their_effects(platform_with: PlatformWith) -> None:
    platform = platform_with("eksctl", f"{{{G6}, purchase: spot}}")
    assert tagged(platform, TAINTS) == {
        "nvidia.com/gpu": "present:NoSchedule",
        "gpuplane.io/purchase": "spot:NoSchedule",
    }


@pytest.mark.parametrize(
    ("pool", "labels"),
    [
        (G6, {"k8s.amazonaws.com/accelerator": "l4"}),
        (f"{G6}, sharing: {{timeSlicing: 4}}", {}),
        (P4, {}),
    ],
)
def test_the_autoscaler_waits_for_gpus_that_go_by_their_own_name(
    platform_with: PlatformWith, pool: str, labels: dict[str, str]
) -> None:
    (found,) = platform_with("eksctl", f"{{{pool}}}").pools
    assert autoscaler_labels(found) == labels


def test_the_autoscaler_does_not_wait_for_gpus_that_dra_gives_out(
    platform_with: PlatformWith,
) -> None:
    (pool,) = platform_with("eksctl", f"{{{G6}}}").pools
    by_dra = replace(pool, facts=replace(pool.facts, allocator=Allocator.DRA))
    assert autoscaler_labels(by_dra) == {}


def test_tags_are_written_in_what_ec2_allows(platform_with: PlatformWith) -> None:
    """https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/Using_Tags.html#tag-restrictions"""
    platform = platform_with("eksctl", f"{{{P4}, purchase: spot}}")
    tags = autoscaler_tags(platform.pools[0], platform)
    allowed = r"[A-Za-z0-9 +\-=._:/@]{1,128}"
    assert [text for tag in tags.items() for text in tag if not re.fullmatch(allowed, text)] == []
