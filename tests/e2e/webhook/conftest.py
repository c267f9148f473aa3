"""The webhook that the tests of a module share."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.webhook.platform_webhook import PlatformWebhook
from tests.e2e.webhook.registration import ServeWebhook


@pytest.fixture(scope="module")
def webhook(
    live_releases: dict[str, Path], serve_webhook: ServeWebhook
) -> Iterator[PlatformWebhook]:
    """That of the live version of training, in the path."""
    with serve_webhook(live_releases["training"]) as running:
        yield running
