"""What an Argo CD that serves several clusters applies: `dist/fleet`."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from charts_py.argocd.application import app_of_apps, application_set
from charts_py.argocd.health import health_checks
from charts_py.cluster_file.cluster_files import FLEET_FOLDER
from charts_py.cluster_file.fault import Fault, FieldPath, Mark, Problem, SpecError
from charts_py.cluster_file.gitops import IN_CLUSTER, ArgoCdConfig, GitOps
from charts_py.objects.document import Document
from charts_py.platform.platform import Platform
from charts_py.rendering.rendering import files_of

_FOLLOWED = {
    ArgoCdConfig.SYNCED: "{ApplicationSet,ConfigMap}.*.yaml",
    ArgoCdConfig.BOOTSTRAP: "ApplicationSet.*.yaml",
}
"""Never the Application that follows them, which would otherwise wait for its own health."""
_SERVER = "server"
_TOGETHER = "with which it shares an Argo CD"
_SHARED_FIELDS = {
    "repository": "repository",
    "revision": "revision",
    "path": "path",
    "argocd_namespace": "argocdNamespace",
    "argocd_config": "argocdConfig",
}
"""Fields of GitOps that describe an Argo CD, and their names in a cluster file."""


@dataclass(frozen=True, slots=True)
class FleetMember:
    name: str
    gitops: GitOps
    marks: Mapping[str, Mark]
    """Places of its fields that other clusters have a say in."""

    def fault(self, field: str, what: str, allowed: str) -> Fault:
        return Fault(self.marks[field], Problem(_path(field), what, allowed))


def fleet_member(platform: Platform) -> FleetMember:
    marks = {field: platform.mark(_path(field)) for field in (_SERVER, *_SHARED_FIELDS.values())}
    return FleetMember(platform.name, platform.cluster.gitops, marks)


def _path(field: str) -> FieldPath:
    return "gitops", field


def fleet_files(members: Iterable[FleetMember]) -> dict[str, bytes]:
    """Return the files of the folder by name; raise SpecError as `fleet_documents` does."""
    files = files_of({FLEET_FOLDER: fleet_documents(members)})
    return {path.removeprefix(f"{FLEET_FOLDER}/"): content for path, content in files.items()}


def fleet_documents(members: Iterable[FleetMember]) -> tuple[Document, ...]:
    """Return what a shared Argo CD applies first, for the clusters that name their API server.

    A cluster that names none runs its own Argo CD: the root Application of such a cluster, in
    another Argo CD, would be applied there. Raises SpecError where two clusters name the same API
    server, or describe the Argo CD that they share differently.
    """
    ordered = sorted(members, key=lambda member: member.name)
    served = [member for member in ordered if member.gitops.server != IN_CLUSTER]
    faults = [*_shared_servers(served), *_differences(served)]
    if faults:
        raise SpecError(faults)
    if not served:
        return ()
    gitops, names = served[0].gitops, tuple(member.name for member in served)
    root, folder = f"{FLEET_FOLDER}-root", f"dist/{FLEET_FOLDER}"
    return (
        health_checks(gitops.argocd_namespace, names),
        application_set(FLEET_FOLDER, gitops, names),
        app_of_apps(root, gitops, folder, include=_FOLLOWED[gitops.argocd_config]).document(),
    )


def _shared_servers(served: Sequence[FleetMember]) -> Iterator[Fault]:
    by_server: dict[str, list[FleetMember]] = {}
    for member in served:
        by_server.setdefault(member.gitops.server, []).append(member)
    for server, members in by_server.items():
        if len(members) > 1:
            names = ", ".join(member.name for member in members)
            what = f"{server} is the API server of {len(members)} clusters: {names}"
            yield from (member.fault(_SERVER, what, "one for each") for member in members)


def _differences(served: Sequence[FleetMember]) -> Iterator[Fault]:
    for member, (field, shown) in product(served[1:], _SHARED_FIELDS.items()):
        first = served[0]
        found, allowed = getattr(member.gitops, field), getattr(first.gitops, field)
        if found != allowed:
            what = f"{found} differs from {first.name}'s in {first.marks[shown]}, {_TOGETHER}"
            yield member.fault(shown, what, allowed)
