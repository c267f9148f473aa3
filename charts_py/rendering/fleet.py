"""What an Argo CD that serves several clusters applies: `dist/fleet`."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING

from charts_py.argocd.app_of_apps import app_of_apps
from charts_py.argocd.application_set import application_set
from charts_py.argocd.health import health_checks
from charts_py.platform.render_error import RenderError
from charts_py.rendering.rendering import files_of
from charts_py.spec.cluster_files import FLEET_FOLDER
from charts_py.spec.gitops import IN_CLUSTER, GitOps

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from charts_py.objects.document import Document

_FOLLOWED = "{ApplicationSet,ConfigMap}.*.yaml"
"""All but the Application that follows them, which would otherwise wait for its own health."""

_SHARED_FIELDS = {
    "repository": "repository",
    "revision": "revision",
    "argocd_namespace": "argocdNamespace",
}
"""Fields of GitOps that describe an Argo CD, and their names in a cluster file."""


@dataclass(frozen=True, slots=True)
class FleetMember:
    """A cluster, and where it is synced from."""

    name: str
    gitops: GitOps


def fleet_files(members: Iterable[FleetMember]) -> dict[str, bytes]:
    """Return the files of the folder by name; raise RenderError as `fleet_documents` does."""
    files = files_of({FLEET_FOLDER: fleet_documents(members)})
    return {path.removeprefix(f"{FLEET_FOLDER}/"): content for path, content in files.items()}


def fleet_documents(members: Iterable[FleetMember]) -> tuple[Document, ...]:
    """Return what a shared Argo CD applies first, for the clusters that name their API server.

    A cluster that names none runs its own Argo CD: the root Application of such a cluster, in
    another Argo CD, would be applied there. Raises RenderError where two clusters name the same
    API server, or describe the Argo CD that they share differently.
    """
    ordered = sorted(members, key=lambda member: member.name)
    served = [member for member in ordered if member.gitops.server != IN_CLUSTER]
    problems = [*_shared_servers(served), *_differences(served)]
    if problems:
        raise RenderError("\n".join(problems))
    return tuple(_documents(served)) if served else ()


def _documents(served: Sequence[FleetMember]) -> Iterator[Document]:
    gitops = served[0].gitops
    names = tuple(member.name for member in served)
    yield health_checks(gitops.argocd_namespace, names)
    yield application_set(FLEET_FOLDER, gitops, names)
    folder = f"dist/{FLEET_FOLDER}"
    yield app_of_apps(f"{FLEET_FOLDER}-root", gitops, folder, include=_FOLLOWED).document()


def _shared_servers(served: Sequence[FleetMember]) -> Iterator[str]:
    for server in sorted({member.gitops.server for member in served}):
        names = [m.name for m in served if m.gitops.server == server]
        if len(names) > 1:
            yield (
                f"{', '.join(names)}: gitops.server: {server} is the API server of "
                f"{len(names)} clusters; allowed: one for each"
            )


def _differences(served: Sequence[FleetMember]) -> Iterator[str]:
    for member, (field, shown) in product(served[1:], _SHARED_FIELDS.items()):
        found = getattr(member.gitops, field)
        allowed = getattr(served[0].gitops, field)
        if found != allowed:
            yield (
                f"{member.name}: gitops.{shown}: {found} differs from {served[0].name}'s, "
                f"with which it shares an Argo CD; allowed: {allowed}"
            )
