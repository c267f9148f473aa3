"""What a workload says of its end."""

import pytest

from gpuplane.workloads.workload import new_workload
from tests.gpuplane.workloads.conftest import ask, platform_named

_LATER = "after its pods get SIGTERM: a checkpoint that takes longer has to be written before"


@pytest.mark.parametrize(
    ("cluster", "team", "pool", "notes"),
    [
        ("training", "research", "h100-spot", []),
        ("training", "research", "h100", []),
        ("inference", "search", "l4-batch", [f"a spot node of gke is gone 15 seconds {_LATER}"]),
        ("mixed", "vision", "t4spot", [f"a spot node of aks is gone 30 seconds {_LATER}"]),
    ],
)
def test_a_spot_node_that_goes_before_the_pods_are_killed_is_said(
    cluster: str, team: str, pool: str, notes: list[str]
) -> None:
    workload = new_workload(ask(team=team, pool=pool), platform_named(cluster))
    assert [note for note in workload.notes if "SIGTERM" in note] == notes
