import pytest

from gpus.catalog import load_catalog
from gpus.driver_support import DriverSupport

CATALOG = load_catalog()


def _support(model: str) -> DriverSupport:
    support = CATALOG.model(model).driver
    assert support is not None
    return support


@pytest.mark.parametrize(
    ("model", "branch", "has"),
    [
        ("B200", 470, False),
        ("B200", 570, True),
        ("B200", 595, True),
        ("H100-SXM", 470, False),
        ("V100-SXM-32", 470, True),
        ("V100-SXM-32", 580, True),
        ("V100-SXM-32", 595, False),
        ("T4", 595, True),
    ],
)
def test_a_branch_drives_a_gpu_between_the_first_and_the_last(
    model: str, branch: int, has: bool
) -> None:
    assert _support(model).has(branch) is has


@pytest.mark.parametrize(
    ("model", "branch", "kind"),
    [
        ("V100-SXM-32", 580, "proprietary"),
        ("H100-SXM", 550, "proprietary"),
        ("H100-SXM", 560, "open"),
        ("B200", 570, "open"),
    ],
)
def test_open_modules_are_recommended_from_560_on_where_the_gpu_can(
    model: str, branch: int, kind: str
) -> None:
    assert _support(model).recommended(branch) == kind


def test_a_range_is_written_with_its_last_branch_if_there_is_one() -> None:
    assert [str(_support(model)) for model in ("B200", "V100-SXM-32")] == [
        "570 or later",
        "384 to 580",
    ]
