from pathlib import Path

import pytest

from charts_py.metrics.table import TableError, fill_table, read_table, shared_values
from tests.rows import rows_beside

each_row = rows_beside(__file__, "table.yaml")

TABLE = Path("table.yaml")
ROOM = Path(__file__).parents[3] / "charts_py"


@each_row("filled")
def test_a_placeholder_is_filled_and_other_braces_stay(
    content: object, values: dict[str, object], filled: object
) -> None:
    assert fill_table(TABLE, content, values) == filled


def test_a_table_may_use_what_many_use() -> None:
    assert fill_table(TABLE, "x {in_gpus}", {}) == (
        "x * on (pool, resource) group_left () gpuplane_pool_gpus_per_allocation"
    )


@pytest.mark.parametrize(
    ("content", "values", "fault"),
    [
        ("sum(up) < {fwe}", {"few": 2}, "no row uses few"),
        ("sum(up) < {fwe}", {}, "nothing fills {fwe}"),
        # One that stands below is not known yet.
        ("{up}", {"up": "up < {few}", "few": 2}, "no row uses few"),
    ],
)
def test_what_is_not_filled_or_not_used_is_a_fault(
    content: str, values: dict[str, object], fault: str
) -> None:
    with pytest.raises(TableError) as raised:
        fill_table(TABLE, content, values)
    assert str(raised.value) == f"table.yaml: {fault}"


def test_a_table_has_values_of_its_own_and_of_its_reader(tmp_path: Path) -> None:
    file = tmp_path / "table.yaml"
    file.write_text("values:\n  up: up < {few}\nrows:\n  - '{up}'\n")
    assert read_table(file, few=2) == {"rows": ["up < 2"]}


def test_a_row_that_stands_twice_is_a_fault(tmp_path: Path) -> None:
    file = tmp_path / "table.yaml"
    file.write_text("rows:\n  - {first: 1}\n  - first: 1\n    first: 2\n")
    with pytest.raises(TableError) as raised:
        read_table(file)
    assert str(raised.value) == f"{file}:4: first has a row already"


def test_every_part_that_is_shared_is_used() -> None:
    tables = "".join(file.read_text("utf-8") for file in ROOM.rglob("*.yaml"))
    assert [name for name in shared_values() if f"{{{name}}}" not in tables] == []
