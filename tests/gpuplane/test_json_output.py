"""What a command found, as JSON for programs."""

import pytest

from gpuplane.json_output import ReportKind, camel_case, print_report


def test_fields_of_reports_are_camel_case() -> None:
    fields = {"memory_gib": 1, "rdma_interfaces": 2, "name": 3}
    assert camel_case(fields) == {"memoryGib": 1, "rdmaInterfaces": 2, "name": 3}


def test_a_report_has_its_kind_first_and_letters_as_they_are(
    capsys: pytest.CaptureFixture[str],
) -> None:
    print_report(ReportKind.RULES, {"items": ["Größe"]})
    assert (
        capsys.readouterr().out
        == """\
{
  "apiVersion": "gpuplane.io/v1alpha1",
  "kind": "RuleList",
  "items": [
    "Größe"
  ]
}
"""
    )
