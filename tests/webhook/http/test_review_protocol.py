import ssl
import time
from collections.abc import Iterator

import pytest

from tests.webhook.pods import REVIEW, UID, body_of, gpu_pod, request_of
from tests.webhook.running_webhook import RunningWebhook, answer_on

ANOTHER_UID = "00000000-0000-0000-0000-000000000001"
COUNTED_UID = "00000000-0000-0000-0000-000000000002"
NEXT_UID = "00000000-0000-0000-0000-000000000003"


@pytest.fixture
def client(webhook: RunningWebhook) -> Iterator[ssl.SSLSocket]:
    with webhook.open_raw() as connection:
        yield connection


def _request(body: bytes, *fields: str, path: str = "/mutate") -> bytes:
    head = [f"POST {path} HTTP/1.1", "host: a", f"content-length: {len(body)}", *fields, "", ""]
    return "\r\n".join(head).encode() + body


@pytest.mark.parametrize("body", [REVIEW, b"{", b""])
@pytest.mark.parametrize("path", ["/mutate?timeout=2s", "/validate"])
def test_a_review_in_parts_is_answered_as_one_that_arrives_whole(
    client: ssl.SSLSocket, path: str, body: bytes
) -> None:
    request = _request(body, path=path)
    client.sendall(request)
    whole = answer_on(client)
    for part in (request[:20], request[20:-10], request[-10:]):
        client.sendall(part)
        time.sleep(0.05)  # apart, so that they are read apart
    assert answer_on(client) == whole


def test_reviews_in_one_write_are_answered_in_their_order(client: ssl.SSLSocket) -> None:
    another = body_of(request_of(gpu_pod(), uid=ANOTHER_UID))
    in_parts = _request(REVIEW)
    client.sendall(_request(REVIEW) + _request(another) + in_parts[:-10])
    client.sendall(in_parts[-10:] + _request(another))
    # One reader for all, since it reads ahead.
    with client.makefile("rb") as answers:
        text = answers.read1()
        while text.count(b'"uid":') < len(uids := [UID, ANOTHER_UID, UID, ANOTHER_UID]):
            text += answers.read1()
    assert [part[1:37].decode() for part in text.split(b'"uid":')[1:]] == uids


def test_a_client_that_closes_gets_connection_close(client: ssl.SSLSocket) -> None:
    client.sendall(_request(REVIEW, "connection: close"))
    assert answer_on(client).headers["connection"] == "close"
    assert client.recv(1) == b""


def test_a_client_that_asks_first_may_go_on(client: ssl.SSLSocket) -> None:
    request = _request(REVIEW, "expect: 100-continue")
    client.sendall(request[: -len(REVIEW)])
    assert client.recv(4096) == b"HTTP/1.1 100 Continue\r\n\r\n"
    client.sendall(REVIEW)
    assert answer_on(client).response["uid"] == UID


def test_what_is_not_http_after_a_review_is_refused(client: ssl.SSLSocket) -> None:
    client.sendall(_request(REVIEW) + b"\x00\r\n\r\n")
    assert answer_on(client).status == 200


def test_a_review_is_counted_and_logged_once(webhook: RunningWebhook) -> None:
    counters = (
        'requests_total{code="200",path="/mutate"}',
        'request_seconds_count{path="/mutate"}',
    )
    before = [webhook.metric(name) for name in counters]
    with webhook.open_raw() as client:
        client.sendall(_request(body_of(request_of(gpu_pod(), uid=COUNTED_UID))))
        assert answer_on(client).status == 200
    assert [webhook.metric(name) for name in counters] == [count + 1 for count in before]
    webhook.review("/mutate", request_of(gpu_pod(), uid=NEXT_UID))
    assert webhook.logged_of(NEXT_UID)
    assert len(webhook.logged_of(COUNTED_UID)) == 1


def test_a_server_that_drains_closes_after_its_answer(draining: RunningWebhook) -> None:
    with draining.open_raw() as client:
        client.sendall(_request(REVIEW))
        assert answer_on(client).headers["connection"] == "close"
        assert client.recv(1) == b""
