"""What culling is told, and what it asks Prometheus."""

from __future__ import annotations

from typing import TYPE_CHECKING

from charts_py.components.gpu_usage.alerts import IDLE
from charts_py.components.idle_gpus.settings import QUERIES, settings
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
        queries=QUERIES,
    )


def test_what_is_idle_is_what_the_alert_fires_by() -> None:
    assert IDLE.expression in QUERIES.idle_gpus
    assert IDLE.expression in QUERIES.idle_minutes
