"""metrics-server, where nobody else brings it."""

from collections.abc import Mapping

from charts_py.components.metrics_server import METRICS_SERVER
from charts_py.components.webhook.definition import WEBHOOK
from charts_py.platform.platform import Platform
from charts_py.platform.wave import Wave
from charts_py.rendering.rendering import Rendering


def test_whatever_scales_by_what_pods_use_finds_it_measured(
    platforms: Mapping[str, Platform], renderings: Mapping[str, Rendering]
) -> None:
    unmeasured = []
    for name, platform in platforms.items():
        documents = [each for folder in renderings[name].folders.values() for each in folder]
        scales = any(each["kind"] == "HorizontalPodAutoscaler" for each in documents)
        measured = platform.provider.brings_metrics_server or list(METRICS_SERVER.plan(platform))
        unmeasured += [name] if scales and not measured else []
    assert unmeasured == []


def test_the_webhook_whose_autoscaler_needs_it_comes_right_after() -> None:
    assert (METRICS_SERVER.wave, WEBHOOK.wave) == (Wave.TEAMS, Wave.TEAMS + 1)
