from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.api_client import ApiClient
from tests.e2e.plain_pods import plain_pod
from tests.e2e.platform_webhook import PlatformWebhook, ServeWebhook


@pytest.fixture(scope="module")
def webhook(
    live_releases: dict[str, Path], serve_webhook: ServeWebhook
) -> Iterator[PlatformWebhook]:
    with serve_webhook(live_releases["training"]) as running:
        yield running


def test_a_gpu_pod_is_reviewed_and_tolerates_the_taints_of_its_pool(
    admin: ApiClient, webhook: PlatformWebhook
) -> None:
    before = [webhook.reviews(path) for path in ("/mutate", "/validate")]
    admitted = admin.create(plain_pod("reviewed", "default", 8), dryRun="All").document
    after = [webhook.reviews(path) for path in ("/mutate", "/validate")]
    keys = [toleration.get("key") for toleration in admitted["spec"]["tolerations"]]
    assert "nvidia.com/gpu" in keys
    assert [late - early for early, late in zip(before, after, strict=True)] == [1, 1]
