"""What only one provider has, by its objects."""

import pytest

from gpuplane.adoption.commented import Commented
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
