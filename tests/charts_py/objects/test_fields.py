from typing import Any

from hypothesis import given, strategies as st

from charts_py.objects.fields import Absent, FieldChange, changed_fields, is_same
from tests.rows import rows_beside

each_row = rows_beside(__file__, "fields.yaml")

JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3) | st.sampled_from(["a", "b", "a\nb"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["name", "key", "a", "b"]), inner, max_size=3)
    ),
    max_leaves=12,
)

GONE = Absent.ABSENT


@each_row("changes")
def test_fields_are_named_by_their_path(old: Any, new: Any, changes: list[dict[str, Any]]) -> None:
    assert list(changed_fields(old, new)) == [
        FieldChange(each["path"], each.get("was", GONE), each.get("is", GONE)) for each in changes
    ]


@given(old=JSON, new=JSON)
def test_something_is_yielded_just_where_values_differ(old: Any, new: Any) -> None:
    assert bool(list(changed_fields(old, new))) is not is_same(old, new)
