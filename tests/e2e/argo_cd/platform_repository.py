"""The repository of the platform, as people edit it and as Argo CD reads it here.

What of a chart nothing answers is not served. Controllers run no process here: their pods are only
reported to run. The API server would ask Kueue's webhooks of each object in the namespaces of
teams, and those of cert-manager of each Certificate, and refuse it (`failurePolicy: Fail`); and no
namespace could be deleted as long as an API does not answer, as that of external metrics. Kinds,
controllers and all other objects of these charts are served as they are.
"""

import os
import shutil
import subprocess
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from charts_py.cluster_file.cluster_files import find_cluster_files
from charts_py.load import load_platforms
from charts_py.objects.document import Document
from charts_py.objects.manifest_yaml import from_yaml, to_yaml
from tests.binaries.machine import GPUPLANE
from tests.binaries.pinned_program import HELM
from tests.e2e.argo_cd import pod_metrics
from tests.e2e.argo_cd.git_repository import BRANCH, GitRepository, new_git_repository
from tests.e2e.folders import REPOSITORY
from upstream.lock import locked_chart

_UNANSWERING = ("cert-manager", "keda", "kueue", "leader-worker-set")
"""Components that are charts with these kinds."""
_KINDS = ("APIService", "MutatingWebhookConfiguration", "ValidatingWebhookConfiguration")
_TEMPLATES = (
    "/cert-manager/templates/webhook-mutating-webhook.yaml",
    "/cert-manager/templates/webhook-validating-webhook.yaml",
    "/keda/templates/metrics-server/apiservice.yaml",
    "/keda/templates/webhooks/validatingconfiguration.yaml",
    "/kueue/templates/visibility/apiservice_v1beta1.yaml",
    "/kueue/templates/visibility/apiservice_v1beta2.yaml",
    "/kueue/templates/webhook/manifests.yaml",
    "/lws/templates/webhook/webhook.yaml",
)
"""Files of their charts that have these kinds."""


def is_unanswered(file: Path) -> bool:
    """Tell whether a rendered file, as `dist/training/1.4.0/kueue/Service.a.yaml`, is left out."""
    return file.parent.name in _UNANSWERING and file.name.partition(".")[0] in _KINDS


_EDITED = ("clusters", "dist")
_CHARTS = "charts"
_LOCAL_VALUES = {pod_metrics.CHART: pod_metrics.LOCAL_VALUES}
"""What a chart cannot do on this machine, by chart."""


@dataclass(frozen=True, slots=True)
class PlatformRepository:
    """`clusters/` and `dist/`, which are edited and rendered, and what is served of them.

    Served is `dist/` with the repository and the API servers of this machine and, for Helm, a path:
    the repository holds the charts that were given beside it. An Application whose chart was not is
    left out, and so is one of files of another repository, and one whose chart was given without
    what it depends on: Helm refuses that even where a condition switches it off. One whose chart
    needs what this machine has not is told so by a value, and what nothing answers here is left out
    of a chart.
    """

    original: Path
    """Where cluster files stand of which changes are made."""
    edited: Path
    served: GitRepository
    placeholders: Mapping[str, str]
    """What is served in place of an address that `dist/` names."""
    gpuplane: Path
    """The program that renders."""
    published: dict[Path, str] = field(default_factory=dict)
    """The files that were last served, as they were rendered."""

    def edit(self, cluster: str, change: Callable[[Document], object]) -> None:
        """Write a cluster file as the original is, but for a change."""
        file = Path("clusters") / f"{cluster}.yaml"
        (fields,) = from_yaml((self.original / file).read_text())
        change(fields)
        (self.edited / file).write_text(to_yaml(fields))

    def remove(self, cluster: str) -> None:
        """Remove a cluster, as people do; raise ValueError with what is said against it."""
        self._run("remove", cluster, "--yes")

    def synth(self, *clusters: str) -> None:
        """Render cluster files into `dist/`, as people do; none stands for all.

        Raises ValueError with their faults.
        """
        self._run("synth", *clusters)

    def _run(self, *arguments: str) -> None:
        command: list[str | Path] = [self.gpuplane, *arguments]
        # For a cluster whose charts are rendered.
        path = os.pathsep.join([str(HELM.build().parent), os.environ["PATH"]])
        done = subprocess.run(
            command,
            cwd=self.edited,
            env={**os.environ, "PATH": path},
            check=False,
            capture_output=True,
            text=True,
        )
        if done.returncode:
            raise ValueError(done.stderr)

    def publish(self, message: str) -> str:
        """Serve `dist/` as it stands; return the commit.

        What is edited is committed, too, where it has a history, by which gpuplane judges changes.
        """
        if (self.edited / ".git").is_dir():
            GitRepository(self.edited).commit(message)
        found = {file: file.read_text() for file in (self.edited / "dist").rglob("*.yaml")}
        # Of thousands, the few that changed.
        changed = {file for file in found if self.published.get(file) != found[file]}
        for file in sorted(changed | (self.published.keys() - found.keys())):
            target = self.served.folder / file.relative_to(self.edited)
            target.unlink(missing_ok=True)
            if file in found and (served := self._served(file, found[file])) is not None:
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_text(served)
        self.published.clear()
        self.published.update(found)
        return self.served.commit(message)

    def charts_missing(self, cluster: str, version: str) -> list[str]:
        """Return the Applications of a version that are left out, each with the charts it lacks."""
        folder = self.edited / "dist" / cluster / version / "argocd"
        lacking = (
            (application["metadata"]["name"], self._lacks(application))
            for application in _applications(folder)
        )
        return [f"{name} (no chart {', '.join(charts)})" for name, charts in lacking if charts]

    def applications(self, folder: str) -> list[Document]:
        return list(_applications(self.served.folder / folder))

    def document(self, path: str) -> Document:
        """Return the object of a file, as it is served."""
        (document,) = from_yaml((self.served.folder / path).read_text())
        return document

    def _served(self, file: Path, text: str) -> str | None:
        if is_unanswered(file):
            return None
        for address, placeholder in self.placeholders.items():
            text = text.replace(address, placeholder)
        if not file.name.startswith("Application."):
            return text
        (application,) = from_yaml(text)
        source = application["spec"]["source"]
        if (chart := _chart(source)) is None:
            return text if source["repoURL"] == self.served.url else None
        if self._lacks(application):
            return None
        source.pop("chart", None)
        source.update(repoURL=self.served.url, targetRevision=BRANCH, path=_folder(source, chart))
        source["helm"]["valuesObject"].update(_LOCAL_VALUES.get(chart, {}))
        return to_yaml(application)

    def _lacks(self, application: Document) -> list[str]:
        """Return the chart of an Application, or those in it, where it was not given."""
        source = application["spec"]["source"]
        if (chart := _chart(source)) is None:
            return []
        folder = self.served.folder / _folder(source, chart)
        if not folder.is_dir():
            return [chart]
        (described,) = from_yaml((folder / "Chart.yaml").read_text())
        return [
            f"{needed['name']} {needed['version']}"
            for needed in described.get("dependencies", ())
            if not (folder / _CHARTS / needed["name"]).is_dir()
        ]


def _chart(source: Document) -> str | None:
    """Return the name of the chart that a source is; None for a folder of manifests."""
    if "helm" not in source:
        return None
    name: str = source.get("chart") or Path(source["path"]).name
    return name


def _folder(source: Document, chart: str) -> str:
    """Return the folder of a chart, which the lock says; that of one in git has its name."""
    is_in_git = "chart" not in source
    return f"{_CHARTS}/{chart}" if is_in_git else str(Path(locked_chart(chart).file).parent)


def new_platform_repository(
    folder: Path, charts: Path, servers: Mapping[str, str]
) -> PlatformRepository:
    """Copy the example clusters and a folder of charts into a folder, and serve them.

    `servers` has the API servers to use in place of those which `dist/` names.
    """
    edited = folder / "edited"
    for name in _EDITED:
        shutil.copytree(REPOSITORY / name, edited / name)
    return serve(REPOSITORY, edited, charts, servers, GPUPLANE)


def serve(
    original: Path, edited: Path, charts: Path, servers: Mapping[str, str], gpuplane: Path
) -> PlatformRepository:
    """Serve what is rendered, beside a folder of charts."""
    served = new_git_repository(edited.parent / "served")
    shutil.copytree(charts, served.folder / _CHARTS, ignore=unanswered_templates)
    (platform, *_) = load_platforms(find_cluster_files(edited / "clusters"))
    placeholders = {platform.cluster.gitops.repository: served.url, **servers}
    repository = PlatformRepository(original, edited, served, placeholders, gpuplane)
    repository.publish("As it was released")
    return repository


def _applications(folder: Path) -> Iterator[Document]:
    for file in sorted(folder.glob("Application.*.yaml")):
        yield from from_yaml(file.read_text())


def unanswered_templates(folder: str, names: Collection[str]) -> set[str]:
    """Return which of the files in a folder of charts are left out, as shutil.copytree asks."""
    return {name for name in names if f"{folder}/{name}".endswith(_TEMPLATES)}
