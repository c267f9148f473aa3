"""The counters of NVIDIA GPUs that the platform can collect."""

from __future__ import annotations

import csv
import os
import re
from pathlib import Path

import pytest

from charts_py.metrics.dcgm import HEALTH_COUNTERS, PROFILING_COUNTERS

COUNTERS = (*HEALTH_COUNTERS, *PROFILING_COUNTERS)
FIELDS = Path(__file__).with_name("dcgm-fields.csv")
"""The names and numbers in `pkg/dcgm/const_fields.go` of https://github.com/NVIDIA/go-dcgm at
ec245c09fe3e: an exporter that does not know a name ends with a fault."""
MONITORING = (Path(__file__).parents[3] / "docs" / "monitoring.md").read_text("utf-8")


def test_no_counter_is_collected_twice() -> None:
    names = [counter.name for counter in COUNTERS]
    assert sorted(set(names)) == sorted(names)


def test_a_row_has_three_columns() -> None:
    rows = list(csv.reader([counter.row for counter in COUNTERS], skipinitialspace=True))
    assert rows == [[counter.name, counter.type, counter.help] for counter in COUNTERS]


def test_every_name_is_that_of_its_field() -> None:
    names = {int(row["id"]): row["name"] for row in _rows(FIELDS)}
    assert {each.field: each.name for each in COUNTERS if each.field is not None} == names


def test_the_field_of_every_name_is_one_of_dcgm_still() -> None:
    known = {int(row["id"]) for row in _rows(_mirrored("metrics/dcgm-fields.csv"))}
    assert [each.name for each in COUNTERS if each.field not in {None, *known}] == []


def test_what_health_leaves_out_of_the_exporters_file_is_documented() -> None:
    lines = _mirrored("dcgm-exporter-default-counters.csv").read_text("utf-8").splitlines()
    rows = [line.split(",") for line in lines if line and not line.startswith("#")]
    listed = {name.strip() for name, kind, *_ in rows if kind.strip() != "label"}
    left_out = listed - {each.name for each in HEALTH_COUNTERS}
    (told,) = (part for part in MONITORING.split("\n\n") if "`health` leaves out" in part)
    assert set(re.findall(r"`(DCGM_\w+)`", told)) == left_out


def _rows(file: Path) -> list[dict[str, str]]:
    return list(csv.DictReader(file.read_text("utf-8").splitlines()))


def _mirrored(file: str) -> Path:
    if (mirror := os.environ.get("GPUPLANE_MIRROR")) is None:
        pytest.skip("GPUPLANE_MIRROR does not name a folder with upstream files")
    return Path(mirror) / "data" / file
