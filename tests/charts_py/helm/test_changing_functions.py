"""Finding functions whose result is another one elsewhere or later."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from charts_py.helm.changing_functions import called_function, stop_at_changing_functions

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    ("template", "rewritten"),
    [
        ('{{ lookup "v1" "Secret" "a" "b" }}', '{{ fail "v1" "Secret" "a" "b" }}'),
        ("{{ now | date `2006` }}", "{{ fail | date `2006` }}"),
        ("{{- if (now.Year) }}", "{{- if (fail.Year) }}"),
        ("{{ .Values.lookup }}{{ $now }}", "{{ .Values.lookup }}{{ $now }}"),
        ('{{ "now" }}{{ `lookup` }}{{/* now */}}', '{{ "now" }}{{ `lookup` }}{{/* now */}}'),
        ("lookup: now", "lookup: now"),
    ],
)
def test_calls_are_replaced_and_nothing_else(tmp_path: Path, template: str, rewritten: str) -> None:
    file = tmp_path / "charts" / "inner" / "templates" / "a.yaml"
    file.parent.mkdir(parents=True)
    file.write_text(template, encoding="utf-8")
    stop_at_changing_functions(tmp_path)
    assert file.read_text("utf-8") == rewritten


@pytest.mark.parametrize(
    ("error", "call"),
    [
        (
            (
                'a/templates/y.yaml:9:9\n  executing "a/templates/y.yaml" at <include "b" .>:\n'
                '    a/templates/x.yaml:2:3\n  executing "b" at <fail>:\n    wrong number'
            ),
            "templates/x.yaml:2: lookup reads the cluster and now reads the clock",
        ),
        (
            "execution error at (a/templates/x.yaml:3:1): b",
            "templates/x.yaml:3: getHostByName asks a name server",
        ),
        ('a/templates/x.yaml:1:1\n  executing "x" at <fail>:\n    the chart itself failed', None),
        ("values don't meet the specifications of the schema", None),
    ],
)
def test_a_call_is_told_with_its_place(tmp_path: Path, error: str, call: str | None) -> None:
    file = tmp_path / "templates" / "x.yaml"
    file.parent.mkdir()
    lines = ['{{ fail "x" }}', 'a: "{{ lookup 1 }}{{ now }}{{ now }}"', '{{ getHostByName "b" }}']
    file.write_text("\n".join(lines), encoding="utf-8")
    assert called_function(error, tmp_path) == call
