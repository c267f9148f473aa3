from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from charts_py.spec.field_schema import schema_at
from charts_py.spec.parse import parse
from charts_py.spec.placeholders import ANY, STAND_INS, stand_in

if TYPE_CHECKING:
    from charts_py.spec.fault import FieldPath


def concrete(pattern: FieldPath) -> FieldPath:
    """Return a path that a pattern stands for."""
    path: FieldPath = ()
    for step in pattern:
        is_list = (schema_at(path) or {}).get("type") == "array"
        path = (*path, (0 if is_list else "any") if step == ANY else step)
    return path


@pytest.mark.parametrize("pattern", STAND_INS, ids=lambda pattern: ".".join(map(str, pattern)))
def test_a_stand_in_is_for_a_field_of_the_model(pattern: FieldPath) -> None:
    assert schema_at(concrete(pattern)) is not None
    assert stand_in(concrete(pattern)) == STAND_INS[pattern]


def test_all_stand_ins_together_are_a_cluster() -> None:
    content = {str(path[0]): stand_in(path) for path in STAND_INS if len(path) == 1}
    team = {str(path[2]): value for path, value in STAND_INS.items() if path[:-1] == ("teams", ANY)}
    exception = stand_in(("policies", "exceptions", 0))
    extra = {"teams": {"any": team}, "policies": {"exceptions": [exception]}}
    assert parse({**content, **extra}).problems == ()


def test_every_required_field_of_the_root_has_one_so_that_reading_ends() -> None:
    required = (schema_at(()) or {})["required"]
    assert [name for name in required if stand_in((name,)) is None] == []


def test_what_may_be_absent_has_none() -> None:
    assert stand_in(("pools", "any", "sharing")) is None
