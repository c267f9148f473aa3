import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
from jsonschema import Draft7Validator

from charts_py.components.team.quota import limit_range, quota_bounds
from charts_py.platform.platform import Platform
from charts_py.providers.eks.eksctl import autoscaler_labels, autoscaler_tags
from gpus.allocator import Allocator
from tests.charts_py.fixture_types import Load, ObjectsOf, PlatformWith, Sample
from tests.rows import rows_beside

each_row = rows_beside(__file__, "eksctl.yaml")

SCHEMA = Path(__file__).parents[4] / "upstream/schemas/crds/eksctl.io/clusterconfig_v1alpha5.json"

G6 = "instanceType: g6.xlarge, purpose: batch, nodes: {max: 1}"
EFA_ON_SPOT = "instanceType: g5.8xlarge\n    purchase: spot\n    zones: [us-east-1b]"

T4G = """
  models:
    T4G:
      vendor: nvidia
      architecture: turing
      product: NVIDIA-T4G
      memory: 15360Mi
      pciDevice: 1eb4
      hostArchitecture: arm64
  instanceTypes:
    eks:
      g5g.xlarge: {gpu: T4G, gpus: 1, cpu: 4, memory: 8Gi}
"""


@pytest.mark.parametrize(
    ("purchase", "fields"),
    [
        ("spot", {"spot": True}),
        ("on-demand", {}),
        ("reserved", {"capacityReservation": {"capacityReservationPreference": "open"}}),
    ],
)
def test_a_node_group_is_bought_as_the_pool_says(
    platform_with: PlatformWith, objects_of: ObjectsOf, purchase: str, fields: dict[str, object]
) -> None:
    objects = objects_of(platform_with("eksctl", f"{{{G6}, purchase: {purchase}}}"))
    (group,) = objects["ClusterConfig training"]["managedNodeGroups"]
    keys = ("spot", "capacityReservation")
    assert {key: group[key] for key in keys if key in group} == fields


def test_nodes_are_repaired_where_the_cluster_asks_for_it(
    platform_after: PlatformWith, objects_of: ObjectsOf
) -> None:
    def repair(*changes: tuple[str, str]) -> object:
        objects = objects_of(platform_after("eksctl", *changes))
        (group, *_) = objects["ClusterConfig training"]["managedNodeGroups"]
        return group.get("nodeRepairConfig")

    assert repair(("  nodeRepair: true\n", "")) is None
    assert repair() == {"enabled": True}


def test_an_operator_that_owns_the_driver_gets_ubuntu(
    platform_with: PlatformWith, objects_of: ObjectsOf
) -> None:
    objects = objects_of(platform_with("eksctl", f"{{{G6}}}", driver="{owner: operator}"))
    (group,) = objects["ClusterConfig training"]["managedNodeGroups"]
    assert (group["amiFamily"], group.get("releaseVersion")) == ("Ubuntu2404", None)


@pytest.mark.parametrize(
    ("instance_type", "driver", "is_joined"),
    [
        ("g6.xlarge", "{}", True),
        ("g5g.xlarge", "{}", False),
        ("g6.xlarge", "{owner: operator}", False),
    ],
)
def test_both_provisioners_join_the_local_disks_of_the_same_machines(
    platform_with: PlatformWith,
    objects_of: ObjectsOf,
    instance_type: str,
    driver: str,
    is_joined: bool,
) -> None:
    pool = f"{{instanceType: {instance_type}, purpose: batch, nodes: {{max: 1}}}}"
    settings = {"driver": driver, "hardware": T4G}
    config = objects_of(platform_with("eksctl", pool, **settings))["ClusterConfig training"]
    karpenter = "eks" if driver == "{}" else "eks-ubuntu"
    node_class = objects_of(platform_with(karpenter, pool, **settings))["EC2NodeClass pool"]
    (group,) = config["managedNodeGroups"]
    joined = ("overrideBootstrapCommand" in group, "instanceStorePolicy" in node_class["spec"])
    assert joined == (is_joined, is_joined)


def test_the_device_plugin_that_eksctl_brings_for_efa_stays_off_all_nodes_with_efa(
    platform_after: PlatformWith, objects_of: ObjectsOf
) -> None:
    """Its tolerations: eksctl v0.230.0 pkg/addons/assets/efa-device-plugin.yaml."""
    tolerated = {"CriticalAddonsOnly", "aws.amazon.com/efa"}
    groups = objects_of(platform_after("eksctl", ("instanceType: g5.2xlarge", EFA_ON_SPOT)))[
        "ClusterConfig training"
    ]["managedNodeGroups"]
    kept_off = {
        group["name"]: {taint["key"] for taint in group["taints"]} - tolerated
        for group in groups
        if group.get("efaEnabled")
    }
    assert kept_off == {
        "h100": {"nvidia.com/gpu"},
        "a10g": {"nvidia.com/gpu", "gpuplane.io/purchase"},
    }


def test_no_provisioner_lets_pods_have_the_credentials_of_the_node(
    platform_with: PlatformWith, objects_of: ObjectsOf
) -> None:
    """`disablePodIMDS` is a hop limit of 1 (eksctl v0.230.0 pkg/cfn/builder/nodegroup.go)."""
    config = objects_of(platform_with("eksctl", f"{{{G6}}}"))["ClusterConfig training"]
    node_class = objects_of(platform_with("eks", f"{{{G6}}}"))["EC2NodeClass pool"]
    (group,) = config["managedNodeGroups"]
    hop_limit = node_class["spec"]["metadataOptions"]["httpPutResponseHopLimit"]
    assert (group["disablePodIMDS"], hop_limit) == (True, 1)


def test_eksctl_is_told_of_the_vpc_of_a_cluster_that_it_did_not_make(
    platform_after: PlatformWith, objects_of: ObjectsOf
) -> None:
    config = objects_of(platform_after("eksctl"))["ClusterConfig training"]
    assert config["vpc"] == {
        "id": "vpc-0123456789abcdef0",
        "securityGroup": "sg-0123456789abcdef0",
        "subnets": {
            "private": {
                "us-east-1a": {"id": "subnet-0123456789abcdef0"},
                "us-east-1b": {"id": "subnet-0123456789abcdef1"},
            }
        },
    }
    assert list(Draft7Validator(json.loads(SCHEMA.read_text())).iter_errors(config)) == []


RESOURCES = "k8s.io/cluster-autoscaler/node-template/resources/"
OPTIONS = "k8s.io/cluster-autoscaler/node-template/autoscaling-options/"
TAINTS = "k8s.io/cluster-autoscaler/node-template/taint/"
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


@each_row("offers")
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
    sample: Sample, platform_of: Load
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
    [("training", ONLY_EMPTY), ("batch", ONLY_EMPTY), ("notebooks", ONLY_EMPTY), ("inference", {})],
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


def test_nodes_start_with_taints_that_the_autoscaler_is_told_of_and_plans_without(
    platform_after: PlatformWith, objects_of: ObjectsOf
) -> None:
    """GPUs in turns are testable, too."""
    burnt_in = "addons: {nodeReadiness: true, gpuHealth: {burnIn: {}}}\npools:\n"
    config = objects_of(platform_after("eksctl", ("pools:\n", burnt_in)))["ClusterConfig training"]
    for group in config["managedNodeGroups"]:
        startup = [
            taint["key"]
            for taint in group["taints"]
            if taint["key"].startswith("readiness.k8s.io/")
        ]
        assert startup == ["readiness.k8s.io/gpu-not-ready", "readiness.k8s.io/gpu-burn-in"]
        assert not any("readiness.k8s.io" in tag for tag in group["tags"])
