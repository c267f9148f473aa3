"""What a detector expects of nodes that are not yet as a change asks."""

import pytest

from gpuplane.plan.unmet_checks import unmet_checks
from tests.charts_py.fixture_types import PlatformWith

WATCHED = ("policies:\n", "addons: {gpuHealth: {}}\npolicies:\n")
MORE = ("timeSlicing: 4", "timeSlicing: 8")
LESS = ("timeSlicing: 4", "timeSlicing: 2")
LAYOUT = ("mig: {1g.10gb: 2, 2g.20gb: 1, 3g.40gb: 1}", "mig: {1g.10gb: 4, 3g.40gb: 1}")


@pytest.mark.parametrize(
    ("pool", "changes", "unmet"),
    [
        ("a10g", (MORE, WATCHED), ("16 of 32 nvidia.com/gpu.shared",)),
        ("a10g", (LESS, WATCHED), ()),
        ("a10g", (MORE,), ()),
        (
            "a100-mig",
            (LAYOUT, ("a100-mig: 64", "a100-mig: 40"), WATCHED),
            ("16 of 32 nvidia.com/mig-1g.10gb",),
        ),
        ("new", (WATCHED,), ()),
    ],
)
def test_nodes_lack_what_they_have_less_of_where_somebody_looks(
    platform_after: PlatformWith,
    pool: str,
    changes: tuple[tuple[str, str], ...],
    unmet: tuple[str, ...],
) -> None:
    asked = platform_after("eks", *changes)
    assert unmet_checks(pool, platform_after("eks"), asked) == unmet
