"""Makes JSON legible to a decoder that is stricter than Go's, within bounds and without recursion.

The API server sends valid JSON. But it passes on unread what an object says of its field managers,
so that this may be nested as deeply as Go allows, which is deeper than Python can follow. Sources:
`FieldsV1.MarshalJSON` in k8s.io/apimachinery v0.37.1 pkg/apis/meta/v1/helpers.go, and
`maxNestingDepth` (10,000) and `appendCompact`, which checks no UTF-8, in Go's encoding/json.
"""

import re
from collections.abc import Iterator

import msgspec

MAX_DEPTH = 64
"""Levels of a review that are kept. No rule looks deeper, and no field of a pod lies deeper."""
MAX_TOKENS = 100_000
"""Brackets and unusual numbers, which are looked at one by one; and again, escapes. A pod that
people wrote has a few thousand."""

_TOKEN = re.compile(
    rb"""
    # What is passed over at once: punctuation, literals, strings and short whole numbers.
    (?: [^\[\]{}"\d\-]++ | "(?:[^"\\]++|\\.)*+" | -?\d{1,18}+(?![\d.eE]) )++
    | (?P<opening> [\[{] )
    | (?P<closing> [\]}] )
    | (?P<number> [\-+.\deE]++ )
    """,
    re.VERBOSE | re.DOTALL,
)
_ESCAPE = re.compile(
    rb"""
    \\u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}  # a pair, which is one letter
    | (?P<lone> \\u[dD][89a-fA-F][\da-fA-F]{2} )
    | \\.
    """,
    re.VERBOSE | re.DOTALL,
)


class TooManyTokensError(ValueError):
    """A text has more than `MAX_TOKENS` of something."""


def sanitized(text: bytes | bytearray) -> bytes:
    """Return the same JSON without what no rule reads and a decoder may refuse.

    Values below `MAX_DEPTH` levels become null. What is not a character becomes U+FFFD, as Go reads
    it, and a number beyond every type the string of its digits. What is no JSON does not become
    JSON, unless at its depths. Raises TooManyTokensError.
    """
    return _within_types(_characters(bytes(text)))


def _characters(text: bytes) -> bytes:
    try:
        text.decode()
    except UnicodeDecodeError:
        text = text.decode(errors="replace").encode()
    if text.count(b"\\") > MAX_TOKENS:
        raise TooManyTokensError(f"more than {MAX_TOKENS} escapes")
    return _ESCAPE.sub(_without_lone_surrogate, text)


def _without_lone_surrogate(escape: re.Match[bytes]) -> bytes:
    return escape[0] if escape["lone"] is None else rb"\ufffd"


def _within_types(text: bytes) -> bytes:
    kept: list[bytes] = []
    begin = depth = 0
    for token in _tokens(text):
        kind = token.lastgroup
        if kind == "opening":
            depth += 1
            if depth == MAX_DEPTH + 1:
                kept.append(text[begin : token.start()])
        elif kind == "closing":
            depth -= 1
            if depth == MAX_DEPTH:
                kept.append(b"null")
                begin = token.end()
        elif depth <= MAX_DEPTH and _is_too_large(token[0]):
            kept += text[begin : token.start()], b'"%b"' % token[0]
            begin = token.end()
    if depth <= MAX_DEPTH:
        kept.append(text[begin:])
    return b"".join(kept)


def _tokens(text: bytes) -> Iterator[re.Match[bytes]]:
    """Yield brackets and unusual numbers, up to a string that does not end."""
    end = number = 0
    for token in _TOKEN.finditer(text):
        if token.start() != end:
            return
        end = token.end()
        if token.lastgroup is None:
            continue
        number += 1
        if number > MAX_TOKENS:
            raise TooManyTokensError(f"more than {MAX_TOKENS} brackets and numbers")
        yield token


def _is_too_large(number: bytes) -> bool:
    try:
        msgspec.json.decode(number)
    except msgspec.ValidationError:
        return True
    except msgspec.DecodeError:  # no number at all, which the decoder of the whole will refuse
        return False
    return False
