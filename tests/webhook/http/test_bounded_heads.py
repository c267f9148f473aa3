import ssl
from contextlib import closing, suppress

import pytest

from tests.webhook.pods import REVIEW
from tests.webhook.running_webhook import RunningWebhook, exchange
from webhook.http.bounded_protocol import MAX_FIELDS, MAX_HEAD_BYTES, MAX_PIPELINED

LIVEZ = b"GET /livez HTTP/1.1\r\nhost: a\r\n"
POST = b"POST /mutate HTTP/1.1\r\nhost: a\r\n"
TOO_LARGE = (
    b"HTTP/1.1 431 Request Header Fields Too Large\r\n"
    b"content-length: 0\r\n"
    b"connection: close\r\n"
    b"\r\n"
)
MEBIBYTE = 2**20


def _answer(client: ssl.SSLSocket) -> bytes:
    try:
        return client.recv(4096)
    except (ConnectionError, ssl.SSLError):
        return b""


def _send_until_refused(client: ssl.SSLSocket, part: bytes) -> None:
    """Send without end; a client that is never refused is never done."""
    with suppress(ConnectionError, ssl.SSLError):
        while True:
            client.sendall(part)


@pytest.mark.parametrize(
    "head",
    [
        LIVEZ + b"x: " + b"a" * MAX_HEAD_BYTES + b"\r\n\r\n",
        b"GET /" + b"a" * MAX_HEAD_BYTES + b" HTTP/1.1\r\nhost: a\r\n\r\n",
        LIVEZ + b"x: " + b"a" * MAX_HEAD_BYTES,
        b"\r\n" * MAX_HEAD_BYTES,
        LIVEZ + b"a: b\r\n" * MAX_FIELDS + b"\r\n",
        POST + b"a: b\r\n" * MAX_FIELDS + b"content-length: %d\r\n\r\n" % len(REVIEW) + REVIEW,
        POST + b"content-length: 9\r\nx: " + b"a" * MAX_HEAD_BYTES + b"\r\n\r\n",
    ],
    ids=["field", "path", "unfinished", "empty lines", "fields", "review", "review's field"],
)
def test_a_head_above_the_limit_is_answered_431(webhook: RunningWebhook, head: bytes) -> None:
    with webhook.open_raw() as client:
        client.sendall(head)
        assert _answer(client) == TOO_LARGE


def test_a_head_at_the_limit_is_read(webhook: RunningWebhook) -> None:
    with webhook.open_raw() as client:
        client.sendall(LIVEZ + b"x: " + b"a" * (MAX_HEAD_BYTES - 100) + b"\r\n\r\n")
        assert _answer(client).startswith(b"HTTP/1.1 200 ")


def test_a_body_is_no_part_of_the_head(webhook: RunningWebhook) -> None:
    whole = REVIEW.ljust(3 * MAX_HEAD_BYTES)
    with closing(webhook.connect()) as client:
        assert [exchange(client, "/mutate", whole).status for _ in range(3)] == [200] * 3


@pytest.mark.parametrize(
    ("first", "then"),
    [
        (LIVEZ + b"x: ", b"a" * 10_000),
        (LIVEZ, b"a: b\r\n" * 100),
        (POST + b"transfer-encoding: chunked\r\n\r\n1;", b"a" * 10_000),
        (POST + b"transfer-encoding: chunked\r\n\r\n0\r\n", b"trailer: %s\r\n" % (b"a" * 10_000)),
        (POST + b"transfer-encoding: chunked\r\n\r\n0\r\ntrailer: ", b"a" * 10_000),
    ],
    ids=["field", "fields", "extension of a chunk", "trailers", "trailer"],
)
def test_what_goes_on_without_end_is_refused_and_not_kept(
    webhook: RunningWebhook, first: bytes, then: bytes
) -> None:
    process = webhook.workers[0]
    with webhook.open_raw() as client:
        client.sendall(first)
        before = process.memory_info().rss
        _send_until_refused(client, then)
        kept = process.memory_info().rss - before
    assert kept < 4 * MEBIBYTE
    assert webhook.ask("/livez").status == 200


def test_requests_that_nobody_waits_for_the_answer_of_are_bounded(webhook: RunningWebhook) -> None:
    with webhook.open_raw() as client:
        client.sendall((LIVEZ + b"\r\n") * (MAX_PIPELINED + 10))
        assert _answer(client).count(b"HTTP/1.1 200 ") <= 1
        _send_until_refused(client, LIVEZ)


def test_a_few_requests_in_one_write_are_answered(webhook: RunningWebhook) -> None:
    with webhook.open_raw() as client:
        client.sendall((LIVEZ + b"\r\n") * MAX_PIPELINED)
        answers = b""
        while answers.count(b"ok\n") < MAX_PIPELINED:
            answers += client.recv(4096)
    assert answers.count(b"HTTP/1.1 200 ") == MAX_PIPELINED
