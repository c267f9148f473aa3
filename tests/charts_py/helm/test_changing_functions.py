"""Finding functions whose result is another one elsewhere or later."""

from __future__ import annotations

import pytest

from charts_py.helm.changing_functions import reason_at, stopped


@pytest.mark.parametrize(
    ("template", "rewritten"),
    [
        ('{{ lookup "v1" "Secret" "a" "b" }}', '{{ fail.lookup "v1" "Secret" "a" "b" }}'),
        ("{{ now | date `2006` }}", "{{ fail.now | fail.date `2006` }}"),
        ("{{- if (now.Year) }}", "{{- if (fail.now.Year) }}"),
        ("{{ printf `}} %s` (randInt 1 3) }}", "{{ printf `}} %s` (fail.randInt 1 3) }}"),
        ('{{ printf "\\"}}" now }}', '{{ printf "\\"}}" fail.now }}'),
        ("{{/* }} */}}{{ now }}", "{{/* }} */}}{{ fail.now }}"),
        ('{{ " }}\n{{ now }}', '{{ " }}\n{{ fail.now }}'),
        (
            "{{ .Values.lookup }}{{ $now }}{{ now_ }}{{ my-now }}",
            "{{ .Values.lookup }}{{ $now }}{{ now_ }}{{ my-now }}",
        ),
        ('{{ "now" }}{{ `lookup` }}{{/* now */}}', '{{ "now" }}{{ `lookup` }}{{/* now */}}'),
        ("lookup: now", "lookup: now"),
    ],
)
def test_calls_are_replaced_and_nothing_else(template: str, rewritten: str) -> None:
    assert stopped(template) == rewritten


@pytest.mark.parametrize(
    ("line", "column", "reason"),
    [
        (1, 3, None),
        (2, 7, "lookup reads the cluster"),
        (2, 26, "now reads the clock"),
        (2, 27, None),
        (3, 3, None),
    ],
)
def test_a_call_is_told_by_its_place(line: int, column: int, reason: str | None) -> None:
    lines = ['{{ fail "x" }}', "\u00e4: {{ fail.lookup 1 }}{{ fail.now }}", "{{ fail.other }}"]
    assert reason_at("\n".join(lines), line, column) == reason
