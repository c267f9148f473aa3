"""Managed node groups made with eksctl."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import yaml
from jsonschema import Draft7Validator

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from charts_py.objects.document import Document
    from charts_py.platform.platform import Platform

    PlatformWith = Callable[..., Platform]
    ObjectsOf = Callable[[Platform], Mapping[str, Document]]

SCHEMA = Path(__file__).parents[4] / "upstream/schemas/crds/eksctl.io/clusterconfig_v1alpha5.json"
TEMPLATE = "k8s.io/cluster-autoscaler/node-template"

CLUSTER_CONFIG = """
apiVersion: eksctl.io/v1alpha5
kind: ClusterConfig
metadata: {name: training, region: us-east-1, version: "1.35"}
managedNodeGroups:
- name: pool
  instanceTypes: [p5.48xlarge]
  amiFamily: AmazonLinux2023
  releaseVersion: 1.35.6-20260714
  labels:
    gpuplane.io/gpu-model: h100
    gpuplane.io/interconnect: efa
    gpuplane.io/nvlink: "true"
    gpuplane.io/pool: pool
    gpuplane.io/purchase: reserved
    gpuplane.io/purpose: training
    k8s.amazonaws.com/accelerator: h100
    nvidia.com/gpu.product: NVIDIA-H100-80GB-HBM3
    nvidia.com/mig.config: all-disabled
  tags:
    TEMPLATE/autoscaling-options/ignoredaemonsetsutilization: "true"
    TEMPLATE/autoscaling-options/scaledowngpuutilizationthreshold: "0"
    TEMPLATE/autoscaling-options/scaledownutilizationthreshold: "0"
    TEMPLATE/resources/ephemeral-storage: 24065Gi
    TEMPLATE/resources/pods: "100"
    TEMPLATE/resources/vpc.amazonaws.com/efa: "32"
    TEMPLATE/taint/nvidia.com/gpu: present:NoSchedule
  taints: [{key: nvidia.com/gpu, value: present, effect: NoSchedule}]
  minSize: 6
  desiredCapacity: 6
  maxSize: 16
  maxPodsPerNode: 100
  privateNetworking: true
  disablePodIMDS: true
  volumeSize: 200
  volumeEncrypted: true
  propagateASGTags: true
  capacityReservation: {capacityReservationTarget: {capacityReservationID: cr-0123456789abcdef0}}
  availabilityZones: [us-east-1a]
  efaEnabled: true
  overrideBootstrapCommand: |
    apiVersion: node.eks.aws/v1alpha1
    kind: NodeConfig
    spec:
      instance:
        localStorage:
          strategy: RAID0
"""

RESERVED = """
    instanceType: p5.48xlarge
    purpose: training
    nodes: {min: 4, max: 16, warm: 6}
    purchase: reserved
    reservation: cr-0123456789abcdef0
    zones: [us-east-1a]
"""

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


def test_a_cluster_config_as_a_whole(platform_with: PlatformWith, objects_of: ObjectsOf) -> None:
    objects = objects_of(platform_with("eksctl", RESERVED))
    assert objects == {
        "ClusterConfig training": yaml.safe_load(CLUSTER_CONFIG.replace("TEMPLATE", TEMPLATE))
    }


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
    platform_of: Callable[[str], Platform], sample: Callable[..., str], objects_of: ObjectsOf
) -> None:
    def repair(*changes: tuple[str, str]) -> object:
        objects = objects_of(platform_of(sample("eksctl", *changes)))
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
    sample: Callable[..., str], platform_of: Callable[[str], Platform], objects_of: ObjectsOf
) -> None:
    """Its tolerations: eksctl v0.230.0 pkg/addons/assets/efa-device-plugin.yaml."""
    tolerated = {"CriticalAddonsOnly", "aws.amazon.com/efa"}
    text = sample("eksctl", ("instanceType: g5.2xlarge", EFA_ON_SPOT))
    groups = objects_of(platform_of(text))["ClusterConfig training"]["managedNodeGroups"]
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
    sample: Callable[..., str], platform_of: Callable[[str], Platform], objects_of: ObjectsOf
) -> None:
    config = objects_of(platform_of(sample("eksctl")))["ClusterConfig training"]
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
