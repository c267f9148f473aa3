"""A folder of objects that an Application of its own syncs, from one version to the next."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from charts_py.argocd.application import NAME as APPLICATIONS, Application
from charts_py.objects.document import Document, key_of
from charts_py.objects.manifest_yaml import to_yaml
from gpuplane.plan.effect import PlannedObject
from gpuplane.plan.planned_objects import planned_objects
from gpuplane.versions.comparison import PlacedDocuments, PlacedObject
from tests.e2e.argo_cd.git_repository import BRANCH, GitRepository
from tests.e2e.argo_cd.running import NAMESPACE
from tests.e2e.control_plane.api_client import ApiClient

COMPONENT = "planned"


@dataclass(frozen=True, slots=True)
class PlannedFolder:
    """The folder, in the repository that Argo CD reads."""

    client: ApiClient
    repository: GitRepository

    def application(self, version: str) -> Document:
        """Return the Application of a version, which syncs as those of a platform do."""
        path = self.path(version)
        return Application(
            name=COMPONENT,
            argocd_namespace=NAMESPACE,
            project="default",
            source={"repoURL": self.repository.url, "targetRevision": BRANCH, "path": path},
            server="https://kubernetes.default.svc",
            namespace=COMPONENT,
            is_cascading=True,
        ).document()

    def path(self, version: str) -> str:
        return f"dist/{COMPONENT}/{version}/{COMPONENT}"

    def publish(self, version: str, objects: Iterable[Document]) -> None:
        """Serve the objects of a version, and have the Application sync them."""
        folder = self.repository.folder / self.path(version)
        folder.mkdir(parents=True)
        for number, each in enumerate(objects):
            (folder / f"{number:02}.yaml").write_text(to_yaml(each), encoding="utf-8")
        self.repository.commit(f"Change {COMPONENT} to {version}")
        self.client.apply(self.application(version), force="true")

    def planned(
        self, before: Iterable[Document], after: Iterable[Document] | None
    ) -> Mapping[str, PlannedObject]:
        """Return what the plan says of each object, as `Kind/name`; of the removal of all: None."""
        sides = self._placed(before), {} if after is None else self._placed(after)
        return {
            f"{each.placed.key.kind}/{each.placed.key.name}": each
            for each in planned_objects(*sides)
        }

    def _placed(self, objects: Iterable[Document]) -> PlacedDocuments:
        application = self.application("any")
        placed = {PlacedObject(COMPONENT, key_of(each)): each for each in objects}
        return {PlacedObject(APPLICATIONS, key_of(application)): application, **placed}
