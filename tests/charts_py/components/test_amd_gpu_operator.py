from charts_py.components.amd_gpu_operator import AMD_DEVICE_CONFIG, AMD_GPU_OPERATOR
from charts_py.components.gpu_operator.definition import GPU_OPERATOR
from tests.charts_py.fixture_types import DocumentsOf, Load, PlatformWith
from upstream.lock import committed_lock, locked_chart


def test_its_rules_come_after_their_kind_which_nvidias_operator_brings(
    example: Load, rendered: DocumentsOf
) -> None:
    platform = example("onprem")
    (amd,), (nvidia,) = AMD_GPU_OPERATOR.plan(platform), GPU_OPERATOR.plan(platform)
    assert "NodeFeatureRule" in {document["kind"] for document in rendered(amd)}
    brought = {document["metadata"]["name"] for document in rendered(nvidia)}
    assert "nodefeaturerules.nfd.k8s-sigs.io" in brought
    assert nvidia.wave < amd.wave


def test_chart_and_schema_are_of_one_version() -> None:
    pinned = [file for file in committed_lock() if file.repository == "ROCm/gpu-operator"]
    assert {file.version for file in pinned} == {locked_chart("gpu-operator-charts").chart_version}


def test_they_stand_beside_the_exporter_and_read_what_kube_state_metrics_serves(
    platform_after: PlatformWith,
) -> None:
    (group,) = AMD_DEVICE_CONFIG.rules.groups(platform_after("amd"))
    assert AMD_DEVICE_CONFIG.namespace == group.namespace
    assert group.reads_other_namespaces
