"""What is told of a cluster that asks for its idle GPUs to be looked for."""

import pytest

from charts_py.components.registry import component_warnings
from tests.charts_py.fixture_types import PlatformWith

WARNING = (
    "addons.idleGpus: looks at nothing, since no namespace lets its idle pods end; allowed: "
    "idlePods: end of a namespace"
)


@pytest.mark.parametrize(("idle_pods", "warnings"), [("end", ()), ("keep", (WARNING,))])
def test_a_cluster_whose_namespaces_all_keep_idle_pods_is_warned(
    idle_pods: str, warnings: tuple[str, ...], platform_after: PlatformWith
) -> None:
    platform = platform_after("idle-gpus", ("idlePods: end", f"idlePods: {idle_pods}"))
    assert tuple(str(each.problem) for each in component_warnings(platform)) == warnings
