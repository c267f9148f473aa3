from typing import Any

import pytest

from policies.document import Document
from policies.fix import MAX_ANNOTATIONS_SIZE, append, name_in_annotation, put, put_all
from policies.operation import Operation
from policies.pod import Pod


def test_a_member_is_put_with_the_objects_above_it_that_are_missing() -> None:
    assert put({}, "", ("a", "b/c", "d"), 1) == (Operation("add", "/a", {"b/c": {"d": 1}}),)
    assert put({"a": {"b/c": None}}, "", ("a", "b/c", "d"), 1) == (
        Operation("add", "/a/b~1c", {"d": 1}),
    )
    assert put({"a": {}}, "/x/0", ("a", "b"), 1) == (Operation("add", "/x/0/a/b", 1),)


def test_nothing_is_put_where_something_else_than_an_object_stands() -> None:
    assert put({"a": "text"}, "", ("a", "b"), 1) == ()
    assert put([], "", ("a",), 1) == ()
    assert put_all({"a": []}, "", ("a",), {"b": 1}) == ()
    assert append({"a": {}}, "", ("a",), [1]) == ()
    assert append({"a": 1}, "", ("a", "b"), [1]) == ()


def test_members_are_put_together_where_their_object_is_missing() -> None:
    assert put_all({}, "", ("a",), {"b": 1, "c": 2}) == (Operation("add", "/a", {"b": 1, "c": 2}),)
    assert put_all({"a": {}}, "", ("a",), {"b": 1, "c": 2}) == (
        Operation("add", "/a/b", 1),
        Operation("add", "/a/c", 2),
    )


def test_elements_are_appended_one_by_one_or_with_their_array() -> None:
    assert append({"a": []}, "", ("a",), [1, 2]) == (
        Operation("add", "/a/-", 1),
        Operation("add", "/a/-", 2),
    )
    assert append({}, "", ("a", "b"), [1, 2]) == (Operation("add", "/a", {"b": [1, 2]}),)


PATH = "/metadata/annotations/gpuplane.io~1fixed"


def _pod(**annotations: Any) -> Pod:
    named = {name.replace("fixed", "gpuplane.io/fixed"): each for name, each in annotations.items()}
    document: Document = {"metadata": {"annotations": named}}
    return Pod(document, lambda _: False)


@pytest.mark.parametrize(("before", "after"), [("", "a,b"), ("b,c", "b,c,a"), (1, "a,b")])
def test_the_rules_are_named_once_after_those_before(before: Any, after: str) -> None:
    assert name_in_annotation(_pod(fixed=before), ["a", "b"]) == (Operation("add", PATH, after),)


_TAKEN = len("n") + len("gpuplane.io/fixed") + len("a")


@pytest.mark.parametrize("letter", ["x", "ä", "\U0001f600", "\ud800"])
def test_they_are_named_only_where_the_api_server_takes_as_many_annotations(letter: str) -> None:
    size = len(letter.encode(errors="surrogatepass"))
    room = (MAX_ANNOTATIONS_SIZE - 4 * _TAKEN) // size
    assert len(name_in_annotation(_pod(n=letter * room), ["a"])) == 1
    assert name_in_annotation(_pod(n=letter * (room + 4 * _TAKEN)), ["a"]) == ()
