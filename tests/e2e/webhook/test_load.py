"""Under load, and while its certificate changes, the webhook fixes every pod."""

import ssl
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from http import HTTPStatus
from pathlib import Path
from typing import TypeAlias

import pytest

from charts_py.objects.document import Document
from tests.e2e.control_plane.api_client import ApiClient
from tests.e2e.evidence.evidence import Evidence
from tests.e2e.polling import once_seen
from tests.e2e.releases.objects import applied, namespace
from tests.e2e.scheduling.gpu_pods import plain_pod
from tests.e2e.webhook.platform_webhook import PlatformWebhook
from tests.e2e.webhook.policy_problems import fixed_of
from tests.e2e.webhook.registration import MAX_TIMEOUT_SECONDS, ServeWebhook

NAMESPACE = "load"
FIXES = "tolerations,shared-memory"
CLIENTS = 16
CREATES = 2000
RENEWALS = 10
Create: TypeAlias = Callable[[Document], Document]
"""Creates a pod; returns it as the API server answers; raises ApiError."""


@pytest.fixture(scope="module")
def webhook(
    admin: ApiClient, release: Path, serve_webhook: ServeWebhook
) -> Iterator[PlatformWebhook]:
    """The webhook of training, and an empty namespace."""
    with (
        applied(admin, [namespace(NAMESPACE)]),
        serve_webhook(release, MAX_TIMEOUT_SECONDS) as running,
    ):
        yield running


def create_at_once(create: Create, pods: Iterable[Document]) -> Counter[str | None]:
    """Create pods with all clients; return how many of them which rules fixed.

    Raises the first error.
    """
    with ThreadPoolExecutor(CLIENTS) as executor:
        return Counter(map(fixed_of, executor.map(create, pods)))


@contextmanager
def creating(create: Create, pod: Document) -> Iterator[Counter[str | None]]:
    """Create a pod with all clients, again and again, until the context ends.

    What is yielded holds in the end how many pods which rules fixed. Raises the first error.
    """
    ended = threading.Event()
    fixed: Counter[str | None] = Counter()
    with ThreadPoolExecutor(CLIENTS) as executor:
        clients = [executor.submit(_create_until, ended, create, pod) for _ in range(CLIENTS)]
        try:
            yield fixed
        finally:
            ended.set()
        for client in clients:
            fixed.update(client.result())


def _create_until(ended: threading.Event, create: Create, pod: Document) -> Counter[str | None]:
    fixed: Counter[str | None] = Counter()
    while not ended.is_set():
        fixed[fixed_of(create(pod))] += 1
    return fixed


def shown_certificate(webhook: PlatformWebhook) -> str:
    """Return the certificate that a new connection is shown, which its authority vouches for."""
    authority = str(webhook.files.authority)
    return ssl.get_server_certificate(("127.0.0.1", webhook.port), ca_certs=authority)


def test_many_creates_at_once_meet_no_error(
    admin: ApiClient, webhook: PlatformWebhook, calls: tuple[int, int], evidence: Evidence
) -> None:
    def create(pod: Document) -> Document:
        return admin.create(pod).document

    before = webhook.fixes(), webhook.reviews("/validate")
    pods = (plain_pod(f"pod-{number:04}", NAMESPACE) for number in range(CREATES))
    assert create_at_once(create, pods) == {FIXES: CREATES}
    assert len(admin.find("v1", "Pod", NAMESPACE)) == CREATES
    reviewed = webhook.fixes() - before[0], webhook.reviews("/validate") - before[1]
    assert reviewed == tuple(CREATES * each for each in calls)
    evidence.show(
        f"{CREATES:,} creates by {CLIENTS} clients at once meet no error.",
        f"{CREATES:,} stored, {CREATES:,} fixed, {reviewed[0]:,} reviews to fix them and "
        f"{reviewed[1]} to judge them",
    )


def test_renewed_certificates_lose_no_request_under_load(
    admin: ApiClient, webhook: PlatformWebhook, evidence: Evidence
) -> None:
    def create(pod: Document) -> Document:
        # Beside the connections of the API server, which stay open, one that is new each time.
        assert webhook.get("/readyz").status == HTTPStatus.OK
        return admin.create(pod, dryRun="All").document

    shown = {shown_certificate(webhook)}
    before = webhook.fixes()
    with creating(create, plain_pod("renewed", NAMESPACE)) as fixed:
        for _ in range(RENEWALS):
            webhook.files.renew_certificate()
            new = once_seen(lambda: shown_certificate(webhook), lambda found: found not in shown)
            shown.add(new)
    assert set(fixed) == {FIXES}
    assert webhook.fixes() - before == fixed.total()
    assert len(shown) == RENEWALS + 1
    evidence.show(
        f"The certificate is renewed {RENEWALS} times under the load of {CLIENTS} clients, "
        "and no request is lost.",
        f"{len(shown)} certificates shown; 0 requests and 0 handshakes failed, every pod fixed",
    )
