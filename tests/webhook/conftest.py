import signal
from collections.abc import Iterator

import pytest

from tests.webhook.pods import SETTINGS
from tests.webhook.running_webhook import PATIENCE, RunningWebhook, running_webhook


@pytest.fixture(scope="session")
def webhook(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningWebhook]:
    """One webhook for all tests that leave it as it is."""
    with running_webhook(tmp_path_factory.mktemp("webhook"), SETTINGS, drain_seconds=0) as running:
        yield running


@pytest.fixture(scope="session")
def draining(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningWebhook]:
    """One that was told to stop, and still answers."""
    folder = tmp_path_factory.mktemp("draining")
    with running_webhook(folder, SETTINGS, drain_seconds=100 * PATIENCE) as running:
        running.process.send_signal(signal.SIGTERM)
        while running.ask("/readyz").status == 200:
            pass
        yield running
