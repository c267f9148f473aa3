"""Findings as the fields of a report."""

from gpuplane.lint.formats.report_fields import report_fields
from tests.gpuplane.lint.sample_report import FILE, NOTE, report


def test_a_report_has_what_was_read_and_each_finding() -> None:
    assert report_fields(report(NOTE)) == {
        "clusters": ["inference", "training"],
        "files": 2,
        "filesWithoutObjects": 1,
        "objects": 3,
        "gpuWorkloads": {"Job": 1, "Pod": 1},
        "counts": {"error": 0, "warning": 0, "note": 1},
        "ignored": 0,
        "acknowledged": 0,
        "notShown": 0,
        "fixable": 1,
        "items": [
            {
                "file": FILE,
                "line": 2,
                "column": 3,
                "endLine": 2,
                "endColumn": 10,
                "rule": "team-rule",
                "severity": "note",
                "subject": "Pod a",
                "document": 0,
                "pointer": "/metadata/labels",
                "message": "It is 100% wrong.",
                "remedy": "Fix it.",
                "clusters": ["inference", "training"],
                "fix": [{"op": "add", "path": "/metadata/labels", "value": "research"}],
            }
        ],
    }
