"""Alerts on upgrades of the driver."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from charts_py.components.gpu_operator.definition import GPU_OPERATOR, driver_rules

if TYPE_CHECKING:
    from collections.abc import Callable

    from charts_py.platform.platform import Platform


@pytest.mark.parametrize(
    ("cluster", "is_alerted"), [("onprem", True), ("training", False), ("inference", False)]
)
def test_they_are_there_where_the_operator_upgrades_the_driver(
    example: Callable[[str], Platform], cluster: str, is_alerted: bool
) -> None:
    groups = driver_rules(example(cluster))
    assert [group.alerts for group in groups] == [GPU_OPERATOR.alerts()] * is_alerted
