from pathlib import Path

import pytest

from charts_py.objects.document import Document
from charts_py.platform.platform import Platform
from tests.e2e.more.karpenter.instance_types import instance_types, translated
from tests.e2e.releases.objects import read_release


@pytest.fixture(scope="module")
def node_pools(release: Path) -> list[Document]:
    return read_release(release, "node-pools")


def test_only_classes_of_nodes_and_references_to_them_are_translated(
    node_pools: list[Document],
) -> None:
    assert {each["kind"] for each in node_pools} >= {"EC2NodeClass", "NodePool", "NodeOverlay"}
    for before in node_pools:
        after = translated(before)
        if before["kind"] == "EC2NodeClass":
            assert (after["kind"], after["spec"]) == ("KWOKNodeClass", {})
            assert after["metadata"]["name"] == before["metadata"]["name"]
        elif before["kind"] == "NodePool":
            reference = after["spec"]["template"]["spec"].pop("nodeClassRef")
            stated = before["spec"]["template"]["spec"]
            assert reference == {
                "group": "karpenter.kwok.sh",
                "kind": "KWOKNodeClass",
                "name": stated["nodeClassRef"]["name"],
            }
            after["spec"]["template"]["spec"]["nodeClassRef"] = stated["nodeClassRef"]
            assert after == before
        else:
            assert after == before


def test_an_instance_type_has_what_the_tables_say(platform: Platform) -> None:
    types = {each["name"]: each for each in instance_types(platform)}
    offerings = types["p5.48xlarge"].pop("offerings")
    assert types["p5.48xlarge"] == {
        "name": "p5.48xlarge",
        "architecture": "amd64",
        "operatingSystems": ["linux"],
        "resources": {
            "cpu": "192",
            "memory": str(2 * 2**40),
            "pods": "110",
            "nvidia.com/gpu": "8",
            "vpc.amazonaws.com/efa": "32",
        },
    }
    offered = {tuple(each["values"][0] for each in one["Requirements"]) for one in offerings}
    assert ("reserved", "us-east-1a") in offered
    assert len(offered) == len(offerings) == 9
