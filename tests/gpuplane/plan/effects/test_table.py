"""The rows of the table, and what changes do.

The rows of `table/` are single changes: `before` and `after` are fields by their path, and an
object without one of them is new, or goes. Those of `among_others/` are clusters before and after,
whose objects have fields by their path beside kind, name and component; each says some of what
becomes of the objects that differ.
"""

import re
import tomllib
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import asdict
from importlib.resources import files
from pathlib import Path
from typing import Any, get_type_hints

import msgspec
import pytest

from charts_py.objects.document import Document
from charts_py.objects.manifest_yaml import from_yaml
from gpuplane.plan.effect import Effect, PlannedObject, Verdict
from gpuplane.plan.effects.table import FUNCTIONS, TABLES, Row, rows, written_table
from gpuplane.plan.fields import ChangedField
from gpuplane.plan.object_change import ObjectChange
from gpuplane.plan.planned_objects import planned_objects
from gpuplane.plan.rollout import Rollout
from gpuplane.versions.comparison import PlacedObject
from tests.gpuplane.plan.single_change import document, placed, planned

PLAN = files("gpuplane.plan")
TABLE = [row for row in rows() if row.judge is None]
WRITTEN = {name: written_table(name) for name in TABLES}
WRITTEN_ROWS = [row for table in WRITTEN.values() for row in table.row]


def _topics(folder: str) -> dict[str, Any]:
    found = sorted(Path(__file__).with_name(folder).glob("*.yaml"))
    return {file.stem: from_yaml(file.read_text("utf-8"))[0] for file in found}


TOPICS = _topics("table")
AMONG_OTHERS = [row for rows in _topics("among_others").values() for row in rows]
VERSION = re.compile(r"/(blob|tree)/v?\d+\.\d+|://(?!github\.com)|/issues/\d+$|/blob/master/")


def _id(row: Row) -> str:
    return f"{row.kinds[0]}: {row.reason[:40]}"


def test_every_file_of_the_table_is_listed() -> None:
    names = [file.name for file in (PLAN / "effects" / "tables").iterdir()]
    assert sorted(names) == sorted(f"{name}.toml" for name in TABLES)


@pytest.mark.parametrize(
    ("column", "signature"),
    [
        ("field_condition", (ObjectChange, ChangedField, bool)),
        ("object_condition", (ObjectChange, bool)),
        ("rollouts", (ObjectChange, tuple[Rollout, ...])),
        ("judge", (ObjectChange, tuple[ChangedField, ...], Iterator[Effect])),
    ],
)
def test_rows_name_all_functions_and_no_others(column: str, signature: tuple[object, ...]) -> None:
    names = {getattr(row, column) for row in WRITTEN_ROWS} - {None}
    functions = {
        name
        for name, function in FUNCTIONS.items()
        if not name.startswith("_") and (*get_type_hints(function).values(),) == signature
    }
    assert {name.removeprefix("not ") for name in names} == functions


def test_rows_use_every_term_of_their_table() -> None:
    unused = []
    for name, table in WRITTEN.items():
        texts = (
            text for row in table.row for text in (*row.kinds, *row.fields, row.reason, row.told)
        )
        used = set(re.findall(r"\$(\w+)", " ".join((*texts, *map(str, table.terms.values())))))
        unused += [f"{name}: {term}" for term in table.terms if term not in used]
    assert unused == []


def test_every_source_is_named_and_there() -> None:
    listed = tomllib.loads((PLAN / "sources.toml").read_text("utf-8"))
    code = "".join(file.read_text("utf-8") for file in Path(str(PLAN)).rglob("*.py"))
    named = {row.source for row in WRITTEN_ROWS if row.source}
    named |= set(re.findall(r"\bsource\(['\"](\w+)", code))
    assert named - listed.keys() == set()
    urls = " ".join(listed.values())
    unnamed = listed.keys() - named - set(re.findall(r"\$(\w+)", urls))
    assert [name for name in unnamed if f'"{name}"' not in code] == []


def test_a_row_says_what_a_change_does_or_has_a_function_that_does() -> None:
    for row in WRITTEN_ROWS:
        if row.judge is None:
            assert all((row.word, row.reason, row.source))
        else:
            bare = Row(row.kinds, changes=row.changes, fields=row.fields, judge=row.judge)
            assert row == bare


def test_a_row_has_no_other_column() -> None:
    with pytest.raises(msgspec.ValidationError, match="unknown field `reasons`"):
        msgspec.convert({"kinds": ["*"], "reasons": "It is new."}, Row)


def test_a_reason_is_a_sentence_and_has_a_source_at_a_version() -> None:
    reasons = [(row, row.reason.format(name="x", old="x", new="x", label="x")) for row in TABLE]
    assert [_id(row) for row, reason in reasons if not reason.endswith(".")] == []
    assert [_id(row) for row in TABLE if not VERSION.search(row.source)] == []


def test_what_is_noise_is_safe() -> None:
    assert {row.verdict for row in TABLE if row.is_noise} == {Verdict.SAFE}


def test_no_row_calls_a_removal_of_nodes_safe() -> None:
    assert [row for row in TABLE if row.rollouts and row.verdict is Verdict.SAFE] == []


@pytest.mark.parametrize("rows", TOPICS.values(), ids=TOPICS)
def test_a_change_does_what_the_table_says(rows: list[dict[str, Any]]) -> None:
    assert [(row["change"], _effects(row)) for row in rows] == [
        (row["change"], [(row["verdict"], row.get("certain", True), row["reason"])]) for row in rows
    ]


def _effects(row: dict[str, Any]) -> list[tuple[str, bool, str]]:
    found = planned(row["kind"], row.get("before"), row.get("after"), row.get("name", "example"))
    return [(each.verdict.word, each.is_certain, each.reason) for each in found.effects]


@pytest.mark.parametrize("row", AMONG_OTHERS, ids=lambda row: row["change"])
def test_a_change_does_this_among_other_objects(row: dict[str, Any]) -> None:
    found = planned_objects(_objects(row["before"]), _objects(row["after"]))
    for key, expected in row["does"].items():
        (does,) = (_does(each) for each in found if key in _names(each))
        assert {name: does[name] for name in expected} == expected


def _objects(listed: list[dict[str, Any]]) -> dict[PlacedObject, Document]:
    objects: dict[PlacedObject, Document] = {}
    for each in deepcopy(listed):
        kind, name = each.pop("kind"), each.pop("name", "example")
        component = each.pop("component", "part")
        objects |= placed(document(kind, each, name), component=component)
    return objects


def _names(planned: PlannedObject) -> tuple[str, str]:
    key = planned.placed.key
    return key.kind, f"{key.kind} {key.name}"


def _does(planned: PlannedObject) -> dict[str, Any]:
    return {
        "component": planned.placed.component,
        "verdict": planned.verdict.word,
        "held": planned.is_held,
        "reasons": [each.reason for each in planned.effects],
        "pools": [*planned.pools],
        "rollouts": [_stated(each) for each in planned.rollouts],
    }


def _stated(rollout: Rollout) -> dict[str, Any]:
    plain = asdict(Rollout(rollout.mechanism, ""))
    stated = {name: value for name, value in asdict(rollout).items() if value != plain[name]}
    lists = {name: [*value] for name, value in stated.items() if isinstance(value, tuple)}
    return {"mechanism": rollout.mechanism.value, **stated, **lists}
