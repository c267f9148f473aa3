import socket
import ssl
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, closing
from typing import TypeAlias

import pytest

from tests.webhook.pods import REVIEW, SETTINGS, body_of, request_of
from tests.webhook.running_webhook import PATIENCE, RunningWebhook, exchange, running_webhook
from webhook.http.bounded_protocol import busiest_peer

Client: TypeAlias = Callable[[RunningWebhook], object]

HEAD = b"POST /mutate HTTP/1.1\r\nhost: a\r\n"
WHOLE_HEAD = HEAD + b"content-length: 100\r\n\r\n"
LIVEZ = b"GET /livez HTTP/1.1\r\nhost: a\r\n\r\n"
HEAD_SECONDS = 1.5
"""Enough for a TLS handshake on a busy machine, which it bounds too."""
LONGER = HEAD_SECONDS + 2.5
"""Seconds, with those that may pass before the server has looked twice."""
FEW = 100


@pytest.fixture(scope="module")
def impatient(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningWebhook]:
    options = {"limits": {"head_seconds": HEAD_SECONDS}, "operations_port": 0, "drain_seconds": 0}
    with running_webhook(tmp_path_factory.mktemp("webhook"), SETTINGS, **options) as running:
        yield running


def _plain(webhook: RunningWebhook, port: int = 0) -> socket.socket:
    return socket.create_connection(("127.0.0.1", webhook.ports[port]), timeout=PATIENCE)


def _is_closed(client: socket.socket) -> bool:
    try:
        while client.recv(4096):
            pass
    except TimeoutError:
        return False
    except (ConnectionError, ssl.SSLEOFError):
        pass
    return True


def _is_closed_while_sending(client: socket.socket, part: bytes) -> bool:
    try:
        for _ in range(FEW):
            client.sendall(part)
            time.sleep(HEAD_SECONDS / 4)
    except (ConnectionError, ssl.SSLError):
        return True
    return False


def _left_open(webhook: RunningWebhook, first: bytes, then: Sequence[bytes]) -> list[bytes]:
    """Return what was sent last, after a first request if any, on connections that stay open."""
    with ExitStack() as connections:
        clients = {}
        for sent in then:
            clients[sent] = connections.enter_context(webhook.open_raw())
            if first:
                clients[sent].sendall(first)
                assert clients[sent].recv(4096).startswith(b"HTTP/1.1 200 ")
            clients[sent].sendall(sent)
        return [sent for sent, client in clients.items() if not _is_closed(client)]


def _open_in_the_first_request(impatient: RunningWebhook) -> list[bytes]:
    return _left_open(impatient, b"", [b"\r\n", b"P", HEAD, WHOLE_HEAD])


def _open_in_a_later_request(impatient: RunningWebhook) -> list[bytes]:
    return _left_open(impatient, LIVEZ, [b"P", HEAD, WHOLE_HEAD])


def _is_closed_in_a_head(impatient: RunningWebhook) -> bool:
    with impatient.open_raw() as client:
        client.sendall(HEAD)
        return _is_closed_while_sending(client, b"x: y\r\n")


def _is_closed_between_requests(impatient: RunningWebhook) -> bool:
    with impatient.open_raw() as client:
        client.sendall(LIVEZ)
        assert client.recv(4096).startswith(b"HTTP/1.1 200 ")
        return _is_closed_while_sending(client, b"\r\n")


def _is_closed_in_an_unread_body(impatient: RunningWebhook) -> bool:
    with impatient.open_raw() as client:
        client.sendall(b"POST /none HTTP/1.1\r\nhost: a\r\ncontent-length: 1000\r\n\r\n")
        assert client.recv(4096).startswith(b"HTTP/1.1 404 ")
        return _is_closed_while_sending(client, b" ")


def _is_closed_before_tls(impatient: RunningWebhook) -> bool:
    with _plain(impatient) as client:
        return _is_closed(client)


def _is_closed_at_the_operations_port(impatient: RunningWebhook) -> bool:
    with _plain(impatient, port=1) as client:
        client.sendall(b"G")
        return _is_closed(client)


def _answer_to_a_first_request_after_a_wait(impatient: RunningWebhook) -> bytes:
    with impatient.open_raw() as client:
        time.sleep(LONGER)
        client.sendall(LIVEZ)
        return client.recv(4096)[:13]


def _answers_with_a_wait(impatient: RunningWebhook) -> list[bytes]:
    """Return the beginnings of the answers to two reviews, between which nothing is sent."""
    answers = []
    with impatient.open_raw() as client:
        for seconds in (LONGER, 0):
            client.sendall(HEAD + b"content-length: %d\r\n\r\n" % len(REVIEW) + REVIEW)
            answers.append(client.recv(4096)[:13])
            time.sleep(seconds)
    return answers


def _statuses_with_a_slow_body(impatient: RunningWebhook) -> list[int]:
    """Return those of a connection that is idle, of one whose body is slow, and of the first."""
    with closing(impatient.connect()) as idle, closing(impatient.connect()) as slow:
        statuses = [exchange(idle, "/mutate", REVIEW).status]
        slow.putrequest("POST", "/mutate")
        slow.putheader("content-length", str(len(REVIEW)))
        slow.endheaders()
        for byte in REVIEW[:10]:
            slow.send(bytes([byte]))
            time.sleep(LONGER / 10)
        slow.send(REVIEW[10:])
        statuses.append(slow.getresponse().status)
        return [*statuses, exchange(idle, "/mutate", REVIEW).status]


WAITING: dict[str, tuple[Client, object]] = {
    "a connection on which a first request does not end is closed": (
        _open_in_the_first_request,
        [],
    ),
    "a connection on which a later request does not end is closed": (_open_in_a_later_request, []),
    "a head that comes bit by bit is not waited for": (_is_closed_in_a_head, True),
    "empty lines between requests keep no connection open": (_is_closed_between_requests, True),
    "a body that nobody reads keeps no connection open": (_is_closed_in_an_unread_body, True),
    "a connection that never begins TLS is closed": (_is_closed_before_tls, True),
    "the operations port waits no longer": (_is_closed_at_the_operations_port, True),
    "a connection that is opened ahead of its first request is left alone": (
        _answer_to_a_first_request_after_a_wait,
        b"HTTP/1.1 200 ",
    ),
    "a connection that is idle after a review is left alone": (
        _answers_with_a_wait,
        [b"HTTP/1.1 200 "] * 2,
    ),
    "slow bodies and idle connections are left alone": (_statuses_with_a_slow_body, [200] * 3),
}
"""What a client does, and what it meets."""


@pytest.fixture(scope="module")
def met(impatient: RunningWebhook) -> Iterator[dict[Client, Future[object]]]:
    """What each client meets; all of them wait at the same time."""
    with ThreadPoolExecutor(len(WAITING)) as threads:
        yield {client: threads.submit(client, impatient) for client, _ in WAITING.values()}


@pytest.mark.parametrize(("client", "outcome"), WAITING.values(), ids=WAITING)
def test_who_is_waited_for_and_who_is_not(
    met: dict[Client, Future[object]], client: Client, outcome: object
) -> None:
    assert met[client].result() == outcome


def test_a_client_that_does_not_read_its_answers_is_not_waited_for(
    impatient: RunningWebhook,
) -> None:
    body = body_of(request_of({}, operation="DELETE"))  # which nothing is logged of
    request = HEAD + b"content-length: %d\r\n\r\n" % len(body) + body
    with impatient.open_raw() as client:
        assert _is_refused_in_the_end(client, request)


def _is_refused_in_the_end(client: socket.socket, request: bytes) -> bool:
    try:
        while True:
            client.sendall(request)
    except TimeoutError:
        return False
    except (ConnectionError, ssl.SSLError):
        return True


@pytest.mark.parametrize(
    ("peers", "gone"), [("a", 0), ("ab", 0), ("abb", 1), ("babab", 0), ("abcbcb", 1)]
)
def test_the_oldest_of_the_peer_that_holds_the_most_goes_first(peers: str, gone: int) -> None:
    assert busiest_peer(dict(enumerate(peers))) == gone
