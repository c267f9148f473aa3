"""What only one provider has, by its objects."""

import pytest

from gpuplane.adoption.commented import Commented
from gpuplane.adoption.nodes import FoundNode
from gpuplane.adoption.provider_fields import provider_fields
from gpus.provider import Provider
from tests.gpuplane.adoption.conftest import Reading

NODE_CLASS = """
apiVersion: karpenter.k8s.aws/v1
kind: EC2NodeClass
metadata: {{name: gpu}}
spec:
  subnetSelectorTerms:
    - tags: {{karpenter.sh/discovery: {}}}
"""


@pytest.mark.parametrize(("tag", "name"), [("research", "research"), ("true", "True")])
def test_the_tag_by_which_karpenter_finds_subnets_names_the_cluster(
    inventory_of: Reading, tag: str, name: str
) -> None:
    fields = provider_fields(Provider.EKS, inventory_of(NODE_CLASS.format(tag)), ())
    assert fields["eks"].value["clusterName"] == Commented(name, "EC2NodeClass gpu")


CNI = """
apiVersion: apps/v1
kind: DaemonSet
metadata: {{namespace: {}, name: {}}}
spec:
  template: {{spec: {{containers: [{{env: [{{name: {}, value: "{}"}}]}}]}}}}
"""
DELEGATES = "ENABLE_PREFIX_DELEGATION"


@pytest.mark.parametrize(
    ("said", "found"),
    [
        (("kube-system", "aws-node", DELEGATES, "true"), True),
        (("kube-system", "aws-node", DELEGATES, "false"), False),
        (("kube-system", "aws-node", "ENABLE_POD_ENI", "true"), False),
        (("kube-system", "cilium", DELEGATES, "true"), False),
        (("team", "aws-node", DELEGATES, "true"), False),
    ],
)
def test_the_vpc_cni_alone_says_whether_it_delegates_prefixes(
    inventory_of: Reading, said: tuple[str, ...], *, found: bool
) -> None:
    fields = provider_fields(Provider.EKS, inventory_of(CNI.format(*said)), ())
    assert ("prefixDelegation" in fields["eks"].value) is found


@pytest.mark.parametrize(
    ("label", "provisioner"),
    [
        ("eks.amazonaws.com/nodegroup", Commented("eksctl", "Node a is of a node group")),
        ("alpha.eksctl.io/nodegroup-name", Commented("eksctl", "Node a is of a node group")),
        ("karpenter.sh/nodepool", None),
    ],
)
def test_nodes_of_a_node_group_are_made_by_eksctl(
    inventory_of: Reading, label: str, provisioner: Commented | None
) -> None:
    nodes = (FoundNode("b", {}, (), {}, "", None), FoundNode("a", {label: "x"}, (), {}, "", None))
    fields = provider_fields(
        Provider.EKS, inventory_of("{apiVersion: v1, kind: Namespace, metadata: {name: a}}"), nodes
    )
    assert fields["eks"].value.get("provisioner") == provisioner
