"""Bodies that no API server sends: malformed, truncated, huge and hostile."""

from __future__ import annotations

import json
import random
from copy import deepcopy
from typing import TYPE_CHECKING, Any

from benchmarks.webhook_review import review
from webhook.gate import MAX_BODY_BYTES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

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


def hostile_bodies(number: int, seed: int = 0) -> Iterator[bytes]:
    """Yield that many bodies, the same ones for the same seed."""
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


_SHARE_OF_LARGE = 0.1
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
