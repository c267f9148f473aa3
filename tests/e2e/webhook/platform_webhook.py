"""The webhook as `gpuplane serve` serves it, its files mounted as the kubelet mounts them."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

import trustme
import urllib3
from prometheus_client.parser import text_string_to_metric_families

from charts_py.components.webhook.server import ADMIT_PATH, MUTATE_PATH
from charts_py.objects.manifest_yaml import from_yaml
from tests.binaries.machine import GPUPLANE
from tests.e2e.control_plane.files import write_certificate
from tests.e2e.processes.component import ComponentProcess, answers, component
from tests.e2e.processes.logs import logged

_SETTINGS = "webhook/ConfigMap.gpuplane-webhook-settings.yaml"
_CERTIFICATE = "tls.crt"
_KEY = "tls.key"
_DATA = "..data"
_ANSWER_SECONDS = 60


@dataclass(frozen=True, slots=True)
class WebhookFiles:
    """The folder of a webhook, and who vouches for its certificates."""

    folder: Path
    issuer: trustme.CA = field(repr=False)

    @property
    def authority(self) -> Path:
        """PEM of who vouches for the webhook."""
        return self.folder / "authority.crt"

    @property
    def settings(self) -> Path:
        """What the rules know of the cluster."""
        return self.folder / "settings.json"

    @property
    def certificate(self) -> Path:
        """PEM of the certificate in force."""
        return self._mounted / _CERTIFICATE

    @property
    def key(self) -> Path:
        """PEM of its key."""
        return self._mounted / _KEY

    def renew_certificate(self) -> None:
        """Issue a new certificate, and swap it in together with its key.

        As the kubelet does, through one symbolic link beside the files
        (https://kubernetes.io/docs/concepts/configuration/secret/#using-secrets-as-files-from-a-pod).
        """
        issued = self.issuer.issue_cert("127.0.0.1")
        versions = (self._mounted / f"..{number}" for number in count())
        version = next(each for each in versions if not each.exists())
        version.mkdir(parents=True)
        write_certificate(issued, version / _CERTIFICATE, version / _KEY)
        link = self._mounted / "..new"
        link.symlink_to(version.name)
        link.replace(self._mounted / _DATA)

    @property
    def _mounted(self) -> Path:
        return self.folder / "certificate"


def write_webhook_files(release: Path, folder: Path) -> WebhookFiles:
    """Write the settings of a release, as `dist/training/1.0.0`, and a certificate."""
    files = WebhookFiles(folder, trustme.CA())
    (config_map,) = from_yaml((release / _SETTINGS).read_text())
    files.settings.write_text(config_map["data"]["settings.json"])
    files.issuer.cert_pem.write_to_path(files.authority)
    files.renew_certificate()
    for file in (files.certificate, files.key):
        file.symlink_to(Path(_DATA) / file.name)
    return files


@dataclass(frozen=True, slots=True)
class PlatformWebhook:
    port: int
    files: WebhookFiles
    process: ComponentProcess
    operations: str | None = None
    """Where it answers probes without TLS; None where it does so at its address."""

    @property
    def address(self) -> str:
        return address_of(self.port)

    def fixes(self) -> int:
        """Return how many pods it has been asked to fix."""
        return self.reviews(MUTATE_PATH) + self.reviews(ADMIT_PATH)

    def reviews(self, path: str) -> int:
        """Return how many reviews it has answered on a path, as `/mutate`."""
        return int(
            sum(
                sample.value
                for family in text_string_to_metric_families(self.get("/metrics").data.decode())
                for sample in family.samples
                if sample.name == "gpuplane_webhook_requests_total"
                and sample.labels["path"] == path
            )
        )

    def get(self, path: str) -> urllib3.BaseHTTPResponse:
        """Return what it answers on a path, over a new connection."""
        trusted = str(self.files.authority)
        with urllib3.PoolManager(retries=False, timeout=_ANSWER_SECONDS, ca_certs=trusted) as pool:
            return pool.request("GET", f"{self.operations or self.address}{path}")


def address_of(port: int) -> str:
    return f"https://127.0.0.1:{port}"


@contextmanager
def serving(
    files: WebhookFiles, logs: Path, port: int = 0, *options: str | Path
) -> Iterator[PlatformWebhook]:
    """Serve the webhook until the context ends; port 0 is any that is free.

    With options that ask clients for a certificate, one must name a port of operations.
    """
    command: list[str | Path] = [
        GPUPLANE,
        "serve",
        "--host=127.0.0.1",
        f"--port={port}",
        "--drain-seconds=0",
        f"--settings={files.settings}",
        f"--certificate={files.certificate}",
        f"--key={files.key}",
        *options,
    ]
    with component("gpuplane-serve", command, logs) as process:
        listening = 2 if "--operations-port" in options else 1
        process.wait_until("listening", lambda: len(_ports(process.log)) == listening)
        reviews, *operations = _ports(process.log)
        plain = [f"http://127.0.0.1:{each}" for each in operations]
        webhook = PlatformWebhook(reviews, files, process, *plain)
        probed = webhook.operations or webhook.address
        process.wait_until("ready", lambda: answers(f"{probed}/readyz", files.authority))
        yield webhook


def _ports(log: Path) -> list[int]:
    """Return the ports that a log tells so far: that of reviews, then that of operations."""
    return [int(each["port"]) for each in logged(log) if each.get("event") == "listening"]
