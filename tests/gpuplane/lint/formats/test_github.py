"""Findings as annotations of GitHub."""

from gpuplane.lint.formats.github import MAX_ANNOTATIONS, to_github
from tests.gpuplane.lint.sample_report import ERROR, REPORT, report

PLACE = "file=jobs/train%2C a.yaml,line={line},endLine={line},col=3,endColumn=10"
TOLD = "Pod a: It is 100%25 wrong. Fix it. (inference, training)"


def test_each_finding_is_a_command_with_its_place() -> None:
    assert to_github(REPORT).splitlines() == [
        f"::notice {PLACE.format(line=2)},title=gpuplane team-rule::{TOLD}",
        f"::error {PLACE.format(line=3)},title=gpuplane host-ipc::{TOLD}",
        f"::warning {PLACE.format(line=3)},title=gpuplane memory-limit::{TOLD}",
    ]


def test_a_message_ends_no_command_and_begins_none() -> None:
    (line,) = to_github(report(ERROR._replace(message="a\r\n::error::b", remedy=""))).splitlines()
    assert line.endswith("::Pod a: a%0D%0A::error::b (inference, training)")


def test_annotations_that_github_does_not_show_are_told() -> None:
    findings = [ERROR] * (MAX_ANNOTATIONS + 1)
    assert to_github(report(*findings)).splitlines()[-1] == (
        "11 of severity error, of which GitHub shows the first 10 as annotations; the log of this "
        "step has all"
    )
    assert len(to_github(report(*findings[1:])).splitlines()) == MAX_ANNOTATIONS
