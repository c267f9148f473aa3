from pathlib import Path

import pytest

from charts_py.cluster_file.cluster_files import find_cluster_files
from charts_py.load import load_platforms
from gpuplane.reference.component_page import component_reference

ROOT = Path(__file__).parents[3]
CLUSTERS, DIST = ROOT / "clusters", ROOT / "dist"


@pytest.fixture(scope="module")
def page() -> str:
    return component_reference(CLUSTERS)


def test_every_component_of_every_example_has_its_row(page: str) -> None:
    rendered = {
        (platform.name, f"`{folder.name}`")
        for platform in load_platforms(find_cluster_files(CLUSTERS))
        for folder in (DIST / platform.name / platform.cluster.version).iterdir()
        if folder.is_dir()
    }
    rows = {tuple(row.split(" | ")[:2]) for row in page.splitlines() if " | `" in row}
    assert rendered <= {(cluster.removeprefix("| "), name) for cluster, name in rows}


def test_a_row_counts_the_kinds(page: str) -> None:
    assert "| training | `priority-classes` | 1 | 5 PriorityClass |" in page.splitlines()


def test_a_component_is_described_by_when_it_appears_what_steers_it_and_what_it_follows(
    page: str,
) -> None:
    _, _, section = page.partition("## efa-device-plugin\n")
    assert section.startswith(
        """
The device plugin that offers the EFA interfaces of EC2 instances as `vpc.amazonaws.com/efa`.

https://docs.aws.amazon.com/eks/latest/userguide/node-efa.html

- Appears: where a pool talks over EFA.
- Configured by: `addons.efaDevicePlugin`, `pools.NAME.interconnect`, `region`, \
`imagePullSecrets`, `registries`, `charts`.

| Cluster | Component | Wave | Emits |
|---|---|---|---|
| training | `efa-device-plugin` | 3 | Helm chart `aws-efa-k8s-device-plugin` v0.5.30 |
"""
    )
    assert "- Synced after: `gpu-roles`, `priority-classes`.\n" in page
