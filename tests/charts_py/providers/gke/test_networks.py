"""The networks that the GPUs of a machine on GKE talk over."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from gpus.catalog import load_catalog
from gpus.provider import Provider

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from charts_py.objects.document import Document
    from charts_py.platform.platform import Platform

    ObjectsOf = Callable[[Platform], Mapping[str, Document]]

CLUSTER = """
provider: gke
region: us-central1
kubernetes: "1.35"
version: 1.0.0
gitops: {{repository: https://github.com/example/platform.git}}
gke:
  project: example
  clusterName: training
  location: us-central1
  provisioner: {provisioner}
  workloadPolicy: racks
  networks:
    gpudirect-tcpx: {networks}
    gpudirect-tcpxo: {networks}
    roce: {networks}
pools:
  pool:
    instanceType: {machine}
    purpose: batch
    nodes: {{max: 2}}
    purchase: spot
    zones: [us-central1-a]
    {fields}
"""

NETWORKS = [f"{{network: net-{number}, subnetwork: sub-{number}}}" for number in range(9)]

NEEDED = {
    "a2-ultragpu-8g": 0,
    "a3-highgpu-8g": 4,
    "a3-megagpu-8g": 8,
    "a3-ultragpu-8g": 9,
    "a4-highgpu-8g": 9,
    "a4x-highgpu-4g": 5,
}
"""https://github.com/GoogleCloudPlatform/cluster-toolkit at 104708037, examples/gke-*"""


@pytest.fixture
def spec_of(
    platform_of: Callable[[str], Platform], objects_of: ObjectsOf
) -> Callable[..., Document]:
    def spec(provisioner: str, machine: str, fields: str = "") -> Document:
        networks = f"[{', '.join(NETWORKS)}]"
        filled = CLUSTER.format(
            provisioner=provisioner, machine=machine, networks=networks, fields=fields
        )
        (document,) = objects_of(platform_of(filled)).values()
        made: Document = document["spec"]
        return made

    return spec


@pytest.mark.parametrize("machine", NEEDED)
def test_a_node_has_an_interface_in_each_network_that_its_gpus_talk_over(
    spec_of: Callable[..., Document], machine: str
) -> None:
    expected = [
        {
            "networkRef": {"external": f"projects/example/global/networks/net-{number}"},
            "subnetworkRef": {
                "external": f"projects/example/regions/us-central1/subnetworks/sub-{number}"
            },
        }
        for number in range(NEEDED[machine])
    ]
    config = spec_of("config-connector", machine).get("networkConfig")
    assert config == ({"additionalNodeNetworkConfigs": expected} if expected else None)


@pytest.mark.parametrize("machine", load_catalog().instance_types[Provider.GKE])
def test_only_a_node_with_such_networks_is_labelled_by_them(
    spec_of: Callable[..., Document], machine: str
) -> None:
    made = spec_of("config-connector", machine)
    labels = made["nodeConfig"]["labels"]
    assert ("networkConfig" in made) is (labels["gpuplane.io/interconnect"] != "ethernet")


@pytest.mark.parametrize("machine", load_catalog().instance_types[Provider.GKE])
def test_gke_makes_the_networks_of_a_class_and_gives_them_to_claims(
    spec_of: Callable[..., Document], machine: str
) -> None:
    made = spec_of("compute-class", machine)
    (priority,), config = made["priorities"], made["nodePoolConfig"]
    is_linked = config["nodeLabels"]["gpuplane.io/interconnect"] != "ethernet"
    found = (priority.get("acceleratorNetworkProfile"), config.get("dra"))
    assert found == (("auto", {"networking": {"enabled": True}}) if is_linked else (None, None))


@pytest.mark.parametrize("provisioner", ["config-connector", "compute-class"])
def test_a_pool_on_ethernet_has_no_further_network(
    spec_of: Callable[..., Document], provisioner: str
) -> None:
    made = spec_of(provisioner, "a3-megagpu-8g", "interconnect: ethernet")
    assert "networkConfig" not in made
    assert "acceleratorNetworkProfile" not in made.get("priorities", [{}])[0]


@pytest.mark.parametrize(
    ("machine", "placement"),
    [
        (
            "a4x-highgpu-4g",
            {
                "type": "COMPACT",
                "policyNameRef": {
                    "external": "projects/example/regions/us-central1/resourcePolicies/racks"
                },
            },
        ),
        ("a4-highgpu-8g", None),
    ],
)
def test_racks_are_placed_by_their_workload_policy(
    spec_of: Callable[..., Document], machine: str, placement: dict[str, object] | None
) -> None:
    assert spec_of("config-connector", machine).get("placementPolicy") == placement
    (priority,) = spec_of("compute-class", machine)["priorities"]
    assert priority.get("placement") == ({"policyName": "racks"} if placement else None)
