import base64
import json
from collections.abc import Iterator
from contextlib import closing
from http import HTTPStatus
from pathlib import Path

import pytest

from policies.document import Document
from tests.webhook.pods import REVIEW, SETTINGS, UID, body_of, gpu_pod, request_of
from tests.webhook.running_webhook import (
    Answered,
    RunningWebhook,
    answer_on,
    exchange,
    running_webhook,
)
from webhook.gate import MAX_BODY_BYTES, MAX_HEAD_BYTES

OWN_UID = "00000000-0000-0000-0000-00000000106d"
ALLOWED = {"uid": UID, "allowed": True}


def _denied(code: int, message: str) -> Document:
    reason = HTTPStatus(code).phrase.replace(" ", "")
    status = {"code": code, "reason": reason, "message": message}
    return {"uid": UID, "allowed": False, "status": status}


def _refused(answered: Answered, status: int, message: str) -> None:
    assert answered.status == status
    assert answered.response["uid"] == ""
    assert answered.response["allowed"] is False
    assert answered.response["status"]["code"] == status
    assert answered.response["status"]["message"] == message


def _head(path: str, size: int) -> bytes:
    return b"POST %s HTTP/1.1\r\nhost: a\r\ncontent-length: %d\r\n\r\n" % (path.encode(), size)


def test_a_review_is_answered_with_the_fixes(webhook: RunningWebhook) -> None:
    response = webhook.review("/mutate?timeout=2s", request_of(gpu_pod()))
    operations = json.loads(base64.b64decode(response["patch"]))
    assert "/spec/tolerations" in [operation["path"] for operation in operations]


def test_a_denial_is_http_200(webhook: RunningWebhook) -> None:
    response = webhook.review("/validate", request_of(gpu_pod(hostIPC=True)))
    assert (response["allowed"], response["status"]["code"]) == (False, 403)


def test_a_connection_carries_one_review_after_another(webhook: RunningWebhook) -> None:
    connection = webhook.connect()
    for body, status in ((b"{", 400), (body_of(request_of(gpu_pod())), 200), (b"", 400)):
        assert exchange(connection, "/mutate", body).status == status
    connection.close()


def test_a_malformed_review_whose_uid_is_known_is_http_200(webhook: RunningWebhook) -> None:
    answered = webhook.ask("/mutate", body_of(request_of({}), kind="Review"))
    assert (answered.status, answered.response["status"]["code"]) == (200, 400)
    assert answered.response["uid"] == UID


TOO_LARGE = (
    "The review is larger than 7340032 bytes in JSON, where <, > and & take six each. "
    "Make its object smaller."
)


@pytest.mark.parametrize("path", ["/mutate", "/validate"])
def test_a_body_over_the_limit_is_refused_unread(webhook: RunningWebhook, path: str) -> None:
    too_large = webhook.ask(path, b" " * (MAX_BODY_BYTES + 1))
    _refused(too_large, 413, TOO_LARGE)


def _large_review(size: int = MAX_BODY_BYTES) -> bytes:
    """Return a review as the API server escapes it."""
    text = "<" * (size // 6)
    return body_of(request_of(gpu_pod(unknown=text))).replace(b"<", rb"\u003c")


@pytest.mark.parametrize("chunked", [False, True])
def test_a_review_over_the_limit_is_answered_by_its_head(
    webhook: RunningWebhook, chunked: bool
) -> None:
    body = _large_review()
    with closing(webhook.connect()) as connection:
        for path, response in (("/mutate", ALLOWED), ("/validate", _denied(413, TOO_LARGE))):
            answered = exchange(connection, path, iter([body]) if chunked else body)
            assert (answered.status, answered.response) == (200, response)


def test_a_review_over_the_limit_is_answered_before_it_has_arrived(webhook: RunningWebhook) -> None:
    body = _large_review()
    request = _head("/validate", len(body))
    with webhook.open_raw() as client:
        client.sendall(request + body[: MAX_HEAD_BYTES + 1])
        assert answer_on(client).response["uid"] == UID
        client.sendall(body[MAX_HEAD_BYTES + 1 :] + b"GET /livez HTTP/1.1\r\nhost: a\r\n\r\n")
        assert client.recv(4096).startswith(b"HTTP/1.1 200 ")


def test_a_server_that_drains_leaves_the_connection_of_an_unread_review_open(
    draining: RunningWebhook,
) -> None:
    answered = draining.ask("/validate", _large_review())
    assert (answered.status, answered.headers.get("connection")) == (200, None)


def test_a_body_at_the_limit_is_read(webhook: RunningWebhook) -> None:
    assert webhook.ask("/mutate", REVIEW.ljust(MAX_BODY_BYTES)).response["uid"] == UID


@pytest.mark.parametrize(("path", "status"), [("/mutate", 405), ("/validate", 405), ("/", 404)])
def test_other_requests_are_refused(webhook: RunningWebhook, path: str, status: int) -> None:
    assert webhook.ask(path).status == status


def test_what_is_not_http_is_refused(webhook: RunningWebhook) -> None:
    with webhook.open_raw() as client:
        client.sendall(b"\x00\x01nonsense\r\n\r\n")
        assert client.recv(4096).startswith(b"HTTP/1.1 400 ")


def test_a_client_that_leaves_halfway_harms_nobody(webhook: RunningWebhook) -> None:
    with webhook.open_raw() as client:
        client.sendall(b"POST /mutate HTTP/1.1\r\nhost: a\r\ncontent-length: 100\r\n\r\n{")
    assert webhook.ask("/livez").body == b"ok\n"


def test_a_log_line_names_rules_and_owner_and_quotes_nothing_of_the_pod(
    webhook: RunningWebhook,
) -> None:
    pod = gpu_pod()
    pod["spec"]["containers"][0]["env"] = [{"name": "TOKEN", "value": "hunter2"}]
    webhook.review("/mutate", request_of(pod, uid=OWN_UID))
    (logged,) = webhook.logged_of(OWN_UID)
    assert logged.pop("milliseconds") > 0
    assert logged.pop("time")
    assert logged == {
        "path": "/mutate",
        "uid": OWN_UID,
        "namespace": "training",
        "owner": "research",
        "decision": "allowed",
        "code": 200,
        "rules": {"fixed": ["tolerations", "shared-memory"]},
        "event": "review",
        "level": "info",
    }


GAVE_WAY = (
    "More reviews are arriving than there is room for, and this one gave way as the slowest. Try "
    "again."
)


@pytest.fixture(scope="module")
def narrow(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningWebhook]:
    """A webhook with room for one large review."""
    options = {"limits": {"body_bytes": 2**20}, "drain_seconds": 0}
    with running_webhook(tmp_path_factory.mktemp("narrow"), SETTINGS, **options) as running:
        yield running


@pytest.mark.parametrize(
    ("path", "given"), [("/mutate", ALLOWED), ("/validate", _denied(429, GAVE_WAY))]
)
def test_a_large_review_that_gives_way_to_another_is_answered_by_its_head(
    narrow: RunningWebhook, path: str, given: Document
) -> None:
    large = _large_review(600_000)
    head = _head(path, len(large))
    with narrow.open_raw() as slow:
        slow.sendall(head + large[:-1])
        narrow.ask("/livez")  # answered after the first part was read
        assert narrow.ask(path, large).response["uid"] == UID
        answered = answer_on(slow)
        assert (answered.status, answered.response) == (200, given)


def test_a_small_review_does_not_give_way_to_large_ones(tmp_path: Path) -> None:
    limits = {"body_bytes": 1}
    body = body_of(request_of(gpu_pod(hostIPC=True)))
    with (
        running_webhook(tmp_path, SETTINGS, drain_seconds=0, limits=limits) as running,
        running.open_raw() as small,
    ):
        small.sendall(_head("/validate", len(body)) + body[:9])
        running.ask("/livez")
        for _ in range(2):
            assert running.ask("/mutate", _large_review(600_000)).status == 200
        small.sendall(body[9:])
        assert answer_on(small).response["status"]["code"] == 403


def test_of_more_bodies_than_there_is_room_for_the_slowest_gives_way(tmp_path: Path) -> None:
    limits = {"bodies": 1}
    with running_webhook(tmp_path, SETTINGS, drain_seconds=0, limits=limits) as running:
        with running.open_raw() as slow, running.open_raw() as another:
            slow.sendall(_head("/mutate", len(REVIEW)) + REVIEW[:9])
            running.ask("/livez")  # answered after the first part of the body was read
            another.sendall(_head("/mutate", len(REVIEW)) + REVIEW[:9])
            _refused(answer_on(slow), 429, GAVE_WAY)
            another.sendall(REVIEW[9:])
            assert answer_on(another).response["allowed"] is True
        assert running.metric('requests_total{code="429",path="/mutate"}') == 1


def test_a_review_that_is_late_is_answered_by_its_head(tmp_path: Path) -> None:
    limits = {"body_seconds": 0.5}
    problem = "The review did not arrive within 0.5 seconds."
    with running_webhook(tmp_path, SETTINGS, drain_seconds=0, limits=limits) as running:
        with running.open_raw() as late, running.open_raw() as unknown:
            late.sendall(_head("/validate", len(REVIEW)) + REVIEW[:-1])
            unknown.sendall(_head("/validate", len(REVIEW)) + REVIEW[:9])
            answered = answer_on(late)
            assert (answered.status, answered.response) == (200, _denied(408, problem))
            _refused(answer_on(unknown), 408, problem)
        assert running.metric('requests_total{code="408",path="/validate"}') == 2
