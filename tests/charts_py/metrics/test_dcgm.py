"""The counters of NVIDIA GPUs that the platform can collect."""

from __future__ import annotations

import csv
import os
from pathlib import Path

import pytest

from charts_py.metrics.dcgm import HEALTH_COUNTERS, PROFILING_COUNTERS

COUNTERS = (*HEALTH_COUNTERS, *PROFILING_COUNTERS)


def test_no_counter_is_collected_twice() -> None:
    names = [counter.name for counter in COUNTERS]
    assert sorted(set(names)) == sorted(names)


def test_a_row_has_three_columns() -> None:
    rows = list(csv.reader([counter.row for counter in COUNTERS], skipinitialspace=True))
    assert rows == [[counter.name, counter.type, counter.help] for counter in COUNTERS]


def test_every_field_is_one_of_dcgm() -> None:
    if (mirror := os.environ.get("GPUPLANE_MIRROR")) is None:
        pytest.skip("GPUPLANE_MIRROR does not name a folder with upstream files")
    file = Path(mirror) / "data" / "metrics" / "dcgm-fields.csv"
    known = {int(row["id"]) for row in csv.DictReader(file.read_text("utf-8").splitlines())}
    assert [c.name for c in COUNTERS if c.field is not None and c.field not in known] == []
