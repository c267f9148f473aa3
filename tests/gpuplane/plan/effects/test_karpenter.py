"""Which nodes still fit."""

import pytest
from hypothesis import given, strategies as st

from gpuplane.plan.effects.karpenter import Requirement, narrowed_keys


def _requirement(operator: str, *values: str) -> Requirement:
    return {"key": "a", "operator": operator, "values": list(values)}


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (_requirement("In", "1"), _requirement("In", "1", "2")),
        (_requirement("In", "1"), _requirement("NotIn", "2")),
        (_requirement("NotIn", "1", "2"), _requirement("NotIn", "1")),
        (_requirement("In", "4", "8"), _requirement("Gt", "3")),
        (_requirement("In", "4", "8"), _requirement("Lte", "8")),
        (_requirement("Gt", "8"), _requirement("Gt", "4")),
        (_requirement("Lt", "4"), _requirement("Lt", "8")),
        (_requirement("In", "1"), _requirement("Exists")),
        (_requirement("DoesNotExist"), _requirement("NotIn", "1")),
    ],
)
def test_every_node_fits_what_is_wider_and_not_what_is_narrower(
    old: Requirement, new: Requirement
) -> None:
    assert list(narrowed_keys([old], [new])) == []
    assert list(narrowed_keys([new], [old])) == ["a"]


def test_every_node_fits_where_a_requirement_is_gone() -> None:
    assert list(narrowed_keys([_requirement("In", "1")], [])) == []
    assert list(narrowed_keys([], [_requirement("In", "1")])) == ["a"]


@given(
    st.sampled_from(["In", "NotIn"]),
    st.sampled_from(["In", "NotIn"]),
    st.sets(st.sampled_from("123"), min_size=1),
    st.sets(st.sampled_from("123"), min_size=1),
)
def test_a_value_that_fitted_fits_unless_the_label_is_named(
    old: str, new: str, held: set[str], wanted: set[str]
) -> None:
    def fits(operator: str, values: set[str], value: str) -> bool:
        return (value in values) == (operator == "In")

    narrowed = any(fits(old, held, each) and not fits(new, wanted, each) for each in "1234")
    named = list(narrowed_keys([_requirement(old, *held)], [_requirement(new, *wanted)]))
    assert bool(named) == narrowed
