from __future__ import annotations

import json

import pytest
from hypothesis import given, strategies as st

from webhook.admission_request import head_of
from webhook.gate import MAX_HEAD_BYTES

KIND = {"group": "", "version": "v1", "kind": "Pod"}
RESOURCE = {"group": "", "version": "v1", "resource": "pods"}
REQUEST = {
    "uid": "1",
    "kind": KIND,
    "resource": RESOURCE,
    "requestKind": KIND,
    "requestResource": RESOURCE,
    "name": "object",
    "namespace": "userInfo",
    "operation": "CREATE",
}
REVIEW = {"kind": "AdmissionReview", "apiVersion": "admission.k8s.io/v1", "request": REQUEST}
"""As the API server begins it."""
BEGINNING = json.dumps(REVIEW, separators=(",", ":")).encode().removesuffix(b"}}")


@pytest.mark.parametrize("member", ["userInfo", "object", "oldObject", "dryRun", "options"])
@given(st.binary())
def test_the_head_ends_where_what_is_long_begins(member: str, rest: bytes) -> None:
    body = b'%b,"%b":%b' % (BEGINNING, member.encode(), rest)
    assert head_of(body) == BEGINNING + b"}}"


def test_the_head_may_be_all() -> None:
    assert json.loads(head_of(json.dumps(REVIEW, indent=2).encode())) == REVIEW


def test_a_head_that_is_cut_off_ends_with_its_last_whole_member() -> None:
    cut = BEGINNING[: BEGINNING.index(b"CREATE")]
    whole = {key: value for key, value in REQUEST.items() if key != "operation"}
    assert json.loads(head_of(cut)) == {**REVIEW, "request": whole}


def test_no_more_is_looked_at_than_a_head_may_be_long() -> None:
    beginning = b'{"request":{"uid":"1","name":"%b"' % (b"a" * MAX_HEAD_BYTES)
    assert head_of(beginning + b"}}") == b'{"request":{"uid":"1"}}'


@given(st.binary() | st.text(alphabet='{}[],:" ua').map(str.encode))
def test_whatever_a_body_is_its_head_is_no_longer(body: bytes) -> None:
    assert len(head_of(body)) <= len(body) + 2
