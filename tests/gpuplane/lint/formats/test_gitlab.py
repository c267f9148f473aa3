"""Findings as GitLab's code quality."""

import json

from gpuplane.lint.formats.gitlab import to_gitlab
from gpuplane.lint.report import fingerprints
from tests.gpuplane.lint.sample_report import FILE, REPORT, report


def test_each_finding_is_a_violation() -> None:
    note, error, warning = json.loads(to_gitlab(REPORT))
    assert error == {
        "description": "Pod a: It is 100% wrong. Fix it. (inference, training)",
        "check_name": "host-ipc",
        "fingerprint": fingerprints(REPORT.findings)[1],
        "severity": "major",
        "location": {
            "path": FILE,
            "positions": {"begin": {"line": 3, "column": 3}, "end": {"line": 3, "column": 10}},
        },
    }
    assert (note["severity"], warning["severity"]) == ("info", "minor")


def test_without_findings_the_report_is_an_empty_list() -> None:
    assert to_gitlab(report()) == "[]\n"
