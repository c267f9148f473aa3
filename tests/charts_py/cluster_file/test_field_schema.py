import pytest

from charts_py.cluster_file.fault import FieldPath
from charts_py.cluster_file.field_schema import allowed_at, field_names, key_names, schema_at
from policies.rule_name import RuleName


@pytest.mark.parametrize(
    ("path", "allowed"),
    [
        (("provider",), "eks, gke, aks, onprem"),
        (("region",), "a string of at least 1 character"),
        (("live",), "a string such as 1.2.0"),
        (("eks",), "a mapping with clusterName"),
        (("pools",), "a mapping with at least 1 entry"),
        (("pools", "any", "gpus"), "a whole number, at least 1, at most 64"),
        (("pools", "any", "zones"), "a list"),
        (("pools", "any", "zones", 3), "a string"),
        (("pools", "any", "sharing", "mig"), "a mapping such as {1g.10gb: 7}"),
        (("cost", "prices"), "a mapping such as {p5.48xlarge: {reserved: 31.5}}"),
        (("teams", "any", "members"), "a mapping with any of users, viewers, admins"),
        (("teams", "any", "priorities"), "a list with at least 1 item"),
        (("addons", "gdrcopy"), "true or false"),
        (("policies", "sharedMemory", "fraction"), "a number, above 0, at most 1"),
        (("policies", "exceptions", 0, "expires"), "a date as YYYY-MM-DD"),
        (("extensions", "patches", 0, "operations", 0, "value"), "anything"),
        (
            ("addons", "monitoring", "interval"),
            "a string such as 15s, matching ^[1-9][0-9]{0,3}(s|m)$",
        ),
    ],
)
def test_what_is_allowed_is_described_in_words(path: FieldPath, allowed: str) -> None:
    assert allowed_at(path) == allowed


def test_fields_are_named_as_yaml_writes_them() -> None:
    assert field_names(("eks",)) == (
        "clusterName",
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
