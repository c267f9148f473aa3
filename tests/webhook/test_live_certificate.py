import ssl
from collections.abc import Iterator

import pytest
import trustme

from tests.webhook.pods import SETTINGS
from tests.webhook.running_webhook import RunningWebhook, running_webhook


@pytest.fixture(scope="module")
def guarded(
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[tuple[RunningWebhook, trustme.CA]]:
    """A webhook that asks clients for a certificate, and the authority that signs them."""
    folder, clients = tmp_path_factory.mktemp("guarded"), trustme.CA()
    file = folder / "ca.crt"
    file.write_bytes(clients.cert_pem.bytes())
    options = {"client_ca": file, "operations_port": 0, "drain_seconds": 0}
    with running_webhook(folder, SETTINGS, **options) as running:
        yield running, clients


def test_tls_below_1_2_is_refused(webhook: RunningWebhook) -> None:
    old = webhook.tls()
    old.minimum_version = ssl.TLSVersion.MINIMUM_SUPPORTED
    with pytest.warns(DeprecationWarning, match="TLSv1_1 is deprecated"):
        old.maximum_version = ssl.TLSVersion.TLSv1_1
    with pytest.raises(ssl.SSLError):
        webhook.ask("/livez", tls=old)


@pytest.mark.parametrize("version", [ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3])
def test_tls_1_2_and_1_3_are_spoken(webhook: RunningWebhook, version: ssl.TLSVersion) -> None:
    tls = webhook.tls()
    tls.minimum_version = tls.maximum_version = version
    assert webhook.ask("/livez", tls=tls).status == 200


def test_a_client_with_a_certificate_is_let_in(guarded: tuple[RunningWebhook, trustme.CA]) -> None:
    running, clients = guarded
    tls = running.tls()
    clients.issue_cert("apiserver").configure_cert(tls)
    assert running.ask("/livez", tls=tls).status == 200


def test_other_clients_are_refused(guarded: tuple[RunningWebhook, trustme.CA]) -> None:
    running, _ = guarded
    stranger = running.tls()
    trustme.CA().issue_cert("apiserver").configure_cert(stranger)
    for tls in (running.tls(), stranger):
        with pytest.raises((ssl.SSLError, ConnectionError)):
            running.ask("/livez", tls=tls)


def test_the_kubelet_needs_no_certificate(guarded: tuple[RunningWebhook, trustme.CA]) -> None:
    running, _ = guarded
    assert running.ask_operations("/readyz").body == b"ok\n"
    assert b"gpuplane_webhook_settings_info" in running.ask_operations("/metrics").body
    assert running.ask_operations("/mutate").status == 404
