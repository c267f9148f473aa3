import json
from typing import Any

import msgspec
import pytest
from hypothesis import given, strategies as st

from webhook.sanitized_json import MAX_DEPTH, MAX_TOKENS, TooManyTokensError, sanitized

GO_DEPTH = 10_000
"""How deep Go's decoder lets JSON be nested."""
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


def _read(text: bytes) -> Any:
    return msgspec.json.decode(sanitized(text))


def _nested(depth: int) -> bytes:
    return b"[" * depth + b"1" + b"]" * depth


@given(values, st.booleans())
def test_what_a_decoder_takes_stays_as_it_is(value: Any, ascii_only: bool) -> None:
    text = json.dumps(value, ensure_ascii=ascii_only).encode()
    if value == json.loads(text):
        assert json.loads(sanitized(text)) == value


def test_what_is_as_deep_as_is_kept_is_kept() -> None:
    assert sanitized(_nested(MAX_DEPTH)) == _nested(MAX_DEPTH)


@pytest.mark.parametrize("depth", [MAX_DEPTH + 1, GO_DEPTH])
@pytest.mark.parametrize("opening", [b"[", b'{"f:a":', b'{"}]":'])
def test_what_is_deeper_becomes_null(depth: int, opening: bytes) -> None:
    closing = b"]" if opening == b"[" else b"}"
    text = opening * depth + b'"["' + closing * depth
    assert sanitized(b'{"a":%b,"b":2}' % text) == b'{"a":%b,"b":2}' % (
        opening * (MAX_DEPTH - 1) + b"null" + closing * (MAX_DEPTH - 1)
    )


@pytest.mark.parametrize(
    ("text", "value"),
    [
        (b'"a\xffb\xc0\xaf"', "a\ufffdb\ufffd\ufffd"),
        (rb'"\ud800"', "\ufffd"),
        (rb'"\udc00\ud800"', "\ufffd\ufffd"),
        (rb'"\ud83d\ude00 \\ud800 \ud83d\\"', "\U0001f600 \\ud800 \ufffd\\"),
        (b"[1e999, -1e999]", ["1e999", "-1e999"]),
        (b"9" * 5000, "9" * 5000),
        (b"[1e5, -0.5, 12345678901234567890]", [1e5, -0.5, 12345678901234567890]),
        (b'{"1e999": "1e999"}', {"1e999": "1e999"}),
    ],
)
def test_what_no_decoder_takes_becomes_what_go_reads(text: bytes, value: Any) -> None:
    assert _read(text) == value


@pytest.mark.parametrize(
    "text",
    [b"", b'{"a":1', b'"a', b"]", b"[1}", b"nul", b"01", b"NaN", b"--1", rb'"\x"', b"[" * 999],
)
def test_what_is_no_json_does_not_become_json(text: bytes) -> None:
    with pytest.raises(msgspec.DecodeError):
        _read(text)


@pytest.mark.parametrize(
    ("text", "what"),
    [
        (b"[%b1]" % (b"{}," * MAX_TOKENS), "more than 100000 brackets and numbers"),
        (b"[%b1]" % (b"1e5," * MAX_TOKENS), "more than 100000 brackets and numbers"),
        (b'"%b"' % (rb"\n" * (MAX_TOKENS + 1)), "more than 100000 escapes"),
    ],
)
def test_what_takes_too_long_is_not_read(text: bytes, what: str) -> None:
    with pytest.raises(TooManyTokensError) as refused:
        sanitized(text)
    assert str(refused.value) == what
