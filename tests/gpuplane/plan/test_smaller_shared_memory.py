"""What GPU pods get less of at /dev/shm."""

from typing import Any

import pytest

from gpuplane.plan.rule_clause import RuleClause
from gpuplane.plan.smaller_shared_memory import smaller_shared_memory
from policies.rule_name import Mode
from policies.settings import Settings, SharedMemorySettings


def _sized(**sizes: Any) -> dict[str, Any]:
    return {"shared_memory": SharedMemorySettings(**sizes)}


@pytest.mark.parametrize(
    ("before", "after", "told", "field"),
    [
        ({}, _sized(cap=2**30), "cap 1Gi in place of 64Gi", "cap"),
        (
            {},
            _sized(default=2**29, fraction=0.25),
            "default 512Mi in place of 1Gi, fraction 0.25 in place of 0.5",
            "default",
        ),
        ({}, _sized(floor=2**20), "floor 1Mi in place of 64Mi", "floor"),
    ],
)
def test_lower_sizes_are_told_with_what_they_were(
    before: dict[str, Any], after: dict[str, Any], told: str, field: str
) -> None:
    old, new = (Settings("lab", **each) for each in (before, after))
    text = f"GPU pods that start on lab get less shared memory: {told}"
    assert [*smaller_shared_memory(old, new, "lab")] == [
        RuleClause(text, ("policies", "sharedMemory", field))
    ]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ({}, {}),
        (_sized(cap=2**30), {}),
        ({"mode": Mode.AUDIT}, {"mode": Mode.AUDIT} | _sized(cap=2**30)),
    ],
)
def test_nothing_is_told_where_no_pod_gets_less(
    before: dict[str, Any], after: dict[str, Any]
) -> None:
    old, new = (Settings("lab", **each) for each in (before, after))
    assert [*smaller_shared_memory(old, new, "lab")] == []
