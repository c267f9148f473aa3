import pytest

from gpuplane.adoption.node_group import NodeGroup
from gpuplane.adoption.node_marks import mark_fields
from gpus.provider import Provider


@pytest.mark.parametrize(
    ("taints", "which"),
    [
        ((), "pods without GPUs"),
        (("team=llm:NoSchedule",), "pods without GPUs that tolerate its taints"),
    ],
)
def test_who_starts_on_nodes_without_the_taint_of_gpus_is_told(
    taints: tuple[str, ...], which: str
) -> None:
    group = NodeGroup("a", taints=taints, instance_types=("p5.48xlarge",))
    fields = mark_fields(group, "nvidia.com/gpu", None, Provider.EKS)
    assert fields["taint"].notes == (
        f"{which} start on its nodes today; without this line, they are tainted",
    )
