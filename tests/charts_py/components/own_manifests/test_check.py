from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from charts_py.platform.platform import Platform

MANIFESTS = ("policies:\n", "extensions: {manifests: more}\npolicies:\n")


def test_a_folder_of_manifests_must_be_there(faults_after: Callable[..., str]) -> None:
    assert faults_after("eks", MANIFESTS) == (
        "sample.yaml:64: extensions.manifests: no folder more; "
        "allowed: a folder beside the cluster file"
    )


def test_a_folder_of_manifests_is_found_beside_the_file(
    tmp_path: Path, sample: Callable[..., str], platform_of: Callable[[str], Platform]
) -> None:
    (tmp_path / "more").mkdir()
    assert platform_of(sample("eks", MANIFESTS)).cluster.extensions.manifests == "more"
