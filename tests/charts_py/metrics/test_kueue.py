"""The metrics of Kueue that rules and dashboards read."""

from __future__ import annotations

import csv
from pathlib import Path

from charts_py.metrics.kueue import KUEUE_METRICS

METRICS = Path(__file__).with_name("kueue-metrics.csv")
"""Those of ClusterQueues that `pkg/metrics/metrics.go` of
https://github.com/kubernetes-sigs/kueue registers at v0.19.2, with their labels."""


def test_kueue_serves_each_with_its_labels() -> None:
    assert {each.name: {*each.labels, "replica_role"} for each in KUEUE_METRICS} == {
        name: labels for name, labels in _served().items() if name in _read()
    }


def _read() -> set[str]:
    return {each.name for each in KUEUE_METRICS}


def _served() -> dict[str, set[str]]:
    """Return the labels of each metric; a histogram's are those of its buckets."""
    rows = csv.DictReader(METRICS.read_text("utf-8").splitlines())
    return dict(_series(row["name"], row["type"], row["labels"].split()) for row in rows)


def _series(name: str, kind: str, labels: list[str]) -> tuple[str, set[str]]:
    return (f"{name}_bucket", {*labels, "le"}) if kind == "histogram" else (name, set(labels))
