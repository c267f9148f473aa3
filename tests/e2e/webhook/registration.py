"""A platform's webhook and policies in the path of the API server, while a test needs them."""

import base64
from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from http import HTTPStatus
from pathlib import Path
from typing import Protocol
from urllib.parse import urlsplit

from charts_py.objects.document import Document
from charts_py.objects.manifest_yaml import from_yaml
from tests.e2e.control_plane.api_client import ApiClient, ApiError, refusal
from tests.e2e.manifest import manifest
from tests.e2e.polling import once_seen
from tests.e2e.processes.logs import logged
from tests.e2e.releases.objects import applied, read_release
from tests.e2e.webhook.platform_webhook import (
    PlatformWebhook,
    WebhookFiles,
    serving,
    write_webhook_files,
)

DENIED = (
    "ValidatingAdmissionPolicy 'pods-denied.gpuplane.io' with binding 'pods-denied.gpuplane.io' "
    "denied request: "
)
"""What the API server says before the reason where it judges pods by itself."""
DENIED_BY_WEBHOOK = 'admission webhook "validate.pods.gpuplane.io" denied the request: '
"""What it says where the webhook judges them."""
MAX_TIMEOUT_SECONDS = 30
"""For tests of load, in which a busy machine must not let a pod pass unseen. No configuration may
state a longer one:
https://kubernetes.io/docs/reference/access-authn-authz/extensible-admission-controllers/#timeouts
"""
_CONFIGURATIONS = "webhook-configuration/*.yaml"
_LATE_SECONDS = 60
_POLICIES = ("pods-denied.gpuplane.io", "pods-warned.gpuplane.io", "pods-audited.gpuplane.io")
"""The last tells nobody but the audit log."""
_FAILED_OPEN = "failed-open.mutation.webhook.admission.k8s.io/round_0_index_0"
"""https://kubernetes.io/docs/reference/labels-annotations-taints/audit-annotations/"""


def asking(resource: str, count: int = 1, namespace: str = "default") -> Document:
    """Return a pod that limits one resource, and has no limit of memory."""
    container = {"name": "probe", "image": "registry.example.com/probe:1.0.0"}
    limits = {"limits": {resource: str(count)}}
    spec = {"containers": [{**container, "resources": limits}]}
    return manifest("v1 Pod", "probe", namespace, spec=spec)


_PROBE = asking("nvidia.com/gpu", 0)
"""Whoever names a GPU is shown to the webhook, which has nothing against none."""
_WRONG = asking("nvidia.com/gpu.nobodys")
"""Denied wherever pods are judged, since nobody offers it, and warned of."""


class ServeWebhook(Protocol):
    """Puts the webhook of a release, as `dist/training/1.0.0`, into the path."""

    def __call__(
        self, release: Path, timeout_seconds: int | None = None
    ) -> AbstractContextManager[PlatformWebhook]:
        """Return the context for which it is there; the timeout is as in `registered`."""


def reason_of(error: ApiError) -> str:
    """Return why a policy or the webhook denies a pod, or all that is said where neither does."""
    found = (error.message.partition(each)[2] for each in (DENIED, DENIED_BY_WEBHOOK))
    return next(filter(None, found), error.message)


def denial(client: ApiClient, pod: Document) -> str | None:
    """Return why a pod cannot be created, as `reason_of` has it; None where it can be."""
    error = refusal(client.create, pod, dryRun="All")
    return reason_of(error) if error else None


def failed_open(audit_log: Path, pod: Document) -> str | None:
    """Return which webhook the API server did without when a pod was created, if any.

    It answers first, and writes its log then.
    """
    place = {key: pod["metadata"].get(key) for key in ("namespace", "name")}
    for event in logged(audit_log):
        meant = event.get("objectRef", {})
        code = event.get("responseStatus", {}).get("code")
        created = (event["verb"], code) == ("create", HTTPStatus.CREATED)
        if created and {key: meant.get(key) for key in place} == place:
            found: str | None = event.get("annotations", {}).get(_FAILED_OPEN)
            return found
    return None


@contextmanager
def running_webhook(
    client: ApiClient, release: Path, folder: Path, logs: Path, timeout_seconds: int | None = None
) -> Iterator[PlatformWebhook]:
    """Serve the webhook of a release, as `dist/training/1.0.0`, and register it.

    Settings and configurations are those of the release; only the address, who vouches for it and,
    where one is given, the timeout differ. So are the policies by which the API server judges pods.
    Yields once the API server knows them and calls the webhook; in the end they are removed and it
    is stopped.
    """
    files = write_webhook_files(release, folder)
    with (
        serving(files, logs) as webhook,
        judging(client, release),
        registered(client, release, webhook.address, files, timeout_seconds) as configurations,
    ):
        wait_until_called(client, webhook, configurations)
        yield webhook


@contextmanager
def registered(
    client: ApiClient,
    release: Path,
    address: str,
    files: WebhookFiles,
    timeout_seconds: int | None = None,
) -> Iterator[list[Document]]:
    """Register the configurations of a release for a webhook at an address; remove them after.

    A pod passes unseen where the webhook takes longer than the timeout; None: as the release says.
    """
    change = {} if timeout_seconds is None else {"timeoutSeconds": timeout_seconds}
    configurations = list(_configurations(release, address, files.authority, change))
    with ExitStack() as stack:
        for configuration in configurations:
            stack.callback(client.delete, configuration)
            client.apply(configuration)
        yield configurations


@contextmanager
def judging(client: ApiClient, release: Path) -> Iterator[None]:
    """Let the API server judge pods by the policies of a release, if it has any; remove them after.

    It reads of policies late, so this waits until it judges by them, and by no others.
    """
    objects = [
        each
        for each in read_release(release, "admission-policies")
        if each["metadata"]["name"].startswith("pods-")
    ]
    names = {each["metadata"]["name"] for each in objects}
    with applied(client, objects):
        _wait_until_judged(client, names.intersection(_POLICIES[:2]))
        yield


def _wait_until_judged(client: ApiClient, names: set[str]) -> None:
    """Try a wrong pod until these policies, and no others, deny it or warn of it."""
    what = f"judged by {names}"
    once_seen(lambda: _judging(client), lambda found: found == names, what, _LATE_SECONDS)


def _judging(client: ApiClient) -> set[str]:
    """Return the policies that deny a wrong pod, or warn of it."""
    try:
        said = list(client.create(_WRONG, dryRun="All").warnings)
    except ApiError as error:
        said = [error.message, *error.answer.warnings]
    return {name for name in _POLICIES for each in said if f"'{name}'" in each}


def wait_until_called(
    client: ApiClient, webhook: PlatformWebhook, configurations: list[Document]
) -> None:
    """Try to create a pod until the API server, which reads of webhooks late, asks all of pods."""
    paths = [
        urlsplit(each["clientConfig"]["url"]).path
        for configuration in configurations
        for each in configuration["webhooks"]
        if "pods" in each["rules"][0]["resources"]
    ]

    def reviews() -> dict[str, int]:
        client.create(_PROBE, dryRun="All")
        return {path: webhook.reviews(path) for path in paths}

    what = f"{webhook.address} is called"
    once_seen(reviews, lambda found: all(found.values()), what, _LATE_SECONDS)


def _configurations(
    release: Path, address: str, authority: Path, change: Document
) -> Iterator[Document]:
    trusted = base64.b64encode(authority.read_bytes()).decode()
    for file in sorted(release.glob(_CONFIGURATIONS)):
        (configuration,) = from_yaml(file.read_text())
        for webhook in configuration["webhooks"]:
            path = webhook["clientConfig"]["service"]["path"]
            client_config = {"url": f"{address}{path}", "caBundle": trusted}
            webhook.update(change, clientConfig=client_config)
        yield configuration
