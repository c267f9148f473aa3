"""What of a cluster stands beside its versions."""

import os
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from charts_py.argocd.application import LIVE_APPLICATION
from charts_py.cluster_file.fault import SpecError
from charts_py.cluster_file.source import source_of
from charts_py.objects.manifest_yaml import from_yaml
from gpuplane.versions.record import RECORD_FILE, read_record_file
from gpuplane.versions.rendering import (
    Sources,
    pinned_crds,
    render_cluster,
    render_clusters,
    shared_fields,
)
from tests.gpuplane.versions.conftest import Repository


def _rename_team(repository: Repository) -> None:
    """Describe a version without the namespace that the one before has."""
    repository.write(version="1.1.0", live="1.0.0")
    file = repository.clusters / "lab.yaml"
    file.write_text(file.read_text().replace("research:", "robotics:"))


def _destinations(repository: Repository) -> set[str]:
    (project,) = from_yaml((repository.dist / "lab" / "project.yaml").read_text())
    return {each["namespace"] for each in project["spec"]["destinations"]}


def test_the_project_allows_what_any_version_in_dist_needs(repository: Repository) -> None:
    repository.render(version="1.0.0")
    first = _destinations(repository)
    _rename_team(repository)
    repository.synth()
    assert repository.synth(check=True).is_current
    assert first & {"research", "robotics"} == {"research"}
    assert _destinations(repository) == first | {"robotics"}


def test_what_a_version_needed_is_not_allowed_once_its_folder_is_gone(
    repository: Repository,
) -> None:
    repository.render(version="1.0.0")
    first = _destinations(repository)
    _rename_team(repository)
    file = repository.clusters / "lab.yaml"
    file.write_text(file.read_text().replace("live: 1.0.0", "live: 1.1.0"))
    repository.synth()
    shutil.rmtree(repository.dist / "lab" / "1.0.0")
    assert not repository.synth(check=True).is_current
    repository.synth()
    assert _destinations(repository) == (first - {"research"}) | {"robotics"}


def test_beside_a_version_with_an_app_project_of_its_own_what_is_dropped_goes_last(
    repository: Repository,
) -> None:
    repository.render(version="1.0.0")
    file = repository.dist / "lab" / "1.0.0" / RECORD_FILE
    file.write_bytes(replace(read_record_file(file), permissions=None).to_json())
    repository.render(version="1.1.0", live="1.0.0")
    (live,) = from_yaml((repository.dist / "lab" / LIVE_APPLICATION).read_text())
    assert "PruneLast=true" in live["spec"]["syncPolicy"]["syncOptions"]


PATCHED_CHART = """\
extensions:
  patches:
    - kind: Application
      name: lab-gpu-operator
      operations: [{op: replace, path: /spec/source/targetRevision, value: v1.2.3}]
"""


def test_the_record_names_a_chart_as_its_application_does(repository: Repository) -> None:
    """So that a cluster cannot be said to have run what a patch keeps from it."""
    repository.write()
    file = repository.clusters / "lab.yaml"
    file.write_text(file.read_text() + PATCHED_CHART)
    rendered = render_cluster(file, Sources(None, repository.dist))
    versions = {chart.name: chart.version for chart in rendered.record.charts}
    assert versions["gpu-operator"] == "v1.2.3"


ROOT = Path(__file__).parents[3]


@pytest.fixture(autouse=True)
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have two clusters be few, and three many."""
    monkeypatch.setattr("gpuplane.versions.rendering.MAX_SEQUENTIAL", 2)


def test_many_clusters_come_out_in_their_order_as_few_do(repository: Repository) -> None:
    names = ["lab-1", "lab-2", "lab-3"]
    for name in names:
        repository.write(name)
    files = [repository.clusters / f"{name}.yaml" for name in names]
    finished: list[str] = []
    sources = Sources(None, repository.dist)
    together = render_clusters(files, sources, finished.append)
    assert sorted(finished) == names
    assert [cluster.record.cluster for cluster in together] == names
    assert together[:2] == render_clusters(files[:2], sources, lambda _: None)


@pytest.mark.parametrize("clusters", [2, 3])
def test_faults_of_all_clusters_come_together(repository: Repository, clusters: int) -> None:
    for number in range(clusters):
        repository.write(f"lab-{number}", gpus=1000)
    files = sorted(repository.clusters.glob("*.yaml"))
    with pytest.raises(SpecError) as refused:
        render_clusters(files, Sources(None, repository.dist), lambda _: None)
    assert [fault.mark.file for fault in refused.value.faults] == [str(file) for file in files]


def test_what_another_machine_renders_is_what_is_committed(tmp_path: Path) -> None:
    """Another hash seed, time zone, locale, home and working directory stand for the machine."""
    machine = {"PYTHONHASHSEED": "2", "TZ": "Asia/Tokyo", "LC_ALL": "C", "HOME": str(tmp_path)}
    checked = subprocess.run(
        [sys.executable, "-m", "gpuplane", "-C", str(ROOT), "synth", "--check", "--quiet"],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(ROOT)} | machine,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (checked.returncode, checked.stdout) == (0, "")


def _document(api_version: str, kind: str) -> dict[str, object]:
    return {"apiVersion": api_version, "kind": kind, "metadata": {"name": "a"}}


def test_each_group_of_custom_kinds_names_where_its_definitions_come_from() -> None:
    folders = [
        (_document("karpenter.sh/v1", "NodePool"), _document("v1", "Namespace")),
        (_document("containerservice.azure.com/v1api20240901", "ManagedClustersAgentPool"),),
    ]
    assert [(crds.group, crds.source.split()[0]) for crds in pinned_crds(folders)] == [
        ("containerservice.azure.com", "datreeio/CRDs-catalog"),
        ("karpenter.sh", "kubernetes-sigs/karpenter"),
    ]


def test_core_kinds_are_not_pinned() -> None:
    assert pinned_crds([(_document("apps/v1", "Deployment"),)]) == ()


def test_each_field_but_the_rules_of_promotion_has_a_digest_that_comments_do_not_change() -> None:
    first = shared_fields(source_of(b"a: {x: 1, y: 2}\nb: 1\npromotion: {chain: [lab]}\n", "f"))
    second = shared_fields(source_of(b"# why\nb: 2\na: {y: 2, x: 1}\n", "f"))
    assert first.keys() == second.keys() == {"a", "b"}
    assert (first["a"] == second["a"], first["b"] == second["b"]) == (True, False)
