from __future__ import annotations

from collections.abc import Callable

from policies.document import Document
from policies.finding import Finding
from policies.operation import Operation
from policies.rules.team_labels import RULE

Found = Callable[..., list[Finding]]
MakePod = Callable[..., Document]


def _messages(findings: list[Finding]) -> list[str]:
    return [f"{finding.path} {finding.message} {finding.remedy}" for finding in findings]


LABELS = {"gpuplane.io/team": "research", "gpuplane.io/cost-center": "4711"}


def test_labels_are_added_together_where_there_are_none(found: Found, gpu_pod: MakePod) -> None:
    (finding,) = found(RULE, gpu_pod(), "training")
    assert finding.fix == (Operation("add", "/metadata/labels", LABELS),)


def test_only_missing_labels_are_added(found: Found, gpu_pod: MakePod) -> None:
    pod = gpu_pod()
    pod["metadata"]["labels"] = {"gpuplane.io/team": "research"}
    (finding,) = found(RULE, pod, "training")
    assert finding.fix == (Operation("add", "/metadata/labels/gpuplane.io~1cost-center", "4711"),)


def test_another_value_is_refused_and_not_replaced(found: Found, gpu_pod: MakePod) -> None:
    pod = gpu_pod()
    pod["metadata"]["labels"] = LABELS | {"gpuplane.io/cost-center": "1"}
    assert _messages(found(RULE, pod, "training")) == [
        (
            "/metadata/labels/gpuplane.io~1cost-center The pod is labelled gpuplane.io/cost-center "
            "1, "
            "but its namespace belongs to 4711. Set the label to 4711, or leave it out."
        )
    ]


def test_a_namespace_of_no_team_has_no_labels(found: Found, gpu_pod: MakePod) -> None:
    assert found(RULE, gpu_pod(), "foreign") == []
