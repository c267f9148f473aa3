"""Fleets, of clusters that are rendered or not."""

import datetime as dt
from collections.abc import Callable
from pathlib import Path

import pytest

from charts_py.platform.platform import Platform
from gpuplane.fleet_report.fleet_facts import Fleet, fleet_of

AS_OF = dt.date(2027, 3, 1)


@pytest.fixture
def fleet(
    tmp_path: Path, platform_of: Callable[[str], Platform], sample: Callable[..., str]
) -> Fleet:
    """Return the fleet of the sample with queues, which was never rendered."""
    return fleet_of((platform_of(sample("queues")),), tmp_path / "dist", AS_OF)
