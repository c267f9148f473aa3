import pytest

from charts_py.cluster_file.fault import FieldPath
from charts_py.cluster_file.field_schema import schema_at
from charts_py.cluster_file.moved_fields import ANY, PLACEHOLDERS, placeholder_at
from charts_py.cluster_file.parse import parse


def concrete(pattern: FieldPath) -> FieldPath:
    """Return a path that a pattern stands for."""
    path: FieldPath = ()
    for step in pattern:
        is_list = (schema_at(path) or {}).get("type") == "array"
        path = (*path, (0 if is_list else "any") if step == ANY else step)
    return path


@pytest.mark.parametrize("pattern", PLACEHOLDERS, ids=lambda pattern: ".".join(map(str, pattern)))
def test_a_placeholder_is_for_a_field_of_the_model(pattern: FieldPath) -> None:
    assert schema_at(concrete(pattern)) is not None
    assert placeholder_at(concrete(pattern)) == PLACEHOLDERS[pattern]


def test_all_placeholders_together_are_a_cluster() -> None:
    content = {str(path[0]): placeholder_at(path) for path in PLACEHOLDERS if len(path) == 1}
    team = {
        str(path[2]): value for path, value in PLACEHOLDERS.items() if path[:-1] == ("teams", ANY)
    }
    exception = placeholder_at(("policies", "exceptions", 0))
    extra = {"teams": {"any": team}, "policies": {"exceptions": [exception]}}
    assert parse({**content, **extra}).problems == ()


def test_every_required_field_of_the_root_has_one_so_that_reading_ends() -> None:
    required = (schema_at(()) or {})["required"]
    assert [name for name in required if placeholder_at((name,)) is None] == []


def test_what_may_be_absent_has_none() -> None:
    assert placeholder_at(("pools", "any", "sharing")) is None
