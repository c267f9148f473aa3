"""What the webhook answers to ten thousand hostile bodies, and how much memory it keeps afterwards.

Run by `make soak-webhook`. Each answer must be an AdmissionReview or a clean 4xx; a 5xx, a dropped
connection or a wait ends the run with exit code 1.
"""

import http.client
import json
import os
import random
import ssl
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from copy import deepcopy
from itertools import islice
from pathlib import Path
from typing import Any

from rich.console import Console

from benchmarks.load import HOST
from benchmarks.reviewed import review
from benchmarks.webhook_servers import prepare, serve_webhook, serving
from webhook.gate import MAX_BODY_BYTES
from webhook.http.bounded_protocol import MAX_FIELDS, MAX_HEAD_BYTES
from webhook.reviewer import Purpose

BODIES = 10_000
WARM_UP_BODIES = 1_000
"""Bodies that are sent before memory is measured: what is allocated once is allocated then."""
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
_WRONG_VALUES: tuple[Any, ...] = (
    None,
    True,
    0,
    -1,
    10**400,
    1e308,
    "",
    "\x00",
    "a" * 10_000,
    [],
    [[]],
    {},
    {"": {}},
    [None] * 100,
    {"~0/~1": {"..": "../../etc/passwd"}},
)
_SHARE_OF_LARGE = 0.1


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


def hostile_bodies(number: int, seed: int = 0) -> Iterator[bytes]:
    """Yield bodies that no API server sends, the same ones for the same seed."""
    chance = random.Random(seed)  # noqa: S311 # repeatable, and not a secret
    whole = review()
    for index in range(number):
        yield _KINDS[index % len(_KINDS)](chance, whole)


def _truncated(chance: random.Random, whole: bytes) -> bytes:
    return whole[: chance.randrange(len(whole))]


def _flipped(chance: random.Random, whole: bytes) -> bytes:
    body = bytearray(whole)
    for _ in range(chance.randint(1, 20)):
        body[chance.randrange(len(body))] = chance.randrange(256)
    return bytes(body)


def _noise(chance: random.Random, _whole: bytes) -> bytes:
    return chance.randbytes(chance.randrange(4096))


def _wrong_types(chance: random.Random, whole: bytes) -> bytes:
    document = json.loads(whole)
    for _ in range(chance.randint(1, 4)):
        parent, key = chance.choice(list(_places(document)))
        parent[key] = deepcopy(chance.choice(_WRONG_VALUES))
    return json.dumps(document).encode()


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    members = value.items() if isinstance(value, dict) else enumerate(value)
    for key, member in list(members):
        yield value, key
        if isinstance(member, dict | list):
            yield from _places(member)


def _nested(chance: random.Random, whole: bytes) -> bytes:
    depth = chance.choice((100, 500, 1_000, 5_000, 50_000))
    opening, closing = chance.choice(((b"[", b"]"), (b'{"a":', b"}")))
    nested = opening * depth + b"1" + closing * depth
    place = chance.choice((b'"Never"', b'"train"', b'"team-3"', b"false"))
    return whole.replace(place, nested, 1)


def _invalid_utf8(chance: random.Random, whole: bytes) -> bytes:
    wrong = chance.choice((b"\xff", b"\xc0\xaf", b"\xed\xa0\x80", b"\\ud800", b"\x00"))
    return whole.replace(b"train", b"train" + wrong, chance.randint(1, 3))


def _numbers(chance: random.Random, whole: bytes) -> bytes:
    number = chance.choice(
        (b"NaN", b"Infinity", b"-Infinity", b"1e999999", b"9" * 5_000, b"-0", b"0.1", b"1" * 400)
    )
    return whole.replace(chance.choice((b'"8"', b'"90"', b'"900Gi"')), number)


def _duplicate_keys(chance: random.Random, whole: bytes) -> bytes:
    value = json.dumps(chance.choice(_WRONG_VALUES)).encode()
    key = chance.choice((b'"uid"', b'"object"', b'"spec"', b'"containers"', b'"request"'))
    return whole.replace(key + b":", key + b": " + value + b", " + key + b":", 1)


def _many_containers(chance: random.Random, whole: bytes) -> bytes:
    document = json.loads(whole)
    spec = document["request"]["object"]["spec"]
    spec["containers"] *= chance.choice((100, 400))
    return json.dumps(document).encode()


def _huge(chance: random.Random, whole: bytes) -> bytes:
    """Return, once in a while, what is at the limit or above it."""
    large = chance.random() < _SHARE_OF_LARGE
    size = MAX_BODY_BYTES + chance.choice((-1, 0, 1)) if large else 100_000
    return whole.replace(b"6292cd2", b"a" * (size - len(whole) + 7))


_KINDS: tuple[Callable[[random.Random, bytes], bytes], ...] = (
    _truncated,
    _flipped,
    _noise,
    _wrong_types,
    _nested,
    _invalid_utf8,
    _numbers,
    _duplicate_keys,
    _wrong_types,
    _flipped,
    _truncated,
    _wrong_types,
    _numbers,
    _duplicate_keys,
    _many_containers,
    _huge,
)


if __name__ == "__main__":
    sys.exit(main())
