"""Whatever an object holds, the webhook reads enough of it to refuse it."""

import json
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from charts_py.cluster_file.policies import Admission
from charts_py.objects.document import Document
from tests.e2e.attacks.written_objects import GO_LEVELS, nested, said
from tests.e2e.claims.cluster import RenderRelease
from tests.e2e.control_plane.api_client import JSON_PATCH, ApiClient
from tests.e2e.evidence.evidence import Evidence
from tests.e2e.releases.objects import applied, namespace
from tests.e2e.scheduling.gpu_pods import plain_pod
from tests.e2e.webhook.registration import DENIED_BY_WEBHOOK, MAX_TIMEOUT_SECONDS, ServeWebhook

NAMESPACE = "unreadable"
FOREIGN_IMAGE = "docker.io/somebody/train:1.0.0"
FOREIGN = (
    f"{DENIED_BY_WEBHOOK}image-registry: The container main runs {FOREIGN_IMAGE}, which is not "
    "from an allowed registry."
)
FOREIGN_IMAGE_CHANGE = [
    {"op": "replace", "path": "/spec/containers/0/image", "value": FOREIGN_IMAGE}
]
LABEL_CHANGE = [{"op": "add", "path": "/metadata/labels", "value": {"changed": "yes"}}]
UNREADABLE = {
    "1,100 levels, which Python does not follow": nested(1100),
    "9,996 levels, the most that Go takes there": nested(GO_LEVELS - 4),
    "a name that is no UTF-8": b'{"f:\xff":{}}',
}
LARGE = 1_230_000
"""Bytes of `<`, which etcd takes; the API server writes 7.4 MB to a webhook."""
AS_LARGE_AS_IS_READ = 500_000


@pytest.fixture(scope="module", autouse=True)
def _namespace_and_webhook(
    admin: ApiClient, render_release: RenderRelease, serve_webhook: ServeWebhook
) -> Iterator[None]:
    """A namespace, and a webhook that judges pods as well."""
    release = render_release("training", Admission.WEBHOOK_ONLY)
    with applied(admin, [namespace(NAMESPACE)]), serve_webhook(release, MAX_TIMEOUT_SECONDS):
        yield


def pod(image: str | None = None, text: str = "") -> Document:
    """Return a GPU pod; without an image it breaks no rule."""
    made = plain_pod("unreadable", NAMESPACE)
    (container,) = made["spec"]["containers"]
    container["env"] = [{"name": "TEXT", "value": text}]
    if image is not None:
        container["image"] = image
    return made


def with_fields(document: Document, fields: bytes) -> bytes:
    """Return an object of which a manager says that it owns these fields."""
    manager = {
        "manager": "attacker",
        "operation": "Update",
        "apiVersion": "v1",
        "time": "2026-11-22T00:00:00Z",
        "fieldsType": "FieldsV1",
        "fieldsV1": "FIELDS",
    }
    metadata = {**document["metadata"], "managedFields": [manager]}
    whole = json.dumps({**document, "metadata": metadata}).encode()
    return whole.replace(b'"FIELDS"', fields)


def tried(client: ApiClient, body: bytes) -> str:
    """Return why a pod is refused, without creating it; empty where it is not."""
    path = client.path("v1", "Pod", NAMESPACE)
    return said(client, "POST", f"{path}?dryRun=All", body)


def changed(client: ApiClient, change: object) -> str:
    """Return why a change of the pod is refused; empty where it is not."""
    body = json.dumps(change).encode()
    return said(client, "PATCH", client.path_of(pod()), body, JSON_PATCH)


@contextmanager
def created(client: ApiClient, body: bytes) -> Iterator[None]:
    """Create a pod, which must be admitted; in the end it is gone."""
    assert said(client, "POST", client.path("v1", "Pod", NAMESPACE), body) == ""
    try:
        yield
    finally:
        options = json.dumps({"gracePeriodSeconds": 0}).encode()
        assert said(client, "DELETE", client.path_of(pod()), options) == ""


def test_a_pod_is_judged_whatever_its_managed_fields_are(
    admin: ApiClient, evidence: Evidence
) -> None:
    for fields in UNREADABLE.values():
        assert tried(admin, with_fields(pod(FOREIGN_IMAGE), fields)).startswith(FOREIGN)
        assert tried(admin, with_fields(pod(), fields)) == ""
    evidence.show(
        "A pod is judged whatever its `metadata.managedFields` are, so that a wrong one is refused "
        "and a right one admitted.",
        f"{len(UNREADABLE)} of {len(UNREADABLE)} each: {'; '.join(UNREADABLE)}",
    )


def test_an_update_is_judged_whatever_the_managed_fields_are(
    admin: ApiClient, evidence: Evidence
) -> None:
    for fields in UNREADABLE.values():
        with created(admin, with_fields(pod(), fields)):
            assert changed(admin, FOREIGN_IMAGE_CHANGE).startswith(FOREIGN)
            assert changed(admin, LABEL_CHANGE) == ""
    evidence.show(
        "So is an update of such a pod.",
        f"a foreign image refused and a label admitted in {len(UNREADABLE)} of {len(UNREADABLE)}",
    )


def test_a_pod_that_is_too_large_for_the_webhook_is_refused(
    admin: ApiClient, evidence: Evidence
) -> None:
    large = json.dumps(pod(text="<" * LARGE)).encode()
    assert tried(admin, large) == (
        f"{DENIED_BY_WEBHOOK}The review is larger than 7340032 bytes in JSON, where <, > and & "
        "take six each. Make its object smaller."
    )
    evidence.show(
        "A pod that the API server writes to the webhook at six times its length is refused where "
        "that is too long.",
        f"{len(large)} bytes, of which {LARGE} are `<`",
    )


def test_a_pod_that_is_not_too_large_can_be_updated(admin: ApiClient, evidence: Evidence) -> None:
    with created(admin, json.dumps(pod(text="<" * AS_LARGE_AS_IS_READ)).encode()):
        assert changed(admin, FOREIGN_IMAGE_CHANGE).startswith(FOREIGN)
        assert changed(admin, LABEL_CHANGE) == ""
    evidence.show(
        "A pod that is as large as the webhook reads is judged when it is updated, too.",
        "a foreign image refused and a label admitted, with twice 3 MB in one review",
    )
