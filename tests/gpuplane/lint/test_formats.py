"""Findings as each format prints them."""

import json
import os
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import fromstring

import jsonschema
import pytest

from charts_py.cluster_file.fault import Mark
from gpuplane.lint.finding import LintSeverity, ObjectCounts
from gpuplane.lint.formats.github import MAX_ANNOTATIONS, to_github
from gpuplane.lint.formats.gitlab import to_gitlab
from gpuplane.lint.formats.junit import to_junit
from gpuplane.lint.formats.report_fields import report_fields
from gpuplane.lint.formats.sarif import SCHEMA, to_sarif
from gpuplane.lint.formats.text import to_text
from gpuplane.lint.registry import rule_facts
from tests.gpuplane.lint.sample_report import ERROR, FILE, NOTE, REPORT, WARNING, report

TOLD = "Pod a: It is 100% wrong. Fix it. (inference, training)"
EXPECTED = Path(__file__).parent / "expected"
WHOLE = (EXPECTED / "report.txt").read_text("utf-8")


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


def test_what_fix_would_write_is_counted_where_no_error_is_left() -> None:
    assert to_text(report(NOTE, WARNING)).splitlines()[-1] == "1 can be fixed with --fix."
    assert report(NOTE, ERROR).fixable == []


def test_a_program_gets_the_fixes_that_are_written() -> None:
    alone, kept = (report_fields(report(*found))["items"] for found in ((NOTE,), (NOTE, ERROR)))
    assert alone[0]["fix"] == [operation.to_json() for operation in NOTE.fix]
    assert [each["fix"] for each in kept] == [[], []]


def test_nothing_is_found() -> None:
    assert to_text(replace(report(), empty=0)) == (
        "Nothing found in 2 files with 2 GPU workloads.\n"
    )


@pytest.mark.parametrize(
    ("least", "said"),
    [(LintSeverity.ERROR, "No errors in"), (LintSeverity.WARNING, "No errors or warnings in")],
)
def test_hidden_findings_are_not_said_to_be_nothing(least: LintSeverity, said: str) -> None:
    assert to_text(replace(report(NOTE), empty=0).of_severity(least)).splitlines() == [
        f"{said} 2 files with 2 GPU workloads.",
        "1 finding of lower severity not shown; see --severity.",
    ]


def test_objects_that_no_rule_reads_are_counted_by_kind() -> None:
    counts = ObjectCounts(unjudged={"ConfigMap": 2, "Service": 1})
    shown = to_text(replace(report(), empty=0, counts=counts))
    assert shown.splitlines()[-1] == "3 objects not judged: 2 ConfigMap, 1 Service."


def test_patches_are_counted() -> None:
    one, two = (
        to_text(replace(report(), empty=0, counts=ObjectCounts(patches=count))).splitlines()[-1]
        for count in (1, 2)
    )
    assert one == "1 object taken for a patch, not judged by what it lacks."
    assert two == "2 objects taken for patches, not judged by what they lack."


def test_objects_whose_pods_are_not_read_are_counted_by_kind() -> None:
    counts = ObjectCounts(unread_gpus={"Model": 2, "Workspace": 1})
    shown = to_text(replace(report(), empty=0, counts=counts))
    assert shown.splitlines()[-1] == (
        "3 objects with GPUs judged at admission alone: 2 Model, 1 Workspace."
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


PLACE = "file=jobs/train%2C a.yaml,line={line},endLine={line},col=3,endColumn=10"
ESCAPED = TOLD.replace("%", "%25")


def test_each_finding_is_a_command_with_its_place() -> None:
    assert to_github(REPORT).splitlines() == [
        f"::notice {PLACE.format(line=2)},title=gpuplane team-rule::{ESCAPED}",
        f"::error {PLACE.format(line=3)},title=gpuplane host-ipc::{ESCAPED}",
        f"::warning {PLACE.format(line=3)},title=gpuplane memory-limit::{ESCAPED}",
    ]


def test_a_message_ends_no_command_and_begins_none() -> None:
    (line,) = to_github(report(ERROR._replace(message="a\r\n::error::b", remedy=""))).splitlines()
    assert line.endswith("::Pod a: a%0D%0A::error::b (inference, training)")


def test_a_name_of_a_file_orders_no_terminal_anything_in_an_annotation() -> None:
    start, end = Mark("a\x1b[2J.yaml", 1, 1), Mark("a\x1b[2J.yaml", 1, 2)
    shown = to_github(report(ERROR._replace(start=start, end=end)))
    assert shown.startswith(r"::error file=a\x1b[2J.yaml,line=1,")


def test_annotations_that_github_does_not_show_are_told() -> None:
    findings = [ERROR] * (MAX_ANNOTATIONS + 1)
    assert to_github(report(*findings)).splitlines()[-1] == (
        "11 of severity error, of which GitHub shows the first 10 as annotations; the log of this "
        "step has all"
    )
    assert len(to_github(report(*findings[1:])).splitlines()) == MAX_ANNOTATIONS


def test_each_finding_is_a_violation() -> None:
    assert to_gitlab(REPORT) == (EXPECTED / "gitlab.json").read_text("utf-8")


def test_without_findings_the_report_of_gitlab_is_an_empty_list() -> None:
    assert to_gitlab(report()) == "[]\n"


def test_a_file_is_a_suite_and_a_finding_a_case() -> None:
    assert to_junit(report(NOTE, ERROR)) == (EXPECTED / "report.xml").read_text("utf-8")


def test_the_name_of_a_file_may_hold_what_xml_cannot() -> None:
    named = ERROR._replace(start=ERROR.start._replace(file="a\x1b[2J\n.yaml"))
    suites = fromstring(to_junit(report(named)))  # noqa: S314 # our own
    assert [each.get("name") for each in suites] == ["a\\x1b[2J\\x0a.yaml"]


def test_what_xml_marks_is_escaped() -> None:
    found = to_junit(report(ERROR._replace(message='<a> & "b"', remedy="", clusters=())))
    assert 'message="Pod a: &lt;a&gt; &amp; &quot;b&quot;"' in found


def test_without_findings_there_is_no_suite() -> None:
    assert to_junit(report()).splitlines()[1:] == [
        '<testsuites name="gpuplane lint" tests="0" failures="0" />'
    ]


def test_a_report_has_what_was_read_and_each_finding() -> None:
    assert report_fields(report(NOTE)) == json.loads((EXPECTED / "report.json").read_bytes())


SARIF_SCHEMA = "GPUPLANE_SARIF_SCHEMA"
"""Names the file of the schema that OASIS publishes, by which SARIF is validated, too."""


@pytest.fixture
def log() -> dict[str, Any]:
    facts = rule_facts({"GPUPLANE_REPOSITORY": "https://git.example.com/gpuplane"})
    printed: dict[str, Any] = json.loads(to_sarif(REPORT, facts, "1.2.3"))
    return printed


def test_a_log_is_one_run_with_the_rules_that_found_something(log: dict[str, Any]) -> None:
    (run,) = log["runs"]
    driver = run["tool"]["driver"]
    assert (log["$schema"], log["version"]) == (SCHEMA, "2.1.0")
    assert (driver["name"], driver["version"]) == ("gpuplane", "1.2.3")
    assert run["columnKind"] == "unicodeCodePoints"
    assert [rule["id"] for rule in driver["rules"]] == ["host-ipc", "memory-limit", "team-rule"]


def test_a_rule_leads_to_its_page_and_one_of_a_platform_team_has_its_name_alone(
    log: dict[str, Any],
) -> None:
    host_ipc, _, own = log["runs"][0]["tool"]["driver"]["rules"]
    page = "https://git.example.com/gpuplane/blob/HEAD/docs/policies/host-ipc.md"
    assert host_ipc["helpUri"] == page
    assert host_ipc["help"]["markdown"].startswith("# host-ipc")
    assert own == {"id": "team-rule"}


def test_a_result_has_a_region_and_what_is_known_again(log: dict[str, Any]) -> None:
    result = json.loads((EXPECTED / "sarif-result.json").read_bytes())
    assert log["runs"][0]["results"][1] == result


def test_what_the_specification_requires_is_there(log: dict[str, Any]) -> None:
    """Sections 3.13 (sarifLog), 3.14 (run), 3.27 (result), 3.30 (region), 3.49 (rule)."""
    for run in log["runs"]:
        rules = run["tool"]["driver"]["rules"]
        assert len({rule["id"] for rule in rules}) == len(rules)
        for result in run["results"]:
            assert result["message"]["text"]
            assert result["level"] in {"none", "note", "warning", "error"}
            assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
            region = result["locations"][0]["physicalLocation"]["region"]
            start = (region["startLine"], region["startColumn"])
            assert (1, 1) <= start < (region["endLine"], region["endColumn"])


@pytest.mark.parametrize("found", [REPORT, report()], ids=["findings", "none"])
def test_the_published_schema_takes_it(found: Any) -> None:
    if SARIF_SCHEMA not in os.environ:
        pytest.skip(f"{SARIF_SCHEMA} does not name the schema of SARIF")
    schema = json.loads(Path(os.environ[SARIF_SCHEMA]).read_bytes())
    jsonschema.Draft4Validator(schema).validate(json.loads(to_sarif(found, rule_facts({}), "1")))
