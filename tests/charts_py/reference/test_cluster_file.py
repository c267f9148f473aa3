"""The reference of the cluster file."""

import re

import pytest

from charts_py.reference.cluster_file import cluster_file_reference, section_paths
from charts_py.spec.cluster import Cluster
from charts_py.spec.fault import FieldPath, dotted
from charts_py.spec.field_schema import field_names, schema_at


def _title(path: FieldPath) -> str:
    return str((schema_at(path) or {})["title"])


def _rows(section: str) -> dict[str, list[str]]:
    """Return the cells behind each field of a section."""
    _, _, rest = cluster_file_reference().partition(f"\n## {section}\n")
    body, _, _ = rest.partition("\n## ")
    rows = [re.split(r"(?<!\\)\|", row)[1:-1] for row in body.splitlines() if row.startswith("| `")]
    return {row[0].strip(" `"): [cell.strip() for cell in row[1:]] for row in rows}


def test_every_model_has_one_section() -> None:
    models = {"Cluster"} | {
        name
        for name, schema in Cluster.model_json_schema()["$defs"].items()
        if "properties" in schema
    }
    assert sorted(map(_title, section_paths())) == sorted(models)


@pytest.mark.parametrize("path", list(section_paths()), ids=lambda path: dotted(path) or "cluster")
def test_every_field_has_its_row(path: FieldPath) -> None:
    assert tuple(_rows(_title(path))) == field_names(path)


@pytest.mark.parametrize("path", list(section_paths()), ids=lambda path: dotted(path) or "cluster")
def test_every_row_has_value_default_and_meaning(path: FieldPath) -> None:
    rows = _rows(_title(path))
    assert {
        field: cells
        for field, cells in rows.items()
        if len(cells) != 3 or not (cells[0] and cells[2])
    } == {}


def test_a_section_states_where_its_fields_are() -> None:
    places = re.findall(r"^`(\S+)`: ", cluster_file_reference(), re.MULTILINE)
    assert {
        "pools.NAME.nodes",
        "teams.NAME.namespaces.NAME.quota",
        "extensions.patches[].operations[]",
    } < set(places)


@pytest.mark.parametrize(
    ("section", "field", "value", "default"),
    [
        ("Pool", "gpus", "a whole number, at least 1, at most 64", "none"),
        ("Pool", "maxPods", "a whole number, at least 8, at most 256", "none"),
        (
            "Pool",
            "purchase",
            "one of `reserved`, `on-demand`, `spot`, `capacity-block`",
            '`"on-demand"`',
        ),
        ("Cluster", "region", "a string of at least 1 character", "required"),
        ("Cluster", "driver", "[Driver](#driver)", "its defaults"),
        (
            "Cluster",
            "pools",
            "a mapping with at least 1 entry, from a name to [Pool](#pool)",
            "required",
        ),
        ("Extensions", "patches", "a list, each [Patch](#patch)", "`[]`"),
        ("Namespace", "egress", "a list, each a string such as 10.20.0.0/16", "`[]`"),
    ],
)
def test_a_row_has_value_and_default(section: str, field: str, value: str, default: str) -> None:
    assert _rows(section)[field][:2] == [value, default]


def test_a_row_has_the_meaning_of_its_field() -> None:
    assert _rows("Pool")["gpus"][2] == "GPUs per node; set together with `gpu`."


def test_a_pipe_in_a_pattern_does_not_end_its_cell() -> None:
    assert r"(s\|m)$`" in _rows("Monitoring")["interval"][0]
