"""The machine images of nodes on EKS."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from charts_py.providers.eks.node_image import NEWEST_RELEASES, amazon_linux_release, node_image

if TYPE_CHECKING:
    from collections.abc import Callable

    from charts_py.platform.platform import Platform
    from upstream.kubernetes_version import KubernetesVersion

WITHOUT = "nodeRole: training-gpu-nodes"


@pytest.fixture
def platform(
    sample: Callable[..., str], platform_of: Callable[[str], Platform]
) -> Callable[..., Platform]:
    """Return the function that loads the sample with other settings of EKS and Kubernetes."""

    def load(kubernetes: str, release: str | None = None) -> Platform:
        added = f"{WITHOUT}\n  imageRelease: {release}" if release else WITHOUT
        return platform_of(
            sample("eks", (WITHOUT, added), ('kubernetes: "1.35"', f'kubernetes: "{kubernetes}"'))
        )

    return load


@pytest.mark.parametrize("version", list(NEWEST_RELEASES))
def test_each_kubernetes_version_has_a_release_of_its_own(version: KubernetesVersion) -> None:
    assert NEWEST_RELEASES[version].startswith(f"{version}.")


@pytest.mark.parametrize("version", list(NEWEST_RELEASES))
def test_the_newest_known_release_is_the_default(
    platform: Callable[..., Platform], version: KubernetesVersion
) -> None:
    assert amazon_linux_release(platform(version)) == NEWEST_RELEASES[version]


def test_karpenter_is_told_the_date_of_the_release_and_never_the_latest(
    platform: Callable[..., Platform],
) -> None:
    found = node_image(platform("1.35", "1.35.4-20260601"), "amd64")
    assert found.selection == {"amiSelectorTerms": [{"alias": "al2023@v20260601"}]}
