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


def test_a_comment_says_who_evicts_whom(in_repository: Run) -> None:
    assert in_repository.printed("priorities", "mixed", "-o", "markdown") == (
        """\
### Priorities

**No namespace evicts pods of another, only its own.**

| Pool | Namespace | Its pods of | Evict |
|---|---|---|---|
| mixed/a100mig | vision-serving | inference | vision-serving: training, notebooks |
| mixed/a100train | vision-training | inference | vision-training: training, notebooks |
| mixed/t4spot | vision-notebooks | inference | vision-notebooks: training, notebooks |
"""
    )


def test_detail_has_the_classes(in_repository: Run) -> None:
    lines = in_repository.printed("priorities", "mixed", "--detail", "-o", "markdown").splitlines()
    assert "| training | 100000 | waits | Training waits its turn. |" in lines


def test_the_pools_where_namespaces_evict_each_other_come_first(in_repository: Run) -> None:
    first, *_ = in_repository("priorities", "training").stdout.splitlines()
    assert first == (
        "Namespaces evict pods of each other on training/h100-spot, and on no other pool."
    )
