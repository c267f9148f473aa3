"""Platforms with given pools, and what their nodes are made from."""

from collections.abc import Mapping

import pytest

from charts_py.components.node_pools import NODE_POOLS
from charts_py.objects.document import Document
from charts_py.platform.platform import Platform
from tests.charts_py.fixture_types import DocumentsOf, Load, ObjectsOf, PlatformWith

HEAD = """
version: 1.0.0
kubernetes: "1.35"
gitops: {repository: https://github.com/example/gpu-platform.git}
"""

PROVIDERS = {
    "eks": """
provider: eks
region: us-east-1
eks: {clusterName: training, nodeRole: nodes, provisioner: karpenter}
""",
    "eks-ubuntu": """
provider: eks
region: us-east-1
eks: {clusterName: training, nodeRole: nodes, imageRelease: "20260709"}
""",
    "eksctl": """
provider: eks
region: us-east-1
eks: {clusterName: training, nodeRole: nodes, provisioner: eksctl}
""",
    "gke": """
provider: gke
region: europe-west4
gke: {project: example, clusterName: inference, location: europe-west4}
""",
    "compute-class": """
provider: gke
region: europe-west4
gke:
  project: example
  clusterName: inference
  location: europe-west4
  provisioner: compute-class
""",
    "aks": """
provider: aks
region: westeurope
aks:
  subscription: 00000000-0000-0000-0000-000000000000
  resourceGroup: gpu-platform
  clusterName: mixed
""",
    "onprem": """
provider: onprem
region: datacenter-1
""",
}


@pytest.fixture
def platform_with(platform_of: Load) -> PlatformWith:
    """Return the function that loads a provider's platform with one pool, named `pool`."""

    def load(provider: str, pool: str, **settings: str) -> Platform:
        optional = "".join(f"{name}: {value}\n" for name, value in settings.items())
        return platform_of(f"{PROVIDERS[provider]}{HEAD}{optional}pools:\n  pool: {pool}\n")

    return load


@pytest.fixture
def objects_of(documents_of_component: DocumentsOf) -> ObjectsOf:
    """Return the function that emits what makes a platform's nodes, by `Kind name`."""

    def emit(platform: Platform) -> Mapping[str, Document]:
        return {
            f"{document['kind']} {document['metadata']['name']}": document
            for component in NODE_POOLS.plan(platform)
            for document in documents_of_component(component)
        }

    return emit
