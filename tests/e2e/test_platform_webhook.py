from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from charts_py.platform.platform import Platform
from tests.e2e.api_client import ApiClient
from tests.e2e.conftest import REPOSITORY
from tests.e2e.platform_webhook import PlatformWebhook, running_webhook
from tests.e2e.test_control_plane import gpu_pod


@pytest.fixture(scope="module")
def webhook(
    admin: ApiClient,
    platforms: dict[str, Platform],
    component_logs: Path,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[PlatformWebhook]:
    release = REPOSITORY / "dist" / "training" / platforms["training"].live
    folder = tmp_path_factory.mktemp("webhook")
    with running_webhook(admin, release, folder, component_logs) as running:
        yield running


def test_a_gpu_pod_is_reviewed_and_tolerates_the_taints_of_its_pool(
    admin: ApiClient, webhook: PlatformWebhook
) -> None:
    before = [webhook.reviews(path) for path in ("/mutate", "/validate")]
    pod = gpu_pod("reviewed", "nvidia.com/gpu", 8)
    del pod["spec"]["tolerations"]
    admitted = admin.create(pod, dryRun="All").document
    after = [webhook.reviews(path) for path in ("/mutate", "/validate")]
    keys = [toleration.get("key") for toleration in admitted["spec"]["tolerations"]]
    assert "nvidia.com/gpu" in keys
    assert [late - early for early, late in zip(before, after, strict=True)] == [1, 1]
