"""The reference of the series that Prometheus records."""

from __future__ import annotations

from charts_py.metrics.series import known_series
from gpuplane.reference.recorded_series_page import recorded_series_page


def test_every_series_has_a_row() -> None:
    rows = [line for line in recorded_series_page().splitlines() if line.startswith("| `")]
    assert [row.split("`")[1] for row in rows] == [each.name for each in known_series().recorded]


def test_every_figure_has_its_expression() -> None:
    _, expressions = recorded_series_page().split("## Expressions\n")
    shown = [
        line.strip("`") for line in expressions.splitlines() if line.startswith("`") and ":" in line
    ]
    assert sorted(shown) == sorted(
        each.name for each in known_series().recorded if not each.is_fact
    )


def test_an_expression_is_shown_as_prometheus_evaluates_it() -> None:
    shown = """
`pool:gpuplane_cost:per_hour`

```promql
gpuplane_pool_gpu_hour_price * on (pool) group_left () pool:gpuplane_capacity_gpus:sum
```
"""
    assert shown in recorded_series_page()
