"""`gpuplane priorities`."""

import pytest

from tests.gpuplane.conftest import Run, fields

pytestmark = pytest.mark.usefixtures("examples")


def test_a_report_has_every_cluster(in_repository: Run) -> None:
    report = in_repository.report("priorities")
    items = report.pop("items")
    assert list(report) == ["kind", "disruptions"]
    assert report["kind"] == "PriorityLadderList"
    assert [each["cluster"] for each in items] == ["inference", "mixed", "onprem", "training"]
    assert items[-1]["classes"][4] == fields("""
        name: training, value: 100000, preemption: lower,
        description: Training that a team waits for., evicts: [notebooks, batch],
        evictedBy: [system-node-critical, system-cluster-critical, system, inference],
        platformOnly: false, defaultIn: [research-training], namespaces: [
            {team: research, name: research-notebooks}, {team: research, name: research-training}
        ]
    """)
    assert items[-1]["evictions"][0] == fields("""
        pool: a100-mixed, namespace: recommendations, class: inference,
        victims: [{namespace: recommendations, classes: [batch]}]
    """)


def test_a_comment_has_a_row_for_each_class(in_repository: Run) -> None:
    lines = in_repository.printed("priorities", "mixed", "-o", "markdown").splitlines()
    assert lines[0] == "### Priorities"
    assert "| training | 100000 | waits | Training waits its turn. |" in lines
    assert (
        "| inference | training, notebooks, batch | system-node-critical, "
        "system-cluster-critical, system | training, notebooks, batch |"
    ) in lines


def test_people_read_what_budgets_hold_back(in_repository: Run) -> None:
    stdout = in_repository("priorities", "training").stdout
    assert "kubectl drain" in stdout
    assert "Pods without a class have the value 0" in stdout
