from collections.abc import Callable
from typing import Any

import pytest

from charts_py.cluster_file.hardware import Driver
from charts_py.components.gpu_operator.driver import branch_of, chart_driver, kernel_module_of
from gpus.catalog import load_catalog


def test_the_default_version_is_the_pinned_charts(
    pinned_values: Callable[[str], dict[str, Any]],
) -> None:
    assert pinned_values("gpu-operator")["driver"]["version"] == chart_driver()


@pytest.mark.parametrize(
    ("version", "branch"), [(None, 595), ("470.256.02", 470), ("580.95.05", 580)]
)
def test_a_branch_is_the_first_number_of_a_version(version: str | None, branch: int) -> None:
    assert branch_of(Driver(version=version)) == branch


@pytest.mark.parametrize(
    ("model", "driver", "kind"),
    [
        ("B200", {}, "open"),
        ("H100-SXM", {"version": "560.35.05"}, "open"),
        ("H100-SXM", {"version": "550.163.01"}, "proprietary"),
        ("H100-SXM", {"version": "550.163.01", "kernelModule": "open"}, "open"),
        ("H100-SXM", {"kernelModule": "proprietary"}, "proprietary"),
        ("V100-SXM-32", {"version": "580.95.05"}, "proprietary"),
    ],
)
def test_auto_is_open_from_560_on_where_the_gpu_can(
    model: str, driver: dict[str, Any], kind: str
) -> None:
    support = load_catalog().model(model).driver
    assert support is not None
    assert kernel_module_of(Driver.model_validate(driver), support) == kind
