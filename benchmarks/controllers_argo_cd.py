"""Argo CD's application controller, by how often it keeps the objects of an example cluster."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from benchmarks.peaks import Peak, Size, child, peak_of
from charts_py.argocd.application import API_VERSION
from charts_py.cluster_file.cluster_files import find_cluster_files
from charts_py.load import load_platforms
from charts_py.objects.document import Document
from charts_py.objects.manifest_yaml import to_yaml
from tests.e2e.argo_cd.applications import states
from tests.e2e.argo_cd.git_repository import BRANCH, GitRepository, new_git_repository
from tests.e2e.argo_cd.objects import platform_objects
from tests.e2e.argo_cd.running import NAMESPACE, running_argo_cd
from tests.e2e.control_plane.control_plane import ControlPlane
from tests.e2e.control_plane.namespaces import make_namespace
from tests.e2e.folders import CLUSTERS, DIST
from tests.e2e.manifest import manifest
from tests.e2e.polling import once_seen
from tests.e2e.releases.crds import install_unserved, pinned_files

CONTROLLER = "argocd-application-controller"
_EXAMPLE = "training"
"""The example cluster with the most objects."""
_PATIENCE_SECONDS = 900.0


def argo_cd_peaks(
    control_plane: ControlPlane, size: Size, counts: Sequence[int], folder: Path, logs: Path
) -> Iterator[Peak]:
    """Yield what it takes while it keeps ever more copies of what an example has in namespaces."""
    admin, repository = control_plane.admin, new_git_repository(folder / "copies")
    (platform,) = (e for e in load_platforms(find_cluster_files(CLUSTERS)) if e.name == _EXAMPLE)
    release = DIST / platform.name / platform.cluster.version
    objects = [each for each in platform_objects(release) if "namespace" in each["metadata"]]
    install_unserved(admin, objects)
    with running_argo_cd(control_plane, pinned_files(), folder / "argo-cd", logs):
        for before, count in zip((0, *counts), counts, strict=False):
            names = [f"copy-{number}" for number in range(before, count)]
            for name in names:
                _write(repository, objects, name)
                make_namespace(admin, name)
            repository.commit("Add copies")
            for name in names:
                admin.create(_application(repository, name))
            once_seen(
                lambda: [each for each in states(admin).values() if each.sync != "Synced"],
                lambda waiting: not waiting,
                "all are synced",
                _PATIENCE_SECONDS,
            )
            yield peak_of(CONTROLLER, replace(size, copies=count), [child(CONTROLLER)])


def _write(repository: GitRepository, objects: Sequence[Document], namespace: str) -> None:
    """Write the objects for one namespace, in which none has the name of another."""
    copies = []
    for each in objects:
        metadata = each["metadata"]
        name = f"{metadata['namespace']}-{metadata['name']}"
        copies.append({**each, "metadata": {**metadata, "name": name, "namespace": namespace}})
    (folder := repository.folder / namespace).mkdir()
    (folder / "objects.yaml").write_text("---\n".join(map(to_yaml, copies)))


def _application(repository: GitRepository, name: str) -> Document:
    spec = {
        "project": "default",
        "source": {"repoURL": repository.url, "path": name, "targetRevision": BRANCH},
        "destination": {"server": "https://kubernetes.default.svc"},
        "syncPolicy": {"automated": {}},
    }
    return manifest(f"{API_VERSION} Application", name, NAMESPACE, spec=spec)
