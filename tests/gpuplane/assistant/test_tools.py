"""What an assistant is given of many findings."""

from gpuplane.assistant.tools import MAX_FINDINGS, bounded_fields
from gpuplane.lint.formats.report_fields import report_fields
from tests.gpuplane.lint.sample_report import ERROR, NOTE, REPORT, WARNING, report


def test_of_more_findings_than_fit_the_worst_are_listed_and_the_others_counted() -> None:
    fields = bounded_fields(report(*(NOTE for _ in range(MAX_FINDINGS)), WARNING, ERROR))
    listed = [(each["severity"], each["rule"]) for each in fields["items"]]
    notes = [("note", "team-rule")] * (MAX_FINDINGS - 2)
    assert listed == [("error", "host-ipc"), ("warning", "memory-limit"), *notes]
    assert fields["more"] == 2
    assert fields["counts"] == {"error": 1, "warning": 1, "note": MAX_FINDINGS}


def test_what_fits_is_all_there() -> None:
    fields = bounded_fields(REPORT)
    everything = report_fields(REPORT)
    assert fields.pop("more") == 0
    by_rule = sorted(fields.pop("items"), key=lambda each: str(each["rule"]))
    assert by_rule == sorted(everything.pop("items"), key=lambda each: str(each["rule"]))
    assert fields == everything
