from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable


@pytest.mark.parametrize(
    ("name", "old", "new", "fault"),
    [
        (
            "aks",
            "  a100mig:",
            "  a100-mig:",
            (
                'sample.yaml:12: pools.a100-mig: "a100-mig" is no name for an AKS agent pool; '
                "allowed: ^[a-z][a-z0-9]{0,11}$"
            ),
        ),
        (
            "onprem",
            "  l40s:",
            "  llllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllll:",
            (
                "sample.yaml:23: "
                "pools.llllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllll: "
                '"llllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllll" has 64 '
                "characters; a node label takes at most 63; allowed: "
                "^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$"
            ),
        ),
    ],
)
def test_a_pool_has_a_name_that_the_provider_takes(
    faults_after: Callable[..., str], name: str, old: str, new: str, fault: str
) -> None:
    assert faults_after(name, (old, new)) == fault
