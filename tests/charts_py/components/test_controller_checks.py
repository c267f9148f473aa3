"""What is said of controllers, where that is less than the cluster needs."""

from charts_py.components.registry import component_warnings
from tests.charts_py.fixture_types import PlatformWith
from tests.rows import rows_beside

STATED = "kueue: {memory: 12Gi, cpu: 2, replicas: 3}"
each_row = rows_beside(__file__, "controller_checks.yaml")


@each_row("told")
def test_less_than_a_controller_needs_is_told(
    platform_after: PlatformWith, stated: str, told: list[str]
) -> None:
    found = [
        str(each.problem) for each in component_warnings(platform_after("large", (STATED, stated)))
    ]
    assert [line for line in found if line.startswith("controllers.")] == told
