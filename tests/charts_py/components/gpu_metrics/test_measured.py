from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from charts_py.components.gpu_metrics.measured import measured_vendors

if TYPE_CHECKING:
    from collections.abc import Callable

    from charts_py.platform.platform import Platform


@pytest.mark.parametrize(
    ("cluster", "vendors"), [("karpenter", ("nvidia",)), ("amd", ("amd",)), ("intel", ())]
)
def test_gpus_are_measured_by_the_exporters_of_their_vendors_that_name_nodes(
    cluster: str,
    vendors: tuple[str, ...],
    platform_of: Callable[[str], Platform],
    sample: Callable[..., str],
) -> None:
    assert measured_vendors(platform_of(sample(cluster))) == vendors
