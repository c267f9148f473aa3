from typing import Any

import pytest
from hypothesis import given

from gpuplane.edits.narrowed import narrowed, same
from policies.apply import apply, copied
from policies.operation import Operation
from tests.gpuplane.edits.rendered_documents import VALUES


@given(VALUES, VALUES)
def test_the_operations_make_one_value_of_another(old: Any, new: Any) -> None:
    document = {"a": copied(old)}
    apply(document, narrowed(old, new, "/a"))
    assert same(document, {"a": new})


@pytest.mark.parametrize(
    ("old", "new", "operations"),
    [
        ([1, 2], [1, 2], []),
        (1, True, [Operation("replace", "", True)]),
        (1, 1.0, [Operation("replace", "", 1.0)]),
        ([1, 2, 3], [1, 3], [Operation("remove", "/1")]),
        ([1, 3], [1, 2, 3], [Operation("add", "/1", 2)]),
        ({"a/b": {"c": 1}}, {"a/b": {"c": 2}}, [Operation("replace", "/a~1b/c", 2)]),
        ({"a": 1}, {"b": 1}, [Operation("add", "/b", 1), Operation("remove", "/a")]),
        ({"a": 1}, {}, [Operation("replace", "", {})]),
    ],
)
def test_only_what_differs_changes(old: Any, new: Any, operations: list[Operation]) -> None:
    assert list(narrowed(old, new, "")) == operations
