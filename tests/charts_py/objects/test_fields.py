from typing import Any

import pytest
from hypothesis import given, strategies as st

from charts_py.objects.fields import Absent, FieldChange, changed_fields, is_same

JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3) | st.sampled_from(["a", "b", "a\nb"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["name", "key", "a", "b"]), inner, max_size=3)
    ),
    max_leaves=12,
)

GONE = Absent.ABSENT


@pytest.mark.parametrize(
    ("old", "new", "changes"),
    [
        ({"a": {"b": 1}}, {"a": {"b": 2}}, [FieldChange("a.b", 1, 2)]),
        ({"a": 1}, {"a": True}, [FieldChange("a", 1, True)]),
        ({"a": None}, {}, [FieldChange("a", None, GONE)]),
        (
            {"labels": {"nvidia.com/gpu.present": "true"}},
            {"labels": {}},
            [FieldChange('labels["nvidia.com/gpu.present"]', "true", GONE)],
        ),
        (
            {"containers": [{"name": "main", "image": "a"}, {"name": "side", "image": "b"}]},
            {"containers": [{"name": "side", "image": "b"}, {"name": "main", "image": "c"}]},
            [
                FieldChange("containers[name=main].image", "a", "c"),
                FieldChange("containers (order)", ["main", "side"], ["side", "main"]),
            ],
        ),
        (
            {"taints": []},
            {"taints": [{"key": "nvidia.com/gpu", "effect": "NoSchedule"}]},
            [
                FieldChange(
                    "taints[key=nvidia.com/gpu]",
                    GONE,
                    {"key": "nvidia.com/gpu", "effect": "NoSchedule"},
                )
            ],
        ),
        (
            {"verbs": ["get", "list"]},
            {"verbs": ["get", "watch"]},
            [FieldChange("verbs", ["get", "list"], ["get", "watch"])],
        ),
        (
            {"rules": [{"verbs": ["get"]}, {"verbs": ["list"]}]},
            {"rules": [{"verbs": ["new"]}, {"verbs": ["get"]}, {"verbs": ["watch"]}]},
            [
                FieldChange("rules[0]", GONE, {"verbs": ["new"]}),
                FieldChange("rules[2].verbs", ["list"], ["watch"]),
            ],
        ),
        (
            {"rules": [{"a": 1}, {"a": 2}]},
            {"rules": [{"a": 2}]},
            [FieldChange("rules[0]", {"a": 1}, GONE)],
        ),
    ],
)
def test_fields_are_named_by_their_path(old: Any, new: Any, changes: list[FieldChange]) -> None:
    assert list(changed_fields(old, new)) == changes


@given(old=JSON, new=JSON)
def test_something_is_yielded_just_where_values_differ(old: Any, new: Any) -> None:
    assert bool(list(changed_fields(old, new))) is not is_same(old, new)
