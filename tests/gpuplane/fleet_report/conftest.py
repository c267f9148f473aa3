"""Fleets, of clusters that are rendered or not."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING

import pytest

from gpuplane.fleet_report.fleet_facts import Fleet, fleet_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from charts_py.platform.platform import Platform

AS_OF = dt.date(2027, 3, 1)


@pytest.fixture
def fleet(
    tmp_path: Path, platform_of: Callable[[str], Platform], sample: Callable[..., str]
) -> Fleet:
    """Return the fleet of the sample with queues, which was never rendered."""
    return fleet_of((platform_of(sample("queues")),), tmp_path / "dist", AS_OF)
