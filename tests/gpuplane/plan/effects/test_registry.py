"""What holds of every row of the table."""

import re
from importlib import import_module
from pkgutil import iter_modules

from gpuplane.plan import effects
from gpuplane.plan.effects.registry import ROWS
from gpuplane.plan.effects.row import Row
from gpuplane.plan.verdict import Verdict

TABLE = [row for row in ROWS if isinstance(row, Row)]
VERSION = re.compile(r"/(blob|tree)/v?\d+\.\d+|://(?!github\.com)|/issues/\d+$|/blob/master/")


def _id(row: Row) -> str:
    return f"{row.kinds[0]}: {row.reason[:40]}"


def test_every_module_of_the_table_is_registered() -> None:
    names = {module.name for module in iter_modules(effects.__path__)} - {"registry"}
    modules = [import_module(f"gpuplane.plan.effects.{name}") for name in names]
    listed = [
        row
        for module in modules
        for name in ("ROWS", "DESCRIBING", "OTHER")
        for row in getattr(module, name, ())
    ]
    assert sorted(map(id, listed)) == sorted(map(id, ROWS))


def test_a_reason_is_a_sentence_and_has_a_source_at_a_version() -> None:
    reasons = [(row, row.reason.format(name="x", old="x", new="x")) for row in TABLE]
    assert [_id(row) for row, reason in reasons if not reason.endswith(".")] == []
    assert [_id(row) for row in TABLE if not VERSION.search(row.source)] == []


def test_what_is_noise_is_safe() -> None:
    assert {row.verdict for row in TABLE if row.is_noise} == {Verdict.SAFE}


def test_no_row_calls_a_removal_of_nodes_safe() -> None:
    assert [row for row in TABLE if row.rollouts and row.verdict is Verdict.SAFE] == []
