from policies.operation import Operation
from policies.rules.team_labels import RULE
from tests.policies.conftest import found, gpu_pod, message

LABELS = {"gpuplane.io/team": "research", "gpuplane.io/cost-center": "4711"}


def test_labels_are_added_together_where_there_are_none() -> None:
    (finding,) = found(RULE, gpu_pod(), "training")
    assert finding.fix == (Operation("add", "/metadata/labels", LABELS),)


def test_only_missing_labels_are_added() -> None:
    pod = gpu_pod()
    pod["metadata"]["labels"] = {"gpuplane.io/team": "research"}
    (finding,) = found(RULE, pod, "training")
    assert finding.fix == (Operation("add", "/metadata/labels/gpuplane.io~1cost-center", "4711"),)


def test_another_value_is_refused_and_not_replaced() -> None:
    pod = gpu_pod()
    pod["metadata"]["labels"] = LABELS | {"gpuplane.io/cost-center": "1"}
    assert message(found(RULE, pod, "training")) == (
        "/metadata/labels/gpuplane.io~1cost-center The pod is labelled gpuplane.io/cost-center "
        "1, "
        "but its namespace belongs to 4711. Set the label to 4711, or leave it out."
    )


def test_a_namespace_of_no_team_has_no_labels() -> None:
    assert found(RULE, gpu_pod(), "foreign") == []
