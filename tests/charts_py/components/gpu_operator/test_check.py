from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable


@pytest.mark.parametrize(
    ("name", "old", "new", "fault"),
    [
        (
            "eks",
            "policies:\n",
            "addons:\n  gdrcopy: true\n  gpudirectStorage: true\npolicies:\n",
            (
                "sample.yaml:65: addons.gdrcopy: the driver's owner is image, and the module "
                'comes with the driver; allowed: only with driver.owner "operator"\n'
                "sample.yaml:66: addons.gpudirectStorage: the driver's owner is image, and the "
                'module comes with the driver; allowed: only with driver.owner "operator"'
            ),
        ),
        (
            "onprem",
            "  owner: operator\n  version: 595.91.07\n",
            "  owner: image\n",
            (
                "sample.yaml:38: addons.gdrcopy: the driver's owner is image, and the module "
                'comes with the driver; allowed: only with driver.owner "operator"'
            ),
        ),
    ],
)
def test_kernel_modules_come_with_a_driver_of_the_operator(
    faults_after: Callable[..., str], name: str, old: str, new: str, fault: str
) -> None:
    assert faults_after(name, (old, new)) == fault
