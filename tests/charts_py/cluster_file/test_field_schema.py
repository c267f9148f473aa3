from charts_py.cluster_file.fault import FieldPath
from charts_py.cluster_file.field_schema import (
    allowed_at,
    field_names,
    key_names,
    schema_at,
    spelled_out,
)
from policies.rule_name import RuleName
from tests.rows import rows_beside

each_row = rows_beside(__file__, "field_schema.yaml")


@each_row("allowed")
def test_what_is_allowed_is_described_in_words(path: FieldPath, allowed: str) -> None:
    assert allowed_at(path) == allowed


def test_fields_are_named_as_yaml_writes_them() -> None:
    assert field_names(("eks",)) == (
        "clusterName",
        "account",
        "nodeRole",
        "imageRelease",
        "prefixDelegation",
        "provisioner",
        "nodeRepair",
        "vpc",
    )


def test_keys_are_named_where_they_are_limited() -> None:
    assert key_names(("policies", "rules")) == tuple(RuleName)
    assert key_names(("pools",)) == ()


def test_nothing_is_allowed_where_the_model_has_no_field() -> None:
    assert schema_at(("pools", "any", "nodes", "max", "more")) is None
    assert schema_at(("pool",)) is None


def test_true_is_an_empty_mapping_where_that_switches_something_on() -> None:
    content = {"queues": True, "training": {"ray": True}, "pools": {"a": {"topology": True}}}
    assert spelled_out(content) == {
        "queues": {},
        "training": {"ray": {}},
        "pools": {"a": {"topology": {}}},
    }


def test_true_stays_where_it_is_a_value_or_would_say_nothing() -> None:
    content = {
        "addons": {"openCost": True},
        "pools": {"a": {"sharing": True}, "b": True},
        "slurm": True,
        "teams": {"a": {"members": {"users": [True]}}},
        "other": {"more": True},
    }
    assert spelled_out(content) == content
