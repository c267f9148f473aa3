from __future__ import annotations

from policies.fix import append, put, put_all
from policies.operation import Operation


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
