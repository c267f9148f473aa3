"""The release and the webhook that tests share."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from charts_py.platform.platform import Platform
from tests.e2e.claims.cluster import write_release
from tests.e2e.webhook.platform_webhook import PlatformWebhook
from tests.e2e.webhook.registration import ServeWebhook


@pytest.fixture(scope="session")
def release(platforms: dict[str, Platform], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What training renders now, whose webhook fixes pods and whose policies judge them."""
    folder = tmp_path_factory.mktemp("training")
    write_release(platforms["training"], folder)
    return folder


@pytest.fixture(scope="module")
def webhook(release: Path, serve_webhook: ServeWebhook) -> Iterator[PlatformWebhook]:
    """The webhook of training in the path, and its policies."""
    with serve_webhook(release) as running:
        yield running
