"""Charts and values in which no changing function can be called."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
import yaml

from charts_py.helm.stopped_files import called_function, stop_at_changing_functions

if TYPE_CHECKING:
    from pathlib import Path

VALUES = {"{{ now }}": ['{{ "a" | date "2006" }}', 3], "day": "2026-01-01", "keys": "lookup"}


@pytest.mark.parametrize("name", ["charts/inner/templates/a.yaml", "files/a.txt"])
def test_every_file_is_rewritten(tmp_path: Path, name: str) -> None:
    file = tmp_path / name
    file.parent.mkdir(parents=True)
    file.write_bytes(b"\xff\r\n{{ now }}\n")
    stop_at_changing_functions(tmp_path)
    assert file.read_bytes() == b"\xff\r\n{{ fail.now }}\n"


@pytest.mark.parametrize("style", ["'", '"', None])
def test_values_are_rewritten_however_they_are_quoted(tmp_path: Path, style: str | None) -> None:
    file = tmp_path / "charts" / "inner" / "values.yaml"
    file.parent.mkdir(parents=True)
    file.write_text(yaml.dump(VALUES, default_style=style), encoding="utf-8")
    stop_at_changing_functions(tmp_path)
    assert yaml.safe_load(file.read_text("utf-8")) == {
        "{{ fail.now }}": ['{{ "a" | fail.date "2006" }}', 3],
        "day": "2026-01-01",
        "keys": "lookup",
    }


@pytest.mark.parametrize(
    ("error", "call"),
    [
        (
            (
                'a/templates/y.yaml:9:9\n  executing "a/templates/y.yaml" at <include "b" .>:\n'
                '    a/templates/x.yaml:2:3\n  executing "b" at <fail>:\n    wrong number'
            ),
            "templates/x.yaml:2: lookup reads the cluster",
        ),
        (
            (
                'template: a/templates/y.yaml:9:9: executing "a/templates/y.yaml" at <tpl .a .>: '
                'error calling tpl: error during tpl function execution for "b: \\"c\\"\\n'
                '{{ fail.now }}": template: gotpl:2:3: executing "gotpl" at <fail>: wrong number'
            ),
            "templates/y.yaml:9: in a text that tpl evaluates, now reads the clock",
        ),
        ('a/templates/x.yaml:1:3\n  executing "x" at <fail>:\n    the chart itself failed', None),
        ("values don't meet the specifications of the schema", None),
    ],
)
def test_a_call_is_told_with_its_place(tmp_path: Path, error: str, call: str | None) -> None:
    file = tmp_path / "templates" / "x.yaml"
    file.parent.mkdir()
    file.write_text("{{ fail }}\n{{ fail.lookup 1 }}\n", encoding="utf-8")
    assert called_function(error, tmp_path) == call
