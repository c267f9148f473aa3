from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest
from pydantic.alias_generators import to_camel

from gpuplane.reports.recommendation.workload import Workload

PAGE = Path(__file__).parents[4] / "docs" / "sharing.md"


@pytest.mark.parametrize(
    ("latency", "demand"),
    [("none", Fraction(1, 10)), ("soft", Fraction(1, 2)), ("strict", Fraction(1, 2))],
)
def test_whoever_waits_for_a_pod_needs_its_peak(
    latency: str, demand: Fraction, workload: Callable[..., Workload]
) -> None:
    assert workload(average=0.1, peak=0.5, latency=latency).demand == demand


def test_what_is_not_stated_asks_the_most_of_a_gpu(workload: Callable[..., Workload]) -> None:
    assert workload() == workload(
        peak=1.0, pods=1, gpusPerPod=1, latency="strict", stage="production", trust="others"
    )


def test_a_pod_of_several_gpus_uses_each(workload: Callable[..., Workload]) -> None:
    assert workload(average=0.85, gpusPerPod=8).in_use == Fraction(68, 10)


def test_the_page_lists_what_can_be_stated() -> None:
    rows = PAGE.read_text(encoding="utf-8").splitlines()
    fields = [to_camel(name) for name in Workload.model_fields]
    listed = [field for row in rows for field in fields if row.startswith(f"| `{field}` | ")]
    assert listed == fields
