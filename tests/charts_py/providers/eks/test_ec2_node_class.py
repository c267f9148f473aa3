"""The machines that Karpenter makes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
import yaml

from charts_py.providers.eks.ec2_node_class import ec2_node_class

if TYPE_CHECKING:
    from collections.abc import Callable

    from charts_py.objects.document import Document
    from charts_py.platform.platform import Platform

    PlatformWith = Callable[..., Platform]

NODE_CLASS = """
apiVersion: karpenter.k8s.aws/v1
kind: EC2NodeClass
metadata:
  name: pool
  labels: {app.kubernetes.io/managed-by: gpuplane}
spec:
  amiSelectorTerms: [{alias: al2023@v20260714}]
  role: nodes
  subnetSelectorTerms: [{tags: {karpenter.sh/discovery: training}}]
  securityGroupSelectorTerms: [{tags: {karpenter.sh/discovery: training}}]
  kubelet: {maxPods: 200}
  blockDeviceMappings:
  - deviceName: /dev/xvda
    rootVolume: true
    ebs: {volumeSize: 200Gi, volumeType: gp3, encrypted: true, deleteOnTermination: true}
  metadataOptions: {httpEndpoint: enabled, httpPutResponseHopLimit: 1, httpTokens: required}
  tags: {gpuplane.io/pool: pool}
  capacityReservationSelectorTerms: [{id: cr-0123456789abcdef0}]
  networkInterfaces:
  - {networkCardIndex: 0, deviceIndex: 0, interfaceType: interface}
  - {networkCardIndex: 0, deviceIndex: 1, interfaceType: efa-only}
  instanceStorePolicy: RAID0
"""

G5 = "instanceType: g5.8xlarge, purpose: batch, nodes: {max: 1}"


def node_class(platform: Platform) -> Document:
    return ec2_node_class(platform.pools[0], platform)


def test_a_node_class_as_a_whole(platform_with: PlatformWith) -> None:
    bought = "purchase: reserved, reservation: cr-0123456789abcdef0, maxPods: 200"
    found = node_class(platform_with("eks", f"{{{G5}, {bought}}}"))
    assert found == yaml.safe_load(NODE_CLASS)


@pytest.mark.parametrize("purchase", ["on-demand", "spot"])
def test_only_reserved_pools_take_reservations(platform_with: PlatformWith, purchase: str) -> None:
    found = node_class(platform_with("eks", f"{{{G5}, purchase: {purchase}}}"))
    assert "capacityReservationSelectorTerms" not in found["spec"]


def test_an_operator_that_owns_the_driver_gets_an_image_without_one(
    platform_with: PlatformWith,
) -> None:
    spec = node_class(platform_with("eks-ubuntu", f"{{{G5}}}", driver="{owner: operator}"))["spec"]
    parameter = (
        "/aws/service/canonical/ubuntu/eks/24.04/1.35/stable/20260709/amd64/hvm/ebs-gp3/ami-id"
    )
    assert spec["amiFamily"] == "AL2"
    assert spec["amiSelectorTerms"] == [{"ssmParameter": parameter}]
    assert spec["blockDeviceMappings"][0]["deviceName"] == "/dev/sda1"
    assert "instanceStorePolicy" not in spec


def test_machines_without_local_disks_have_no_policy_for_them(
    platform_with: PlatformWith,
) -> None:
    pool = "{instanceType: p3.2xlarge, purpose: batch, nodes: {max: 1}}"
    spec = node_class(platform_with("eks", pool))["spec"]
    assert "instanceStorePolicy" not in spec
