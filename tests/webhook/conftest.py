from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.webhook.pods import SETTINGS
from tests.webhook.running_webhook import RunningWebhook, running_webhook


@pytest.fixture(scope="session")
def webhook(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningWebhook]:
    """One webhook for all tests that leave it as it is."""
    with running_webhook(tmp_path_factory.mktemp("webhook"), SETTINGS, drain_seconds=0) as running:
        yield running
