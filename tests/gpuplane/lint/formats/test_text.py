"""Findings for people."""

from dataclasses import replace

from charts_py.cluster_file.fault import Mark
from gpuplane.lint.finding import LintSeverity
from gpuplane.lint.formats.text import to_text
from tests.gpuplane.lint.sample_report import ERROR, FILE, REPORT, report

WHOLE = f"""\
{FILE}:2:3: team-rule note Pod a: It is 100% wrong. Fix it. (inference, training)
{FILE}:3:3: host-ipc error Pod a: It is 100% wrong. Fix it. (inference, training)
  3 |   hostIPC: true
    |   ^^^^^^^

{FILE}:3:3: memory-limit warning Pod a: It is 100% wrong. Fix it. (inference, training)
  3 |   hostIPC: true
    |   ^^^^^^^

Found 1 error, 1 warning, 1 note in 2 files with 2 GPU workloads.
Skipped 1 file without objects.
1 can be fixed with --fix.
"""


def test_a_finding_is_a_line_and_what_is_wrong_is_shown() -> None:
    assert to_text(REPORT) == WHOLE


def test_colours_are_all_that_a_terminal_adds() -> None:
    shown = to_text(REPORT, colour=True)
    for code in ("0", "1;31", "1;33", "1;34", "31", "33", "34", "2"):
        shown = shown.replace(f"\x1b[{code}m", "")
    assert shown == WHOLE
    assert "\x1b[31m^^^^^^^\x1b[0m" in to_text(REPORT, colour=True)


def test_what_is_not_told_is_counted() -> None:
    shown = to_text(REPORT.of_severity(LintSeverity.ERROR)).splitlines()
    assert shown[-3:] == [
        "Found 1 error in 2 files with 2 GPU workloads.",
        "Skipped 1 file without objects.",
        "2 findings of lower severity not shown; see --severity.",
    ]


def test_nothing_is_found() -> None:
    assert to_text(replace(report(), empty=0)) == (
        "Nothing found in 2 files with 2 GPU workloads.\n"
    )


def test_of_a_long_line_the_end_of_what_is_wrong_is_shown() -> None:
    there = ERROR._replace(start=Mark(FILE, 1, 301), end=Mark(FILE, 1, 305))
    content = {FILE: b"-" * 300 + b"here" + b"-" * 300}
    shown = to_text(replace(report(there), sources=content)).splitlines()
    assert shown[1:3] == [f"  1 | {'-' * 156}here", f"    | {' ' * 156}^^^^"]


def test_what_a_file_holds_gives_no_orders_to_a_terminal() -> None:
    there = ERROR._replace(start=Mark(FILE, 1, 1), end=Mark(FILE, 1, 2))
    shown = to_text(replace(report(there), sources={FILE: b"a\x1b[2J"})).splitlines()
    assert shown[1] == r"  1 | a\x1b[2J"


def test_the_name_of_a_file_orders_a_terminal_nothing() -> None:
    named = ERROR._replace(start=ERROR.start._replace(file="a\x1b[2J.yaml"))
    assert to_text(report(named)).startswith("a\\x1b[2J.yaml:3:3: host-ipc error ")
