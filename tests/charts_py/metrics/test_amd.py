"""The metrics of AMD's exporter that rules read."""

from __future__ import annotations

import csv
import os
from pathlib import Path

import pytest

from charts_py.metrics.amd import AMD_METRICS


def test_every_metric_is_one_of_the_exporter() -> None:
    if (mirror := os.environ.get("GPUPLANE_MIRROR")) is None:
        pytest.skip("GPUPLANE_MIRROR does not name a folder with upstream files")
    file = Path(mirror) / "data" / "metrics" / "amd-device-metrics-exporter.csv"
    rows = csv.DictReader(file.read_text("utf-8").splitlines())
    assert {metric.name for metric in AMD_METRICS} - {row["name"].lower() for row in rows} == set()
