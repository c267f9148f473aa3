"""What single changes do, by the rows of `table/`.

`before` and `after` are fields by their path; an object without one of them is new, or goes.
"""

from pathlib import Path
from typing import Any

import pytest

from charts_py.objects.manifest_yaml import from_yaml
from tests.charts_py.plan.single_change import planned

TOPICS: dict[str, Any] = {
    file.stem: from_yaml(file.read_text("utf-8"))[0]
    for file in sorted(Path(__file__).with_name("table").glob("*.yaml"))
}
ROWS = [
    pytest.param(row, id=f"{topic}: {row['change']}")
    for topic, rows in TOPICS.items()
    for row in rows
]


@pytest.mark.parametrize("row", ROWS)
def test_a_change_does_what_the_table_says(row: dict[str, Any]) -> None:
    found = planned(row["kind"], row.get("before"), row.get("after"), row.get("name", "example"))
    assert [(each.verdict.word, each.is_certain, each.reason) for each in found.effects] == [
        (row["verdict"], row.get("certain", True), row["reason"])
    ]
