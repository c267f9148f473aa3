import re

import pytest

from charts_py.components.registry import DEFINITIONS
from charts_py.metrics.series import known_series
from gpuplane.reference.monitoring_pages import alerts_page, recorded_series_page

ALERTS = [alert for definition in DEFINITIONS for alert in definition.rules.alerts()]


@pytest.fixture(scope="module")
def page() -> str:
    return alerts_page()


def test_every_alert_has_its_row_and_its_section(page: str) -> None:
    names = [alert.name for alert in ALERTS]
    assert "{{" not in page
    assert re.findall(r"^## (.+)$", page, re.MULTILINE) == names
    assert re.findall(r"^\| \[(\w+)\]\(#", page, re.MULTILINE) == names


def test_a_section_says_when_it_fires_why_then_and_what_to_do(page: str) -> None:
    _, _, rest = page.partition("\n## GpuplaneMigLayoutFailed\n")
    section, _, _ = rest.partition("\n## ")
    assert (
        section
        == """
The GPUs of node *node* are not partitioned as its pool says, most likely because something used \
them.

- Severity: warning.
- Whom it is for: the platform team, in working hours.
- Component: `gpu-sharing`, with NVIDIA GPUs, unless the provider's own device plugin advertises \
them.
- For: 5m.
- Threshold: The MIG manager has given up when it says `failed` \
(https://docs.nvidia.com/datacenter/cloud-native/gpu-operator/latest/gpu-operator-mig.html).
- What to do: Drain the node and delete its pod of nvidia-mig-manager, which tries again.

```promql
max by (node) (kube_node_labels{label_nvidia_com_mig_config_state="failed"}) == 1
```
"""
    )


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
