"""How pods of a job come to stand near each other."""

import pytest

from charts_py.platform.pod_topology import near_each_other, queue_levels
from tests.charts_py.fixture_types import Load, Sample

_NEAR = {"kueue.x-k8s.io/podset-preferred-topology": "kubernetes.io/hostname"}
_LAYERS = tuple(f"topology.k8s.aws/network-node-layer-{layer}" for layer in (1, 2, 3, 4))


@pytest.mark.parametrize(
    ("sample_name", "levels", "annotations"),
    [
        ("topology", (*_LAYERS, "kubernetes.io/hostname"), _NEAR),
        ("queues", (), {}),
        ("kai", (), {}),
    ],
)
def test_kueue_goes_outwards_from_the_node(
    platform_of: Load,
    sample: Sample,
    sample_name: str,
    levels: tuple[str, ...],
    annotations: dict[str, str],
) -> None:
    platform = platform_of(sample(sample_name))
    pool = platform.pools[0]
    assert queue_levels(platform, pool) == levels
    assert near_each_other(platform, pool) == annotations
