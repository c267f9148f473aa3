from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from http import HTTPStatus
from pathlib import Path

from charts_py.argocd.application import API_VERSION
from charts_py.objects.document import Document
from charts_py.platform.wave import SYNC_WAVE
from tests.e2e.argo_cd.running import NAMESPACE
from tests.e2e.control_plane.api_client import ApiClient, ApiError
from tests.e2e.manifest import manifest
from tests.e2e.polling import polls
from tests.e2e.processes.logs import logged
from tests.e2e.scheduling.placements import is_ending

PATIENCE_SECONDS = 1200.0
"""More than a whole first sync takes on two cores that others use too."""

_KIND = "Application"
_REFRESH = "argocd.argoproj.io/refresh"
_APPROVED = "argocd.argoproj.io/deletion-approved"


@dataclass(frozen=True, slots=True)
class ApplicationState:
    """What an Application's status says."""

    wave: int
    path: str
    """The folder that the cluster was compared with."""
    sync: str
    health: str
    phase: str
    """Of its last sync."""
    started: str
    """When that began."""
    message: str
    """What it says of itself."""
    culprits: tuple[str, ...]
    """Objects that are not as they should be, with what they are."""

    @property
    def is_settled(self) -> bool:
        """Whether the cluster holds what its folder says, and all of it is well.

        One that found it so has had nothing to sync.
        """
        ended = self.phase in ("", "Succeeded")
        return ended and (self.sync, self.health) == ("Synced", "Healthy")


def application(name: str) -> Document:
    return manifest(f"{API_VERSION} {_KIND}", name, NAMESPACE)


def states(client: ApiClient) -> dict[str, ApplicationState]:
    """Return what each Application's status says, by its name."""
    found = client.find(API_VERSION, _KIND, NAMESPACE)
    return {each["metadata"]["name"]: _state(each) for each in found}


def wait_until_settled(
    client: ApiClient, paths: Mapping[str, str], seconds: float = PATIENCE_SECONDS
) -> dict[str, ApplicationState]:
    """Return the states of Applications once they have synced their paths, and all is well.

    Raises TimeoutError with what those say that have not.
    """
    for _ in polls(seconds):
        found = states(client)
        waiting = [name for name, path in paths.items() if not _is_settled(found.get(name), path)]
        if not waiting:
            return {name: found[name] for name in paths}
    told = "\n".join(f"{name}: {found.get(name)}" for name in waiting)
    raise TimeoutError(f"not synced and healthy within {seconds} s:\n{told}")


def uids(client: ApiClient, names: Collection[str]) -> dict[str, str]:
    """Return the UID of each object of Applications, by its Application, kind, namespace and name.

    Hooks are not among them.
    """
    return {
        f"{name}: {each['kind']} {each.get('namespace', '')}/{each['name']}": _uid(client, each)
        for name in names
        for each in client.get(API_VERSION, _KIND, name, NAMESPACE)["status"]["resources"]
        if not each.get("hook")
    }


def _uid(client: ApiClient, resource: Document) -> str:
    group, version = resource.get("group"), resource["version"]
    api_version = f"{group}/{version}" if group else version
    found = client.get(api_version, resource["kind"], resource["name"], resource.get("namespace"))
    uid: str = found["metadata"]["uid"]
    return uid


def refresh(client: ApiClient, names: Collection[str]) -> None:
    """Make Argo CD read repositories again, and compare Applications with them."""
    for name in names:
        client.patch(application(name), {"metadata": {"annotations": {_REFRESH: "hard"}}})
    for name in names:
        client.wait_for(application(name), _is_refreshed, PATIENCE_SECONDS)


def refresh_unhealthy(client: ApiClient) -> None:
    """Have Argo CD compare the Applications that are not healthy, as it does by itself later."""
    for each in client.find(API_VERSION, _KIND, NAMESPACE):
        is_healthy = each.get("status", {}).get("health", {}).get("status") == "Healthy"
        if is_healthy or _REFRESH in each["metadata"].get("annotations", {}):
            continue
        # Of what has changed meanwhile, a hard refresh may be asked for.
        seen = {"resourceVersion": each["metadata"]["resourceVersion"]}
        with unless_gone():
            change = {"metadata": {**seen, "annotations": {_REFRESH: "normal"}}}
            client.patch(application(each["metadata"]["name"]), change)


@contextmanager
def unless_gone() -> Iterator[None]:
    """Leave alone what is gone, or has changed, since it was seen."""
    try:
        yield
    except ApiError as error:
        if error.answer.status not in (HTTPStatus.NOT_FOUND, HTTPStatus.CONFLICT):
            raise


def waits_for_deletion(found: Document) -> bool:
    """Tell whether an Application that is deleted waits for a person to confirm it."""
    resources = found.get("status", {}).get("resources", [])
    return is_ending(found) and any(e.get("requiresDeletionConfirmation") for e in resources)


def waits_for_pruning_of(*removed: Document) -> Callable[[Document], bool]:
    """Return what tells whether a sync waits for a person to confirm that objects go first.

    Of several it names any, and how many more there are.
    """
    more = f" and {len(removed) - 1} more resources" if removed[1:] else ""
    said = {f"waiting for pruning confirmation of {_named(each)}{more}" for each in removed}

    def is_waiting(found: Document) -> bool:
        operation = found.get("status", {}).get("operationState", {})
        return operation.get("phase") == "Running" and operation.get("message") in said

    return is_waiting


def _named(document: Document) -> str:
    group = document["apiVersion"].rpartition("/")[0]
    return f"{group}/{document['kind']}/{document['metadata']['name']}"


def approve_removal(client: ApiClient, name: str) -> None:
    """Say, as a person does, that what an Application wants confirmed may go.

    https://argo-cd.readthedocs.io/en/stable/user-guide/sync-options/
    """
    now = datetime.now(UTC).isoformat(timespec="seconds")
    client.patch(application(name), {"metadata": {"annotations": {_APPROVED: now}}})


def end_sync(client: ApiClient, name: str) -> None:
    """End the sync that an Application is in, as `argocd app terminate-op` does."""
    started = _operation(client, name)["startedAt"]
    for _ in polls(PATIENCE_SECONDS):
        found = _operation(client, name)
        if (found["startedAt"], found["phase"]) != (started, "Running"):
            return
        # Argo CD may write its own word over it.
        client.patch(application(name), {"status": {"operationState": {"phase": "Terminating"}}})
    raise TimeoutError(f"the sync of {name} does not end within {PATIENCE_SECONDS} s")


def changed_in_order(
    audit_log: Path, resources: Collection[str], status: HTTPStatus = HTTPStatus.OK
) -> list[tuple[str, str, str]]:
    """Return what the API server changed of resources: verb, resource and name, in order.

    By default these are changes of what was there.
    """
    return [
        (event["verb"], event["objectRef"]["resource"], event["objectRef"].get("name", ""))
        for event in logged(audit_log)
        if event.get("objectRef", {}).get("resource") in resources
        and event.get("responseStatus", {}).get("code") == status
    ]


def _operation(client: ApiClient, name: str) -> Document:
    """Return the state of an Application's last sync; Argo CD unsets it as it starts another."""
    found = client.wait_for(application(name), lambda each: "operationState" in each["status"])
    operation: Document = found["status"]["operationState"]
    return operation


def _is_settled(state: ApplicationState | None, path: str) -> bool:
    return state is not None and state.path == path and state.is_settled


def _is_refreshed(document: Document) -> bool:
    return _REFRESH not in document["metadata"].get("annotations", {})


def _state(document: Document) -> ApplicationState:
    status = document.get("status", {})
    sync, operation = status.get("sync", {}), status.get("operationState", {})
    conditions = [each["message"] for each in status.get("conditions", [])]
    return ApplicationState(
        wave=int(document["metadata"].get("annotations", {}).get(SYNC_WAVE, 0)),
        path=sync.get("comparedTo", {}).get("source", {}).get("path", ""),
        sync=sync.get("status", ""),
        health=status.get("health", {}).get("status", ""),
        phase=operation.get("phase", ""),
        started=operation.get("startedAt", ""),
        message="; ".join([operation.get("message", ""), *conditions]),
        culprits=tuple(_culprits(status.get("resources", []))),
    )


def _culprits(resources: Collection[Document]) -> Iterator[str]:
    for each in resources:
        health = each.get("health", {})
        marks = (each.get("status", "Synced"), health.get("status", "Healthy"))
        if marks != ("Synced", "Healthy"):
            told = " ".join([*marks, health.get("message", "")]).strip()
            yield f"{each['kind']} {each.get('namespace', '')}/{each['name']}: {told}"
