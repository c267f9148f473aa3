"""A worker of the webhook, by how many namespaces its settings name."""

import json
from collections.abc import Iterator, Sequence
from itertools import cycle, islice
from pathlib import Path

import psutil
import urllib3
from msgspec.structs import replace

from benchmarks.peaks import Peak, Size, peak_of
from benchmarks.reviewed import review
from charts_py.cluster_file.cluster_files import find_cluster_files
from charts_py.components.webhook.server import ADMIT_PATH
from charts_py.load import load_platforms
from charts_py.platform.policy_settings import policy_settings
from policies.settings import Settings
from policies.settings_json import write_settings
from tests.e2e.folders import CLUSTERS, DIST
from tests.e2e.polling import once_seen
from tests.e2e.webhook.platform_webhook import PlatformWebhook, serving, write_webhook_files

_EXAMPLE = "training"
_RELOADS = 5


def webhook_peaks(counts: Sequence[int], folder: Path, logs: Path) -> Iterator[Peak]:
    """Yield what it takes after reviews of pods in each namespace, and new settings meanwhile."""
    (platform,) = (e for e in load_platforms(find_cluster_files(CLUSTERS)) if e.name == _EXAMPLE)
    files = write_webhook_files(DIST / platform.name / platform.cluster.version, folder)
    for count in counts:
        settings = _with_namespaces(policy_settings(platform), count)
        files.settings.write_text(write_settings(settings))
        with serving(files, logs) as webhook:
            for number in range(_RELOADS):
                _review(webhook, settings)
                _reload(webhook, replace(settings, cluster=f"cluster-{number}"))
            server = psutil.Process(webhook.process.process.pid)
            processes = [server, *server.children(recursive=True)]
            yield peak_of("webhook", Size(namespaces=count), processes)


def _with_namespaces(settings: Settings, count: int) -> Settings:
    """Return settings with so many namespaces, like those that there are."""
    known = islice(cycle(settings.namespaces.values()), count)
    return replace(settings, namespaces={f"team-{n}": each for n, each in enumerate(known)})


def _review(webhook: PlatformWebhook, settings: Settings) -> None:
    """Ask for a pod in each namespace."""
    asked = json.loads(review())
    with urllib3.PoolManager(retries=False, ca_certs=str(webhook.files.authority)) as pool:
        for name in settings.namespaces:
            asked["request"]["namespace"] = name
            answer = pool.request("POST", webhook.address + ADMIT_PATH, json=asked)
            assert answer.json()["response"]["uid"] == asked["request"]["uid"]  # noqa: S101


def _reload(webhook: PlatformWebhook, settings: Settings) -> None:
    """Write other settings, and wait until they are in force."""
    webhook.files.settings.write_text(write_settings(settings))
    once_seen(lambda: settings.cluster.encode() in webhook.get("/metrics").data)
