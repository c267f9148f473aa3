"""The webhook as `gpuplane serve` serves it."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import urllib3
from prometheus_client.parser import text_string_to_metric_families

from charts_py.components.webhook.server import ADMIT_PATH, MUTATE_PATH
from tests.binaries.machine import GPUPLANE
from tests.e2e.processes.component import ComponentProcess, component
from tests.e2e.processes.json_log import logged
from tests.e2e.processes.probe import answers
from tests.e2e.webhook.files import WebhookFiles

_ANSWER_SECONDS = 60


@dataclass(frozen=True, slots=True)
class PlatformWebhook:
    """A webhook that is being served."""

    port: int
    files: WebhookFiles
    process: ComponentProcess
    operations: str | None = None
    """Where it answers probes without TLS; None where it does so at its address."""

    @property
    def address(self) -> str:
        """Where it answers."""
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
    """Return where a webhook on a port answers."""
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
        "--host",
        "127.0.0.1",
        "--port",
        str(port),
        "--drain-seconds",
        "0",
        "--settings",
        files.settings,
        "--certificate",
        files.certificate,
        "--key",
        files.key,
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
