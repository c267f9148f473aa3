from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable


@pytest.mark.parametrize(
    ("name", "old", "new", "fault"),
    [
        (
            "gke",
            "pools:\n",
            "driver: {owner: operator}\npools:\n",
            (
                'sample.yaml:11: driver.owner: "operator" cannot own the driver on gke; '
                "allowed: managed"
            ),
        ),
        (
            "eks",
            "pools:\n",
            "driver: {owner: managed}\npools:\n",
            (
                'sample.yaml:11: driver.owner: "managed" cannot own the driver on eks; allowed: '
                "image, operator"
            ),
        ),
        (
            "aks",
            "pools:\n",
            "driver: {owner: image}\npools:\n",
            (
                'sample.yaml:11: driver.owner: "image" cannot own the driver on aks; allowed: '
                "managed, operator"
            ),
        ),
        (
            "onprem",
            "owner: operator\n",
            "owner: managed\n",
            (
                'sample.yaml:8: driver.owner: "managed" cannot own the driver on onprem; '
                "allowed: operator, image"
            ),
        ),
    ],
)
def test_the_provider_can_have_the_owner(
    faults_after: Callable[..., str], name: str, old: str, new: str, fault: str
) -> None:
    assert faults_after(name, (old, new)) == fault


@pytest.mark.parametrize(
    ("name", "old", "new", "fault"),
    [
        (
            "eks",
            "pools:\n",
            "driver:\n  version: 595.91.07\n  kernelModule: open\npools:\n",
            (
                "sample.yaml:12: driver.version: the driver's owner is image, which chooses it; "
                'allowed: only with owner "operator"\n'
                "sample.yaml:13: driver.kernelModule: the driver's owner is image, which "
                'chooses it; allowed: only with owner "operator"'
            ),
        ),
    ],
)
def test_only_the_operator_lets_one_choose_the_driver(
    faults_after: Callable[..., str], name: str, old: str, new: str, fault: str
) -> None:
    assert faults_after(name, (old, new)) == fault
