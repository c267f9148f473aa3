"""The local disks of a machine on GKE."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from charts_py.objects.document import Document
    from charts_py.platform.platform import Platform


@pytest.mark.parametrize(
    ("machine", "disks"),
    [
        ("g2-standard-48", None),
        ("a2-highgpu-8g", None),
        ("a2-ultragpu-1g", 1),
        ("a2-ultragpu-8g", 8),
        ("a3-highgpu-1g", 2),
        ("a3-highgpu-8g", 16),
        ("a3-megagpu-8g", 16),
        ("a3-ultragpu-8g", 32),
        ("a4-highgpu-8g", 32),
        ("a4x-highgpu-4g", 4),
    ],
)
def test_a_node_pool_has_as_many_local_disks_as_its_machines_come_with(
    platform_with: Callable[..., Platform],
    objects_of: Callable[[Platform], Mapping[str, Document]],
    machine: str,
    disks: int | None,
) -> None:
    """As GKE's own autoscaler knows them (GoogleCloudPlatform/cluster-autoscaler at 7d25050)."""
    bought = "purchase: spot, interconnect: ethernet"
    pool = f"{{instanceType: {machine}, purpose: batch, nodes: {{max: 1}}, {bought}}}"
    (made,) = objects_of(platform_with("gke", pool)).values()
    config = made["spec"]["nodeConfig"].get("ephemeralStorageLocalSsdConfig")
    assert config == (None if disks is None else {"localSsdCount": disks})
