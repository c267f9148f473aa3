"""The reference of the alerts."""

from __future__ import annotations

import re

import pytest

from charts_py.components.registry import DEFINITIONS
from gpuplane.reference.alerts_page import alerts_page

ALERTS = [alert for definition in DEFINITIONS for alert in definition.alerts()]


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
