"""What the API server cannot write to any webhook, it judges by itself."""

from collections.abc import Iterator

import pytest

from charts_py.cluster_file.policies import Admission
from tests.e2e.attacks.written_objects import CONTENT_TYPE, GO_LEVELS, nested, protobuf_pod, said
from tests.e2e.claims.cluster import RenderRelease
from tests.e2e.control_plane.api_client import ApiClient
from tests.e2e.evidence.evidence import Evidence
from tests.e2e.releases.objects import applied, namespace
from tests.e2e.webhook.platform_webhook import PlatformWebhook
from tests.e2e.webhook.registration import DENIED, MAX_TIMEOUT_SECONDS, ServeWebhook

NAMESPACE = "unwritable"
FOREIGN_IMAGE = "docker.io/somebody/train:1.0.0"
FOREIGN = (
    f"{DENIED}image-registry: The container main runs {FOREIGN_IMAGE}, which is not from an "
    "allowed registry."
)
TOO_DEEP = nested(GO_LEVELS - 1)
"""Protobuf holds it as bytes; as JSON of a review it is deeper than Go writes."""


@pytest.fixture(scope="module")
def webhook(
    admin: ApiClient, render_release: RenderRelease, serve_webhook: ServeWebhook
) -> Iterator[PlatformWebhook]:
    """The webhook of training in the path, its policies, and a namespace."""
    release = render_release("training", Admission.BACKSTOP)
    with (
        applied(admin, [namespace(NAMESPACE)]),
        serve_webhook(release, MAX_TIMEOUT_SECONDS) as running,
    ):
        yield running


def test_a_pod_that_cannot_be_written_to_a_webhook_is_refused(
    admin: ApiClient, webhook: PlatformWebhook, evidence: Evidence
) -> None:
    before = webhook.fixes()
    body = protobuf_pod("unwritable", NAMESPACE, FOREIGN_IMAGE, TOO_DEEP)
    path = f"{admin.path('v1', 'Pod', NAMESPACE)}?dryRun=All"
    refused = said(admin, "POST", path, body, CONTENT_TYPE)
    assert webhook.fixes() == before
    assert FOREIGN in refused
    evidence.show(
        "A pod in protobuf that is nested too deeply for the API server to write it to a webhook "
        "is refused by a policy of its own.",
        f"{GO_LEVELS - 1:,} levels, 0 reviews; `{FOREIGN.removeprefix(DENIED)}`",
    )
