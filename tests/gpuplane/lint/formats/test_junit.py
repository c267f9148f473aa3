"""Findings as JUnit XML."""

from xml.etree.ElementTree import fromstring

from gpuplane.lint.formats.junit import to_junit
from tests.gpuplane.lint.sample_report import ERROR, FILE, NOTE, report

TOLD = "Pod a: It is 100% wrong. Fix it. (inference, training)"


def test_a_file_is_a_suite_and_a_finding_a_case() -> None:
    assert to_junit(report(NOTE, ERROR)) == (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<testsuites name="gpuplane lint" tests="2" failures="1">\n'
        f'  <testsuite name="{FILE}" tests="2" failures="1">\n'
        f'    <testcase name="team-rule at 2:3" classname="{FILE}" file="{FILE}" line="2">\n'
        f"      <system-out>{TOLD}</system-out>\n"
        "    </testcase>\n"
        f'    <testcase name="host-ipc at 3:3" classname="{FILE}" file="{FILE}" line="3">\n'
        f'      <failure message="{TOLD}" type="error">{FILE}:3:3: host-ipc: {TOLD}</failure>\n'
        "    </testcase>\n"
        "  </testsuite>\n"
        "</testsuites>\n"
    )


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
