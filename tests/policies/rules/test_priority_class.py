from typing import Any

import pytest

from policies.operation import Operation
from policies.rules.priority_class import RULE
from tests.policies.conftest import found, gpu_pod, message


def test_the_default_is_set_and_what_the_api_server_computed_removed() -> None:
    pod = gpu_pod(priority=0, preemptionPolicy="PreemptLowerPriority")
    (finding,) = found(RULE, pod, "training")
    assert finding.fix == (
        Operation("add", "/spec/priorityClassName", "training"),
        Operation("remove", "/spec/priority"),
        Operation("remove", "/spec/preemptionPolicy"),
    )


@pytest.mark.parametrize(
    ("name", "said"),
    [
        (
            "trainin",
            (
                "The pod names priority class trainin, which is not among those of team research. "
                "Use one of: training, batch; nearest: training."
            ),
        ),
        (
            "system-node-critical",
            (
                "The pod names priority class system-node-critical, which is reserved for the "
                "platform. Use one of: training, batch."
            ),
        ),
    ],
)
def test_a_class_that_is_not_the_teams_is_refused(name: str, said: str) -> None:
    findings = found(RULE, gpu_pod(priorityClassName=name), "training")
    assert message(findings) == (f"/spec/priorityClassName {said}")


@pytest.mark.parametrize(
    ("namespace", "name"),
    [("training", "batch"), ("plain", "any"), ("plain", None), ("foreign", "system-node-critical")],
)
def test_a_class_passes(namespace: str, name: Any) -> None:
    assert found(RULE, gpu_pod(priorityClassName=name), namespace) == []
