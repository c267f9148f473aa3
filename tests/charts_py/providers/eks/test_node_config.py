import pytest
import yaml

from tests.charts_py.fixture_types import ObjectsOf, PlatformWith

ALIGNED = {
    "kubelet": {"config": {"cpuManagerPolicy": "static", "topologyManagerPolicy": "best-effort"}}
}
DISKS = {"instance": {"localStorage": {"strategy": "RAID0"}}}


@pytest.mark.parametrize(
    ("machine", "by_karpenter", "by_eksctl"),
    [("g6e.xlarge, numa: best-effort", ALIGNED, DISKS | ALIGNED), ("g6e.xlarge", None, DISKS)],
)
def test_kubelets_are_set_beside_what_karpenter_and_eksctl_say_themselves(
    platform_with: PlatformWith,
    objects_of: ObjectsOf,
    machine: str,
    by_karpenter: object,
    by_eksctl: object,
) -> None:
    pool = f"{{instanceType: {machine}, purpose: batch, nodes: {{max: 1}}}}"
    node_class = objects_of(platform_with("eks", pool))["EC2NodeClass pool"]
    config = objects_of(platform_with("eksctl", pool))["ClusterConfig training"]
    (group,) = config["managedNodeGroups"]
    assert _spec(node_class["spec"].get("userData")) == by_karpenter
    assert _spec(group.get("overrideBootstrapCommand")) == by_eksctl


def _spec(text: str | None) -> object:
    if text is None:
        return None
    config = yaml.safe_load(text)
    assert (config["apiVersion"], config["kind"]) == ("node.eks.aws/v1alpha1", "NodeConfig")
    return config["spec"]
