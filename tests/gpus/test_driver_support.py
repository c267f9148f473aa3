import pytest

from gpus.catalog import load_catalog
from gpus.driver_support import DriverSupport, KernelModuleKind

CATALOG = load_catalog()


def _support(model: str) -> DriverSupport:
    support = CATALOG.model(model).driver
    assert support is not None
    return support


@pytest.mark.parametrize(
    ("model", "version", "has"),
    [
        ("B200", "470.256.02", False),
        ("B200", "570.86.15", True),
        ("B200", "595.91.07", True),
        ("B300", "580.65.06", False),
        ("B300", "580.82.07", True),
        ("B300", "580.95.05", True),
        ("GB200", "570.86.16", False),
        ("H100-SXM", "470.256.02", False),
        ("V100-SXM-32", "470.256.02", True),
        ("V100-SXM-32", "580.95.05", True),
        ("V100-SXM-32", "595.91.07", False),
        ("T4", "595.91.07", True),
    ],
)
def test_a_version_drives_a_gpu_from_its_first_to_its_last_branch(
    model: str, version: str, has: bool
) -> None:
    assert _support(model).has(version) is has


@pytest.mark.parametrize(
    ("model", "kind", "branch", "has"),
    [
        ("A100-SXM-80", KernelModuleKind.OPEN, 470, False),
        ("A100-SXM-80", KernelModuleKind.OPEN, 515, True),
        ("A100-SXM-80", KernelModuleKind.PROPRIETARY, 470, True),
        ("B200", KernelModuleKind.PROPRIETARY, 570, False),
        ("V100-SXM-32", KernelModuleKind.OPEN, 580, False),
    ],
)
def test_open_modules_are_there_from_515_on_and_only_for_gpus_that_they_drive(
    model: str, kind: KernelModuleKind, branch: int, has: bool
) -> None:
    assert _support(model).has_module(kind, branch) is has


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
    assert [str(_support(model)) for model in ("B200", "B300", "V100-SXM-32")] == [
        "570 or later",
        "580.82.07 or later",
        "384 to 580",
    ]
