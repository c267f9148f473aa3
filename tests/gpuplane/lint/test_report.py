"""By what a finding is known again."""

from charts_py.cluster_file.fault import Mark
from gpuplane.lint.report import fingerprints
from tests.gpuplane.lint.sample_report import ERROR, FILE, WARNING


def test_a_finding_is_known_again_where_its_line_has_moved() -> None:
    moved = ERROR._replace(start=Mark(FILE, 30, 3), end=Mark(FILE, 30, 10))
    assert fingerprints([ERROR]) == fingerprints([moved])


def test_no_two_findings_are_named_alike() -> None:
    assert len({*fingerprints([ERROR, ERROR, ERROR, WARNING])}) == 4


def test_what_is_found_elsewhere_is_another_finding() -> None:
    others = [
        ERROR,
        ERROR._replace(rule="other"),
        ERROR._replace(subject="Pod b"),
        ERROR._replace(pointer="/spec"),
        ERROR._replace(message="Other."),
        ERROR._replace(start=Mark("other.yaml", 3, 3)),
    ]
    assert len({fingerprints([each])[0] for each in others}) == len(others)
