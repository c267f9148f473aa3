"""The webhook in the path of the API server, for as long as a test needs it there."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from pathlib import Path
from typing import Protocol
from urllib.parse import urlsplit

from charts_py.objects.document import Document
from charts_py.objects.manifest_yaml import from_yaml
from tests.e2e.control_plane.api_client import ApiClient
from tests.e2e.polling import polls
from tests.e2e.webhook.files import WebhookFiles, write_webhook_files
from tests.e2e.webhook.platform_webhook import PlatformWebhook, serving

DENIED = 'admission webhook "validate.pods.gpuplane.io" denied the request: '
"""What the API server says before the reason."""
MAX_TIMEOUT_SECONDS = 30
"""For tests of load, in which a busy machine must not let a pod pass unseen. No configuration may
state a longer one:
https://kubernetes.io/docs/reference/access-authn-authz/extensible-admission-controllers/#timeouts
"""
_CONFIGURATIONS = "webhook-configuration/*.yaml"
_CALLED_SECONDS = 60
_PROBE: Document = {
    "apiVersion": "v1",
    "kind": "Pod",
    "metadata": {"name": "probe", "namespace": "default"},
    "spec": {
        "containers": [
            {
                "name": "probe",
                "image": "registry.example.com/probe:1.0.0",
                # The rules look at whoever sets it, and have nothing against this value.
                "env": [{"name": "NVIDIA_VISIBLE_DEVICES", "value": "void"}],
            }
        ]
    },
}


class ServeWebhook(Protocol):
    """Puts the webhook of a release, as `dist/training/1.0.0`, into the path."""

    def __call__(
        self, release: Path, timeout_seconds: int | None = None
    ) -> AbstractContextManager[PlatformWebhook]:
        """Return the context for which it is there; the timeout is as in `registered`."""


@contextmanager
def running_webhook(
    client: ApiClient,
    release: Path,
    folder: Path,
    logs: Path,
    timeout_seconds: int | None = None,
) -> Iterator[PlatformWebhook]:
    """Serve the webhook of a release, as `dist/training/1.0.0`, and register it.

    Settings and configurations are those of the release; only the address, who vouches for it and,
    where one is given, the timeout differ. Yields once the API server calls both; in the end they
    are removed and it is stopped.
    """
    files = write_webhook_files(release, folder)
    with (
        serving(files, logs) as webhook,
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


def wait_until_called(
    client: ApiClient, webhook: PlatformWebhook, configurations: list[Document]
) -> None:
    """Try to create a pod until the API server, which reads of webhooks late, asks all."""
    paths = [
        urlsplit(each["clientConfig"]["url"]).path
        for configuration in configurations
        for each in configuration["webhooks"]
    ]
    for _ in polls(_CALLED_SECONDS):
        client.create(_PROBE, dryRun="All")
        if all(webhook.reviews(path) for path in paths):
            return
    raise TimeoutError(f"{paths} of {webhook.address} not called within {_CALLED_SECONDS} s")


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
