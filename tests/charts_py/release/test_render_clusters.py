"""Rendering many clusters."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from charts_py.release.render_clusters import MAX_SEQUENTIAL, render_clusters
from charts_py.release.rendered_cluster import Sources
from charts_py.spec.fault import SpecError
from tests.charts_py.release.conftest import Repository

RENDER = """
import hashlib, sys
from pathlib import Path
from charts_py.release.rendered_cluster import Sources, render_cluster
for file in sys.argv[2:]:
    rendered = render_cluster(Path(file), Sources(Path(sys.argv[1]), Path("dist")))
    content = repr([rendered.record.to_json(), rendered.pinned, rendered.files])
    print(Path(file).stem, hashlib.sha256(content.encode()).hexdigest())
"""

CLUSTERS = Path(__file__).parents[3] / "clusters"


def test_many_clusters_come_out_in_their_order_as_few_do(repository: Repository) -> None:
    names = [f"lab-{number}" for number in range(MAX_SEQUENTIAL + 1)]
    for name in names:
        repository.write(name)
    files = [repository.clusters / f"{name}.yaml" for name in names]
    finished: list[str] = []
    sources = Sources(None, repository.dist)
    together = render_clusters(files, sources, finished.append)
    assert sorted(finished) == names
    assert [cluster.record.cluster for cluster in together] == names
    assert together[:2] == render_clusters(files[:2], sources, lambda _: None)


@pytest.mark.parametrize("clusters", [2, MAX_SEQUENTIAL + 1])
def test_faults_of_all_clusters_come_together(repository: Repository, clusters: int) -> None:
    for number in range(clusters):
        repository.write(f"lab-{number}", gpus=1000)
    files = sorted(repository.clusters.glob("*.yaml"))
    with pytest.raises(SpecError) as refused:
        render_clusters(files, Sources(None, repository.dist), lambda _: None)
    assert [fault.mark.file for fault in refused.value.faults] == [str(file) for file in files]


def test_the_same_files_render_to_the_same_bytes_on_another_machine(tmp_path: Path) -> None:
    """Other hash seeds, time zones, locales and working directories stand for the machine."""
    fleet = CLUSTERS / "fleet.yaml"
    files = sorted(file for file in CLUSTERS.glob("*.yaml") if file != fleet)
    machines = [
        {"PYTHONHASHSEED": "1", "TZ": "UTC", "LC_ALL": "C"},
        {"PYTHONHASHSEED": "2", "TZ": "Asia/Tokyo", "LC_ALL": "C.UTF-8", "HOME": str(tmp_path)},
    ]
    outputs = []
    for machine in machines:
        # Paths are relative to the checkout, as on every machine.
        named = [str(file.relative_to(CLUSTERS.parent)) for file in (fleet, *files)]
        run = subprocess.run(
            [sys.executable, "-c", RENDER, *named],
            cwd=CLUSTERS.parent,
            env=os.environ | machine,
            capture_output=True,
            text=True,
            check=True,
        )
        outputs.append(run.stdout)
    assert outputs[0] == outputs[1]
    assert outputs[0].count("\n") == len(files)
