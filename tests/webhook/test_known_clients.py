"""Whom reviews are answered, by TLS connections on loopback."""

import socket
import ssl
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field

import pytest
import trustme

from tests.webhook.pods import REQUEST, REVIEW, SETTINGS
from tests.webhook.running_webhook import PATIENCE, RunningWebhook, exchange, running_webhook

NAME = "kube-apiserver"
VERSIONS = (ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3)


@dataclass
class Client:
    """An API server that asks for reviews, each on a connection of its own."""

    webhook: RunningWebhook
    tls: ssl.SSLContext
    session: ssl.SSLSession | None = None
    """What it resumes next."""
    has_resumed: list[bool] = field(default_factory=list)

    def is_answered(self) -> bool:
        plain = socket.create_connection(("127.0.0.1", self.webhook.port), timeout=PATIENCE)
        try:
            with self.tls.wrap_socket(
                plain, server_hostname="127.0.0.1", session=self.session
            ) as client:
                self.has_resumed.append(bool(client.session_reused))
                client.sendall(REQUEST)
                answered = client.recv(4096).startswith(b"HTTP/1.1 200 ")
                self.session = client.session
                return answered
        except (ssl.SSLError, ConnectionError):
            return False


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningWebhook]:
    """A webhook that lets in clients of one name, of the authority in `ca.crt`."""
    folder = tmp_path_factory.mktemp("guarded")
    (folder / "ca.crt").write_bytes(trustme.CA().cert_pem.bytes())
    options = {
        "client_ca": folder / "ca.crt",
        "client_names": (NAME, "another"),
        "operations_port": 0,
        "drain_seconds": 0,
    }
    with running_webhook(folder, SETTINGS, **options) as running:
        yield running


@pytest.fixture
def clients(guarded: RunningWebhook) -> trustme.CA:
    """The authority in force, which is of the test alone."""
    return _replaced(guarded)


def _replaced(guarded: RunningWebhook) -> trustme.CA:
    authority = trustme.CA()
    guarded.write("ca.crt", authority.cert_pem.bytes())
    guarded.log_until("certificate loaded")
    return authority


def _tls(
    guarded: RunningWebhook, authority: trustme.CA, name: str = NAME, version: int = 0
) -> ssl.SSLContext:
    tls = guarded.tls()
    if version:
        tls.minimum_version = tls.maximum_version = ssl.TLSVersion(version)
    authority.issue_cert(common_name=name).configure_cert(tls)
    return tls


@pytest.mark.parametrize(("name", "is_answered"), [(NAME, True), ("another", True), ("a", False)])
def test_only_clients_of_a_known_name_are_answered(
    guarded: RunningWebhook, clients: trustme.CA, name: str, is_answered: bool
) -> None:
    assert Client(guarded, _tls(guarded, clients, name)).is_answered() is is_answered


def test_a_certificate_without_a_name_is_not_known(
    guarded: RunningWebhook, clients: trustme.CA
) -> None:
    tls = guarded.tls()
    clients.issue_cert("kube-apiserver").configure_cert(tls)  # as a name of a host
    assert Client(guarded, tls).is_answered() is False


def test_why_a_client_is_refused_is_logged(guarded: RunningWebhook, clients: trustme.CA) -> None:
    Client(guarded, _tls(guarded, clients, "kubelet")).is_answered()
    event = "A client was refused: its certificate is of 'kubelet'; known: kube-apiserver, another."
    assert guarded.log_until(event)["level"] == "warning"


@pytest.mark.parametrize("version", VERSIONS)
def test_no_session_is_resumed(
    guarded: RunningWebhook, clients: trustme.CA, version: ssl.TLSVersion
) -> None:
    client = Client(guarded, _tls(guarded, clients, version=version))
    assert client.is_answered() is True
    client.is_answered()
    client.session = None
    assert client.is_answered() is True


@pytest.mark.parametrize("version", VERSIONS)
def test_no_session_outlives_the_authority_of_its_client(
    guarded: RunningWebhook, clients: trustme.CA, version: ssl.TLSVersion
) -> None:
    client = Client(guarded, _tls(guarded, clients, version=version))
    assert client.is_answered() is True
    successor = _replaced(guarded)
    assert client.is_answered() is False
    assert Client(guarded, _tls(guarded, successor, version=version)).is_answered() is True


def test_no_connection_outlives_the_authority_of_its_client(
    guarded: RunningWebhook, clients: trustme.CA
) -> None:
    with closing(guarded.connect(_tls(guarded, clients))) as connection:
        assert exchange(connection, "/mutate", REVIEW).status == 200
        guarded.write("tls.crt", (guarded.folder / "tls.crt").read_bytes() + b"\n")
        guarded.log_until("certificate loaded")
        time.sleep(1.5)
        assert exchange(connection, "/mutate", REVIEW).status == 200  # the authority is the same
        _replaced(guarded)
        connection.sock.settimeout(PATIENCE)
        assert connection.sock.recv(1) == b""


def test_without_a_client_authority_sessions_are_resumed(webhook: RunningWebhook) -> None:
    client = Client(webhook, webhook.tls())
    assert [client.is_answered() for _ in range(2)] == [True, True]
    assert client.has_resumed == [False, True]
