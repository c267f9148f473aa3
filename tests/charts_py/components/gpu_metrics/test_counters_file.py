"""The file that lists what NVIDIA's exporter collects."""

from charts_py.cluster_file.addons import GpuCounters
from charts_py.components.gpu_metrics.counters_file import (
    counters_config_map,
    counters_config_map_name,
    counters_file,
)
from charts_py.metrics.series import known_series
from tests.charts_py.managed import managed

DRIVER_VERSION = "DCGM_FI_DRIVER_VERSION, label, Version of the driver"


def test_it_has_a_line_for_each_counter() -> None:
    rows = [counter.row for counter in known_series().dcgm]
    assert counters_file(GpuCounters.PROFILING).splitlines() == [DRIVER_VERSION, *rows]


def test_profiling_is_left_out_where_it_is_not_asked_for() -> None:
    rows = [counter.row for counter in known_series().dcgm if not counter.is_for_profiling]
    assert counters_file(GpuCounters.HEALTH).splitlines() == [DRIVER_VERSION, *rows]


def test_it_stands_where_the_gpu_operator_mounts_it() -> None:
    assert counters_config_map(GpuCounters.HEALTH) == {
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": managed(counters_config_map_name(GpuCounters.HEALTH), "gpu-operator"),
        "data": {"dcgm-metrics.csv": counters_file(GpuCounters.HEALTH)},
    }


def test_other_counters_have_another_name_so_that_exporters_start_again() -> None:
    names = {counters_config_map_name(each) for each in (GpuCounters.HEALTH, GpuCounters.PROFILING)}
    assert len(names) == 2
