import resource
import socket
import ssl
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

import pytest

from tests.webhook.pods import REQUEST, SETTINGS, gpu_pod, request_of
from tests.webhook.running_webhook import PATIENCE, RunningWebhook, running_webhook
from webhook.gate import Limits
from webhook.http.bounded_server import MAX_BEGINNING

CONNECTIONS = 20
ATTACKER = "127.0.0.2"
KIBIBYTE = 2**10


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningWebhook]:
    """A webhook with room for few connections."""
    options = {
        "limits": {"connections": CONNECTIONS, "head_seconds": PATIENCE},
        "operations_port": 0,
        "drain_seconds": 0,
    }
    with running_webhook(tmp_path_factory.mktemp("webhook"), SETTINGS, **options) as running:
        yield running


@contextmanager
def _files(number: int) -> Iterator[None]:
    """Allow this process that many open files, and a webhook that it starts."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(number, hard), hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def _plain(webhook: RunningWebhook, port: int = 0, source: str = ATTACKER) -> socket.socket:
    return socket.create_connection(
        ("127.0.0.1", webhook.ports[port]), timeout=PATIENCE, source_address=(source, 0)
    )


def _tls(
    webhook: RunningWebhook, source: str = ATTACKER, tls: ssl.SSLContext | None = None
) -> ssl.SSLSocket:
    context = tls or webhook.tls()
    return context.wrap_socket(_plain(webhook, source=source), server_hostname="127.0.0.1")


def _answers(client: socket.socket, request: bytes = REQUEST) -> bool:
    try:
        client.sendall(request)
        return client.recv(4096).startswith(b"HTTP/1.1 200 ")
    except (ConnectionError, ssl.SSLError):
        return False


def test_a_new_connection_takes_the_place_of_the_one_idle_for_longest(
    small: RunningWebhook,
) -> None:
    with ExitStack() as held:
        used, idle, *others = [held.enter_context(_tls(small)) for _ in range(CONNECTIONS)]
        assert _answers(used)
        newest = held.enter_context(_tls(small))
        assert [_answers(each) for each in (newest, used, idle, *others)] == [
            True,
            True,
            False,
            *[True] * len(others),
        ]


def test_who_takes_all_connections_takes_them_from_itself(small: RunningWebhook) -> None:
    with ExitStack() as held:
        honest = held.enter_context(_tls(small, source="127.0.0.1"))
        for _ in range(3 * CONNECTIONS):
            held.enter_context(_tls(small))
        assert _answers(honest)


def test_a_request_that_comes_bit_by_bit_counts_as_idle(small: RunningWebhook) -> None:
    with ExitStack() as held:
        slow = held.enter_context(_tls(small))
        slow.sendall(REQUEST[:10])
        others = [held.enter_context(_tls(small)) for _ in range(CONNECTIONS - 1)]
        assert all(_answers(each) for each in others)
        slow.sendall(REQUEST[10:20])
        held.enter_context(_tls(small))
        assert [_answers(slow, REQUEST[20:]), _answers(others[0])] == [False, True]


def test_the_port_of_operations_answers_while_connections_to_it_are_held(
    small: RunningWebhook,
) -> None:
    with ExitStack() as held:
        for _ in range(3 * CONNECTIONS):
            held.enter_context(_plain(small, port=1))
        assert small.ask_operations("/livez").body == b"ok\n"


def test_connections_that_never_begin_tls_are_bounded(small: RunningWebhook) -> None:
    process = small.workers[0]
    with _files(8192), ExitStack() as held:
        honest = held.enter_context(_tls(small, source="127.0.0.1"))
        for _ in range(4 * MAX_BEGINNING):
            held.enter_context(_plain(small))
        assert small.ask("/livez").status == 200
        assert process.num_fds() < MAX_BEGINNING + CONNECTIONS + 128
        assert _answers(honest)


def test_1030_idle_connections_keep_nobody_out_and_take_little_memory(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    folder = tmp_path_factory.mktemp("webhook")
    with (
        _files(8192),
        running_webhook(folder, SETTINGS, operations_port=0, drain_seconds=0) as running,
        ExitStack() as held,
    ):
        process = running.workers[0]
        before = process.memory_info().rss
        number, tls = Limits().connections + 6, running.tls()
        for _ in range(number):
            held.enter_context(_tls(running, tls=tls))
        each = (process.memory_info().rss - before) / number
        assert running.ask("/livez").body == b"ok\n"
        assert running.ask_operations("/livez").body == b"ok\n"
        assert running.review("/mutate", request_of(gpu_pod()))["allowed"] is True
    assert each < 100 * KIBIBYTE
