import csv
import re
from collections import Counter
from pathlib import Path

import pytest

from charts_py.metrics.series import POOL_LABEL, in_metrics, known_series, recorded_series
from webhook.metrics import Metrics

SERIES = known_series()
HEALTH_COUNTERS = [counter for counter in SERIES.dcgm if not counter.is_for_profiling]

FIELDS = Path(__file__).with_name("dcgm-fields.csv")
"""The names and numbers in `pkg/dcgm/const_fields.go` of https://github.com/NVIDIA/go-dcgm at
ec245c09fe3e: an exporter that does not know a name ends with a fault."""
KUEUE_METRICS = Path(__file__).with_name("kueue-metrics.csv")
"""Those of ClusterQueues that `pkg/metrics/metrics.go` of
https://github.com/kubernetes-sigs/kueue registers at v0.19.2, with their labels."""
MONITORING = (Path(__file__).parents[3] / "docs" / "monitoring.md").read_text("utf-8")
SUFFIXES = {"counter": "_total", "histogram": "_bucket", "gauge": ""}


def test_no_name_is_given_twice() -> None:
    tables = (getattr(SERIES, table) for table in SERIES.__struct_fields__)
    names = Counter(each.name for table in tables for each in table)
    assert [name for name, count in names.items() if count > 1] == []


def test_a_row_has_three_columns() -> None:
    rows = list(csv.reader([counter.row for counter in SERIES.dcgm], skipinitialspace=True))
    assert rows == [[counter.name, counter.type, counter.help] for counter in SERIES.dcgm]


def test_every_name_is_that_of_its_field() -> None:
    names = {int(row["id"]): row["name"] for row in _rows(FIELDS)}
    counters = (each for each in SERIES.dcgm if each.number is not None)
    assert {each.number: each.name for each in counters} == names


def test_the_field_of_every_name_is_one_of_dcgm_still(mirror: Path) -> None:
    known = {int(row["id"]) for row in _rows(mirror / "data" / "metrics" / "dcgm-fields.csv")}
    assert [each.name for each in SERIES.dcgm if each.number not in {None, *known}] == []


def test_what_health_leaves_out_of_the_exporters_file_is_documented(mirror: Path) -> None:
    file = mirror / "data" / "dcgm-exporter-default-counters.csv"
    lines = file.read_text("utf-8").splitlines()
    rows = [line.split(",") for line in lines if line and not line.startswith("#")]
    listed = {name.strip() for name, kind, *_ in rows if kind.strip() != "label"}
    left_out = listed - {each.name for each in HEALTH_COUNTERS}
    (told,) = (part for part in MONITORING.split("\n\n") if "`health` leaves out" in part)
    assert set(re.findall(r"`(DCGM_\w+)`", told)) == left_out


def test_every_metric_is_one_of_the_exporter(mirror: Path) -> None:
    rows = _rows(mirror / "data" / "metrics" / "amd-device-metrics-exporter.csv")
    assert {metric.name for metric in SERIES.amd} - {row["name"].lower() for row in rows} == set()


def test_every_metric_is_served_and_of_that_type(mirror: Path) -> None:
    rows = _rows(mirror / "data" / "metrics" / "kube-state-metrics.csv")
    served = {row["name"]: row["type"] for row in rows}
    types = {metric.name: metric.type for metric in SERIES.kube_state}
    assert {name: served.get(name) for name in types} == types


def test_the_pool_is_a_label_of_nodes_in_their_spelling() -> None:
    assert POOL_LABEL == "label_gpuplane_io_pool"
    (nodes,) = (each for each in SERIES.kube_state if each.name == "kube_node_labels")
    assert POOL_LABEL in nodes.labels


@pytest.mark.parametrize(
    ("resource", "served"),
    [
        ("nvidia.com/gpu", "nvidia_com_gpu"),
        ("nvidia.com/gpu.shared", "nvidia_com_gpu_shared"),
        ("nvidia.com/mig-1g.10gb.me", "nvidia_com_mig_1g_10gb_me"),
        ("gpu.intel.com/i915", "gpu_intel_com_i915"),
    ],
)
def test_resources_are_served_with_underscores(resource: str, served: str) -> None:
    assert in_metrics(resource) == served


def test_kueue_serves_each_with_its_labels() -> None:
    read = {each.name: {*each.labels, "replica_role"} for each in SERIES.kueue}
    served = dict(
        _of_kueue(row["name"], row["type"], row["labels"].split()) for row in _rows(KUEUE_METRICS)
    )
    assert read == {name: labels for name, labels in served.items() if name in read}


def _of_kueue(name: str, kind: str, labels: list[str]) -> tuple[str, set[str]]:
    """Return the labels of a metric; a histogram's are those of its buckets."""
    return (f"{name}_bucket", {*labels, "le"}) if kind == "histogram" else (name, set(labels))


def test_the_webhook_serves_each_and_says_the_same_of_it() -> None:
    served = {
        f"{family.name}{SUFFIXES[family.type]}": family.documentation
        for family in Metrics().registry.collect()
    }
    named = {metric.name: f"{metric.help}." for metric in SERIES.webhook}
    assert named == {name: text for name, text in served.items() if name in named}


def test_a_name_is_a_fact_or_says_level_metric_and_operation() -> None:
    form = re.compile(r"gpuplane_[a-z_]+|(node|gpu|pod|namespace|team|pool):gpuplane_[a-z_]+:\w+")
    assert [each.name for each in SERIES.recorded if not form.fullmatch(each.name)] == []


def test_the_level_of_a_figure_is_among_its_labels() -> None:
    level_labels = {"gpu": "UUID"}
    figures = [each for each in SERIES.recorded if not each.is_fact]
    levels = {each.name: each.name.partition(":")[0] for each in figures}
    assert [
        each.name
        for each in figures
        if level_labels.get(levels[each.name], levels[each.name]) not in each.labels
    ] == []


def test_facts_stand_before_figures_that_follow_from_them() -> None:
    kinds = [each.is_fact for each in SERIES.recorded]
    assert kinds == sorted(kinds, reverse=True)


def test_a_series_that_no_rule_records_is_a_fault() -> None:
    with pytest.raises(LookupError, match="gpuplane_pool_inof"):
        recorded_series("gpuplane_pool_inof")


def _rows(file: Path) -> list[dict[str, str]]:
    return list(csv.DictReader(file.read_text("utf-8").splitlines()))
