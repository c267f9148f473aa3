"""What of a cluster stands beside its versions."""

from __future__ import annotations

import shutil
from dataclasses import replace

from charts_py.argocd.pinned_files import LIVE_APPLICATION
from charts_py.objects.manifest_yaml import from_yaml
from gpuplane.versions.record import RECORD_FILE, read_record_file
from gpuplane.versions.rendering import Sources, render_cluster
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
    repository.write(version="1.0.0")
    repository.synth()
    first = _destinations(repository)
    _rename_team(repository)
    repository.synth()
    assert repository.synth(check=True).is_current
    assert (first & {"research", "robotics"}, _destinations(repository)) == (
        {"research"},
        first | {"robotics"},
    )


def test_what_a_version_needed_is_not_allowed_once_its_folder_is_gone(
    repository: Repository,
) -> None:
    repository.write(version="1.0.0")
    repository.synth()
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
    repository.write(version="1.0.0")
    repository.synth()
    file = repository.dist / "lab" / "1.0.0" / RECORD_FILE
    file.write_bytes(replace(read_record_file(file), permissions=None).to_json())
    repository.write(version="1.1.0", live="1.0.0")
    repository.synth()
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
