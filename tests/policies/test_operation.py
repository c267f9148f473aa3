import copy
from typing import Any

import jsonpatch
import pytest
from hypothesis import given, strategies as st

from policies.document import Document
from policies.operation import (
    ALL,
    ENV,
    MAX_COPIED_LEVELS,
    NOTHING,
    ROOT,
    Operation,
    Part,
    PatchError,
    apply,
    changed_part,
    copied,
)


def test_an_operation_is_formatted_as_in_rfc_6902() -> None:
    assert Operation("add", "/a", None).to_json() == {"op": "add", "path": "/a", "value": None}
    assert Operation("remove", "/a").to_json() == {"op": "remove", "path": "/a"}


FIRST = Part("resources", "/spec/initContainers/0")
LONG = "n" * 10_000


@pytest.mark.parametrize(
    ("path", "part"),
    [
        ("/spec", ALL),
        ("/spec/containers", ALL),
        ("/spec/containers/0", ALL),
        ("/spec/containers/0/restartPolicy", ALL),
        ("/spec/hostIPC", ALL),
        ("/metadata", ROOT),
        ("/spec/tolerations", ROOT),
        ("/spec/tolerations/-", NOTHING),
        ("/metadata/labels/app", NOTHING),
        (f"/metadata/labels/{LONG}", NOTHING),
        ("/spec/priorityClassName", NOTHING),
        ("/spec/containers/12/volumeMounts/-", NOTHING),
        ("/spec/containers/12/env/-", ENV),
        ("/spec/initContainers/0/resources", FIRST),
        ("/spec/initContainers/0/resources/limits/cpu", FIRST),
        (f"/spec/initContainers/0/resources/limits/{LONG}", FIRST),
    ],
)
def test_what_an_operation_changes_follows_from_its_path(path: str, part: Part) -> None:
    assert changed_part(path) == part


NAMES = st.sampled_from(["a", "b", "0", "1", "-", "", "a/b", "m~n", "01"])
TOKENS = st.sampled_from(["a", "b", "0", "1", "2", "-", "", "a~1b", "m~0n", "~", "~2", "01", "x"])
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3) | st.sampled_from(["", "a", "text"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3),
    max_leaves=8,
)
PATHS = st.lists(TOKENS, min_size=1, max_size=4).map(lambda tokens: "/" + "/".join(tokens))
OPERATIONS = st.builds(
    Operation, op=st.sampled_from(["add", "replace", "remove"]), path=PATHS, value=VALUES
)
DOCUMENTS = st.dictionaries(NAMES, VALUES, max_size=4)


@given(DOCUMENTS, st.lists(OPERATIONS, max_size=4))
def test_operations_do_what_the_jsonpatch_library_does_or_both_refuse(
    document: Document, operations: list[Operation]
) -> None:
    before = copy.deepcopy(document)
    expected = _by_library(copy.deepcopy(document), operations)
    try:
        apply(document, operations)
    except PatchError:
        assert expected is None
        assert document == before
        assert list(document) == list(before)
    else:
        assert document == expected


def _by_library(document: Document, operations: list[Operation]) -> Any:
    try:
        return jsonpatch.apply_patch(document, [operation.to_json() for operation in operations])
    except Exception:  # it raises many kinds, such as TypeError
        return None


def test_a_value_that_a_later_operation_changes_stays_as_it_was_stated() -> None:
    operations = [Operation("add", "/a", []), Operation("add", "/a/-", 1)]
    document: Document = {}
    apply(document, operations)
    assert (document, operations[0].value) == ({"a": [1]}, [])


def test_a_path_too_long_to_be_kept_applies() -> None:
    name = "n" * 10_000
    document: Document = {name: {}}
    apply(document, [Operation("add", f"/{name}/a", 1)])
    assert document == {name: {"a": 1}}


@pytest.mark.parametrize(
    ("operation", "problem"),
    [
        (Operation("add", "", {}), "add : a path begins with / and leads into the document"),
        (Operation("add", "/x/y", 1), "add /x/y: there is no x"),
        (Operation("add", "/a/2/y", 1), "add /a/2/y: 2 is not an index; allowed: 0 to 1"),
        (Operation("add", "/a/x/y", 1), "add /a/x/y: x is not an index; allowed: 0 to 1"),
        (Operation("add", "/a/0/x/y", 1), "add /a/0/x/y: there is no x"),
        (Operation("remove", "/y"), "remove /y: there is no y"),
        (Operation("replace", "/a/7", 1), "replace /a/7: 7 is not an index; allowed: 0 to 1"),
        (Operation("add", "/a/01", 1), "add /a/01: 01 is not an index; allowed: 0 to 2"),
        (Operation("add", "/~2", 1), "add /~2: a ~ in a name is written ~0, and a / is written ~1"),
        (Operation("add", "/s/0", 1), "add /s/0: its parent is neither an object nor an array"),
    ],
)
def test_an_operation_that_does_not_apply_says_why(operation: Operation, problem: str) -> None:
    with pytest.raises(PatchError) as caught:
        apply({"a": [1, 2], "s": "text"}, [operation])
    assert str(caught.value) == problem


def test_a_copy_shares_nothing_that_is_as_deep_as_anything_is_changed() -> None:
    inner: list[Any] = ["inner"]
    value: Any = inner
    for _ in range(MAX_COPIED_LEVELS - 1):
        value = {"a": value}
    copy_ = copied(value)
    while type(copy_) is dict:
        copy_ = copy_["a"]
    assert copy_ == inner
    assert copy_ is not inner


def test_a_value_nested_more_deeply_than_python_follows_is_copied() -> None:
    value: Document = {}
    for _ in range(100_000):
        value = {"a": value}
    assert copied(value)["a"] is not value["a"]
