"""Whatever an export holds, it is read or told of."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from charts_py.adoption.adoption import cluster_file
from charts_py.adoption.adoption_error import AdoptionError
from charts_py.adoption.checked_file import check_file
from charts_py.adoption.found_object import FoundObject, Inventory

KINDS = {
    "Node": "v1",
    "NodePool": "karpenter.sh/v1",
    "EC2NodeClass": "karpenter.k8s.aws/v1",
    "ContainerNodePool": "container.cnrm.cloud.google.com/v1beta1",
    "ManagedClustersAgentPool": "containerservice.azure.com/v1api20240901",
    "NodeFeatureRule": "nfd.k8s-sigs.io/v1alpha1",
    "CapacityBuffer": "autoscaling.x-k8s.io/v1beta1",
    "ClusterPolicy": "nvidia.com/v1",
    "Application": "argoproj.io/v1alpha1",
    "ConfigMap": "v1",
    "Namespace": "v1",
    "ResourceQuota": "v1",
    "RoleBinding": "rbac.authorization.k8s.io/v1",
    "PriorityClass": "scheduling.k8s.io/v1",
    "DaemonSet": "apps/v1",
}
KEYS = st.sampled_from(
    [
        *("metadata", "name", "namespace", "labels", "annotations", "spec", "status", "capacity"),
        *("template", "requirements", "key", "operator", "values", "limits", "nodes", "taints"),
        *("nodeConfig", "autoscaling", "rules", "hard", "subjects", "roleRef", "value", "data"),
        *("nvidia.com/gpu", "nvidia.com/gpu.product", "cpu", "memory", "providerID", "source"),
        *("example.com/team", "requests.nvidia.com/gpu", "sharing", "driver", "helm", "values"),
    ]
)
SCALARS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False)
    | st.text(max_size=8)
    | st.sampled_from(
        ["8", "NVIDIA-L4", "aws:///a/b", "mig-configs: 5", "sharing: {mps: []}", "In"]
    )
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=5),
    max_leaves=15,
)

GPU_NODE: dict[str, Any] = {
    "apiVersion": "v1",
    "kind": "Node",
    "metadata": {"name": "gpu", "labels": {"nvidia.com/gpu.product": "NVIDIA-L4"}},
    "status": {"capacity": {"nvidia.com/gpu": "4", "cpu": "8", "memory": "64Gi"}},
}


@st.composite
def objects(draw: st.DrawFn) -> FoundObject:
    kind = draw(st.sampled_from(sorted(KINDS)))
    fields = draw(st.dictionaries(KEYS, VALUES, max_size=5))
    return FoundObject({**fields, "apiVersion": KINDS[kind], "kind": kind}, "an export")


@given(st.lists(objects(), max_size=4))
def test_any_objects_make_a_file_that_can_be_read(found: list[FoundObject]) -> None:
    inventory = Inventory((FoundObject(GPU_NODE, "an export"), *found), "an export")
    try:
        text = cluster_file(inventory)
    except AdoptionError:
        return  # objects of two providers
    faults = check_file(text, "sample", None).faults
    assert [fault for fault in faults if "YAML" in fault.problem.what] == []
