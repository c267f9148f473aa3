"""What culling is told, and what it asks Prometheus."""

from __future__ import annotations

from typing import TYPE_CHECKING

from charts_py.components.gpu_usage.rules import GPU_IDLE, usage_alert
from charts_py.components.idle_gpus.settings import queries, settings
from culling.settings import Action, Settings

if TYPE_CHECKING:
    from collections.abc import Callable

    from charts_py.platform.platform import Platform


def test_it_is_told_what_the_cluster_file_says(
    platform_of: Callable[[str], Platform], sample: Callable[..., str]
) -> None:
    assert settings(platform_of(sample("idle-gpus"))) == Settings(
        prometheus_url="http://prometheus-operated.monitoring.svc:9090",
        namespaces=("research-notebooks",),
        action=Action.END,
        max_percent=20,
        queries=queries(),
    )


def test_what_is_idle_is_what_the_alert_fires_by() -> None:
    idle = usage_alert(GPU_IDLE).expression
    assert idle in queries().idle_gpus
    assert idle in queries().idle_minutes
