"""Fleets, of clusters that are rendered or not."""

import datetime as dt
from pathlib import Path

import pytest

from gpuplane.fleet_report.fleet_facts import Fleet, fleet_of
from gpuplane.plan.plan import Plan
from tests.charts_py.fixture_types import PlatformWith

AS_OF = dt.date(2027, 3, 1)

UNPLANNED = Plan(base=None, clusters=(), unchanged=())
"""Of a fleet in which nothing changes."""


@pytest.fixture
def fleet(tmp_path: Path, platform_after: PlatformWith) -> Fleet:
    """Return the fleet of the sample with queues, which was never rendered."""
    return fleet_of((platform_after("queues"),), tmp_path / "dist", AS_OF)
