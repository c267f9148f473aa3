"""What runs of what was rendered before, where another version is live."""

import pytest

from charts_py.objects.document import Document
from gpuplane.plan.increment import running
from gpuplane.versions.comparison import PlacedObject
from tests.gpuplane.plan.single_change import document, placed

Place = tuple[str, str]
"""A component and the value of a field of its only object; empty where there is none."""


def _objects(place: Place | None) -> dict[PlacedObject, Document]:
    if place is None:
        return {}
    component, value = place
    return placed(document("v1 ConfigMap", {"data.a": value}), component=component)


@pytest.mark.parametrize(
    ("before", "after", "live", "runs"),
    [
        pytest.param(("a", "2"), ("a", "3"), ("a", "1"), ("a", "2"), id="changed as it is live"),
        pytest.param(("a", "2"), ("a", "3"), None, None, id="changed, and not live"),
        pytest.param(("a", "2"), ("a", "1"), ("a", "1"), ("a", "1"), id="as it is live again"),
        pytest.param(("a", "2"), None, ("b", "1"), ("b", "1"), id="gone from where it is live"),
        pytest.param(None, ("a", "2"), ("a", "1"), ("a", "1"), id="back where it is live"),
        pytest.param(None, ("a", "2"), None, None, id="new"),
        pytest.param(("a", "2"), ("b", "2"), ("a", "1"), ("a", "1"), id="moved from where it is"),
        pytest.param(("b", "2"), ("a", "2"), ("a", "1"), ("a", "1"), id="moved back"),
        pytest.param(("b", "2"), ("c", "2"), ("a", "1"), ("a", "1"), id="moved on"),
        pytest.param(None, None, ("a", "1"), None, id="gone from the promotion before"),
    ],
)
def test_a_change_is_of_what_runs(
    before: Place | None, after: Place | None, live: Place | None, runs: Place | None
) -> None:
    assert running(*map(_objects, (before, after, live))) == _objects(runs)
