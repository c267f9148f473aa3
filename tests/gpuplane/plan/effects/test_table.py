"""What single changes do, by the rows of `table/`.

`before` and `after` are fields by their path; an object without one of them is new, or goes.
"""

from pathlib import Path
from typing import Any

import pytest

from charts_py.objects.manifest_yaml import from_yaml
from tests.gpuplane.plan.single_change import planned

TOPICS: dict[str, Any] = {
    file.stem: from_yaml(file.read_text("utf-8"))[0]
    for file in sorted(Path(__file__).with_name("table").glob("*.yaml"))
}


@pytest.mark.parametrize("rows", TOPICS.values(), ids=TOPICS)
def test_a_change_does_what_the_table_says(rows: list[dict[str, Any]]) -> None:
    assert [(row["change"], _effects(row)) for row in rows] == [
        (row["change"], [(row["verdict"], row.get("certain", True), row["reason"])]) for row in rows
    ]


def _effects(row: dict[str, Any]) -> list[tuple[str, bool, str]]:
    found = planned(row["kind"], row.get("before"), row.get("after"), row.get("name", "example"))
    return [(each.verdict.word, each.is_certain, each.reason) for each in found.effects]
