import re
from functools import cache

from charts_py.cluster_file.cluster import Cluster
from charts_py.cluster_file.fault import FieldPath, dotted
from charts_py.cluster_file.field_schema import field_names, schema_at
from gpuplane.reference.cluster_file import cluster_file_reference, section_paths
from tests.rows import rows_beside

each_row = rows_beside(__file__, "cluster_file.yaml")


@cache
def _reference() -> str:
    return cluster_file_reference()


def _title(path: FieldPath) -> str:
    return str((schema_at(path) or {})["title"])


def _rows(section: str) -> dict[str, list[str]]:
    """Return the cells behind each field of a section."""
    _, _, rest = _reference().partition(f"\n## {section}\n")
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


def test_every_field_has_its_row() -> None:
    paths = {dotted(path): path for path in section_paths()}
    assert {name: tuple(_rows(_title(path))) for name, path in paths.items()} == {
        name: field_names(path) for name, path in paths.items()
    }


def test_every_row_has_value_default_and_meaning() -> None:
    assert {
        (title, field): cells
        for title in map(_title, section_paths())
        for field, cells in _rows(title).items()
        if len(cells) != 3 or not (cells[0] and cells[2])
    } == {}


def test_a_section_states_where_its_fields_are() -> None:
    places = re.findall(r"^`(\S+)`: ", _reference(), re.MULTILINE)
    assert {
        "pools.NAME.nodes",
        "teams.NAME.namespaces.NAME.quota",
        "extensions.patches[].operations[]",
    } < set(places)


@each_row("values")
def test_a_row_has_value_and_default(section: str, field: str, value: str, default: str) -> None:
    assert _rows(section)[field][:2] == [value, default]


def test_a_row_has_the_meaning_of_its_field() -> None:
    assert _rows("Pool")["gpus"][2] == "GPUs per node; set together with `gpu`."


def test_a_pipe_in_a_pattern_does_not_end_its_cell() -> None:
    assert r"(s\|m)$`" in _rows("Monitoring")["interval"][0]
