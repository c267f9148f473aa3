"""The head of a review, which says of what it is: all that stands before the object.

The API server writes it first, in the order of `AdmissionRequest` in
https://github.com/kubernetes/kubernetes/blob/v1.37.1/staging/src/k8s.io/api/admission/v1/types.go,
so it can be read whatever the object holds, and however long it is.
"""

from __future__ import annotations

import re

MAX_HEAD_BYTES = 8 * 2**10
"""The longest names of everything in it take half of that."""

_TOKEN = re.compile(rb'\s*+([{}\[\],:]|"(?:[^"\\]++|\\.)*+"|[^\s{}\[\],:"]++)', re.DOTALL)
_NOT_OF_HEAD = frozenset({b'"userInfo"', b'"object"', b'"oldObject"', b'"dryRun"', b'"options"'})
_IN_REQUEST = 2
"""How deep the members of a request lie."""


def head_of(body: bytes | bytearray) -> bytes:
    """Return the head of a review as a review of its own, without an object.

    Of what is not a review it is anything, and of the head no more than `MAX_HEAD_BYTES`.
    """
    head = bytes(body[:MAX_HEAD_BYTES])
    depth = end = position = 0
    before = b""
    for token in _TOKEN.finditer(head):
        text = token[1]
        if token.start() != position or (before in _BEFORE_NAME and text in _NOT_OF_HEAD):
            break
        position, before = token.end(), text
        if depth == _IN_REQUEST and text in _AFTER_VALUE:
            end = token.start()
        depth += _STEPS.get(text, 0)
        if end and depth < _IN_REQUEST:
            break
    return head[:end] + b"}}"


_STEPS = {b"{": 1, b"[": 1, b"}": -1, b"]": -1}
_BEFORE_NAME = (b"{", b",")
_AFTER_VALUE = (b"}", b",")
