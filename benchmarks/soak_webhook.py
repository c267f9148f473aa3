"""What the webhook answers to ten thousand hostile bodies, and how much memory it keeps afterwards.

Run by `make soak-webhook`. Each answer must be an AdmissionReview or a clean 4xx; a 5xx, a dropped
connection or a wait ends the run with exit code 1.
"""

from __future__ import annotations

import http.client
import json
import os
import sys
import tempfile
from collections import Counter
from contextlib import closing
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console

from benchmarks.webhook_review import review
from benchmarks.webhook_servers import HOST, prepare, serve_webhook, serving
from benchmarks.webhook_soak_bodies import hostile_bodies
from webhook.http.bounded_protocol import MAX_FIELDS, MAX_HEAD_BYTES
from webhook.reviewer import Purpose

if TYPE_CHECKING:
    import ssl
    from collections.abc import Iterable

BODIES = 10_000
WARM_UP_BODIES = 1_000
"""Before memory is measured: what is allocated once is allocated then."""
PATIENCE_SECONDS = 10
RAW_REQUESTS = (
    b"\x16\x03\x01nonsense\r\n\r\n",
    b"POST /mutate HTTP/1.1\r\nhost: a\r\ncontent-length: -1\r\n\r\n",
    b"POST /mutate HTTP/1.1\r\nhost: a\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n{",
    b"POST /mutate HTTP/1.1\r\nhost: a\r\ncontent-length: 99999999999999999999999999\r\n\r\n",
    b"POST /mutate HTTP/1.1\r\nhost: a\r\ncontent-length: 9999999999\r\n\r\n{",
    b"POST /mutate HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\nXYZ\r\n",
    b"POST /mutate HTTP/1.1\r\nhost: a\r\ncontent-length: 5\r\n\r\n{}{}{}{}",
    b"POST /mutate HTTP/1.1\r\nhost: a\r\nx: " + b"a" * 2 * MAX_HEAD_BYTES,
    b"POST /mutate HTTP/1.1\r\nhost: a\r\n" + b"a: b\r\n" * MAX_FIELDS + b"\r\n",
    b"POST /" + b"a" * 2 * MAX_HEAD_BYTES + b" HTTP/1.1\r\n",
)
"""Requests whose length or head is wrong, or that are not HTTP."""


def main() -> int:
    """Send, count and print; returns the exit code."""
    console = Console(width=100)
    core, *_ = sorted(os.sched_getaffinity(0))
    with tempfile.TemporaryDirectory() as directory:
        folder = Path(directory)
        tls = prepare(folder)
        with serving(serve_webhook, folder, core) as server:
            bodies = hostile_bodies(WARM_UP_BODIES + BODIES)
            _send(server.port, tls, islice(bodies, WARM_UP_BODIES))
            before = server.resident_bytes() / 2**20
            answers = _send(server.port, tls, bodies)
            answers += _send_raw(server.port, tls)
            after = server.resident_bytes() / 2**20
            answers["alive afterwards"] = int(_is_alive(server.port, tls))
    for answer, times in sorted(answers.items()):
        console.print(f"{times:7,}  {answer}")
    console.print(f"resident memory {before:.1f} MiB before, {after:.1f} MiB after")
    wrong = [answer for answer in answers if answer.startswith("wrong")]
    return int(bool(wrong) or not answers["alive afterwards"])


def _send(port: int, tls: ssl.SSLContext, bodies: Iterable[bytes]) -> Counter[str]:
    answers: Counter[str] = Counter()
    paths = [f"/{purpose.value}" for purpose in Purpose]
    connection = http.client.HTTPSConnection(HOST, port, context=tls, timeout=PATIENCE_SECONDS)
    with closing(connection):
        for index, body in enumerate(bodies):
            connection.request("POST", paths[index % len(paths)], body)
            response = connection.getresponse()
            answers[_judge(response.status, response.read())] += 1
    return answers


def _judge(status: int, body: bytes) -> str:
    """Name an answer; `wrong` first where it is neither a review nor a clean 4xx."""
    try:
        review = json.loads(body)
        inside = review["response"]
        code = inside.get("status", {}).get("code", 200)
        is_review = review["kind"] == "AdmissionReview" and type(inside["uid"]) is str
    except (ValueError, KeyError, TypeError):
        code, is_review = None, False
    name = f"HTTP {status}, " + (f"AdmissionReview with {code}" if is_review else "not a review")
    right = (is_review and status == http.HTTPStatus.OK) or 400 <= status < 500  # 4xx
    return name if right else f"wrong: {name}"


def _send_raw(port: int, tls: ssl.SSLContext) -> Counter[str]:
    answers: Counter[str] = Counter()
    for request in RAW_REQUESTS:
        connection = http.client.HTTPSConnection(HOST, port, context=tls, timeout=PATIENCE_SECONDS)
        with closing(connection):
            connection.connect()
            connection.send(request)
            response = http.client.HTTPResponse(connection.sock, method="POST")
            response.begin()
            answers[f"raw: {_judge(response.status, response.read())}"] += 1
            response.close()
    return answers


def _is_alive(port: int, tls: ssl.SSLContext) -> bool:
    answers = _send(port, tls, [review()])
    return answers == {"HTTP 200, AdmissionReview with 200": 1}


if __name__ == "__main__":
    sys.exit(main())
