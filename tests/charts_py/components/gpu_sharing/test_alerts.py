"""An alert on GPUs that could not be partitioned."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from charts_py.components.gpu_sharing.definition import GPU_SHARING, sharing_rules

if TYPE_CHECKING:
    from collections.abc import Callable

    from charts_py.platform.platform import Platform


def test_a_node_whose_layout_failed_is_heard_of() -> None:
    (layout_failed,) = GPU_SHARING.alerts()
    assert (layout_failed.expression, layout_failed.lasting) == (
        'max by (node) (kube_node_labels{label_nvidia_com_mig_config_state="failed"}) == 1',
        "5m",
    )


@pytest.mark.parametrize(
    ("cluster", "is_alerted"), [("training", True), ("onprem", True), ("mixed", False)]
)
def test_it_is_there_where_the_mig_manager_partitions(
    example: Callable[[str], Platform], cluster: str, is_alerted: bool
) -> None:
    groups = sharing_rules(example(cluster))
    assert [group.alerts for group in groups] == [GPU_SHARING.alerts()] * is_alerted
