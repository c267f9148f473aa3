from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    from charts_py.platform.platform import Platform


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
            "aks",
            "  a100mig:",
            "  a100miginference:",
            (
                'sample.yaml:12: pools.a100miginference: "a100miginference" has 16 characters; '
                "an AKS agent pool takes at most 12; allowed: ^[a-z][a-z0-9]{0,11}$"
            ),
        ),
        (
            "gke",
            "  l4:",
            "  4l:",
            (
                'sample.yaml:18: pools.4l: "4l" is no name for a GKE node pool; allowed: '
                "^[a-z]([-a-z0-9]{0,38}[a-z0-9])?$"
            ),
        ),
        (
            "gke",
            "  l4:",
            "  l4444444444444444444444444444444444444444:",
            (
                "sample.yaml:18: pools.l4444444444444444444444444444444444444444: "
                '"l4444444444444444444444444444444444444444" has 41 characters; a GKE node pool '
                "takes at most 40; allowed: ^[a-z]([-a-z0-9]{0,38}[a-z0-9])?$"
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


LONG = "a" * 56


def test_a_pool_with_a_least_size_leaves_room_for_the_suffix_of_its_second_node_pool(
    sample: Callable[..., str], faults_of: Callable[..., str]
) -> None:
    text = sample("eks").replace("h100:", f"{LONG}:")
    assert faults_of(text) == (
        f'sample.yaml:12: pools.{LONG}: "{LONG}" has 56 characters; a Karpenter NodePool with a '
        "least size takes at most 55; allowed: ^[a-z0-9]([-a-z0-9]{0,53}[a-z0-9])?$"
    )


@pytest.mark.parametrize(
    "change",
    [("{min: 2, max: 4}", "{max: 4}"), ("gpu-nodes\n", "gpu-nodes\n  provisioner: eksctl\n")],
)
def test_a_pool_without_a_second_node_pool_may_have_a_longer_name(
    sample: Callable[..., str], platform_of: Callable[[str], Platform], change: tuple[str, str]
) -> None:
    text = sample("eks", change).replace("h100:", f"{LONG}:")
    assert LONG in [pool.name for pool in platform_of(text).pools]
