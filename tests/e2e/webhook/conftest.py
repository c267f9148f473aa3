"""The release and the webhook that tests share."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from charts_py.cluster_file.policies import Admission
from charts_py.components.webhook.configuration import MUTATING, VALIDATING
from tests.binaries.control_plane import NEWEST, PinnedKubernetes
from tests.e2e.claims.cluster import RenderRelease
from tests.e2e.releases.objects import read_release
from tests.e2e.webhook.platform_webhook import PlatformWebhook
from tests.e2e.webhook.registration import ServeWebhook


@pytest.fixture(scope="session")
def release(kubernetes: PinnedKubernetes, render_release: RenderRelease) -> Path:
    """What training renders with the default of a Kubernetes for who judges pods."""
    default = Admission.BACKSTOP if kubernetes is NEWEST else Admission.WEBHOOK_ONLY
    return render_release("training", default)


@pytest.fixture(scope="session")
def calls(release: Path) -> tuple[int, int]:
    """How often a GPU pod is shown to be fixed, and to be judged, unless policies judge it."""
    kinds = [each["kind"] for each in read_release(release, "webhook-configuration")]
    return kinds.count(MUTATING), kinds.count(VALIDATING)


@pytest.fixture(scope="module")
def webhook(release: Path, serve_webhook: ServeWebhook) -> Iterator[PlatformWebhook]:
    """The webhook of training in the path, and its policies."""
    with serve_webhook(release) as running:
        yield running
