"""A control plane with the webhook of a release in the path of one namespace and not of another."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from benchmarks.apiserver_load import Creates
from gpus.platform_names import FIXED
from tests.e2e.control_plane.control_plane import running_control_plane
from tests.e2e.control_plane.files import ADMIN
from tests.e2e.control_plane.namespaces import make_namespace
from tests.e2e.releases.objects import read_release
from tests.e2e.webhook.registration import running_webhook

if TYPE_CHECKING:
    from collections.abc import Iterator

    from policies.document import Document
    from tests.binaries.control_plane import ControlPlaneBinaries
    from tests.e2e.control_plane.api_client import ApiClient
    from tests.e2e.control_plane.control_plane import ControlPlane

RELEASE = Path(__file__).parents[1] / "dist" / "training" / "1.0.0"
TEAM = "team-research"
REVIEWED = "research-training"
"""A team's namespace, for which the rules have settings."""
LEFT_OUT = "monitoring"
"""One of those that the webhook configuration leaves out."""
FIXES = "tolerations,priority-class,team-labels,shared-memory"
"""What the pod needs."""


@dataclass(frozen=True, slots=True)
class MeasuredCluster:
    """What to create in it."""

    without: Creates
    reviewed: Creates


@contextmanager
def running_cluster(
    binaries: ControlPlaneBinaries,
    folder: Path,
    logs: Path,
    timeout_seconds: int | None = None,
) -> Iterator[MeasuredCluster]:
    """Run it; exits where the pod does not need what is measured.

    The webhook has the timeout of its release, unless another is given.
    """
    files, webhook = folder / "control-plane", folder / "webhook"
    for place in (files, webhook):
        place.mkdir()
    with running_control_plane(binaries, files, logs) as control_plane:
        admin = control_plane.admin
        _prepare(admin)
        with running_webhook(admin, RELEASE, webhook, logs, timeout_seconds):
            for namespace, fixes in ((LEFT_OUT, ""), (REVIEWED, FIXES)):
                _must_be_fixed(admin, namespace, fixes)
            without, reviewed = (_creates(control_plane, each) for each in (LEFT_OUT, REVIEWED))
            yield MeasuredCluster(without, reviewed)


def _prepare(admin: ApiClient) -> None:
    """Create the namespaces, which differ only in their names, and the priority classes."""
    (labels,) = (
        each["metadata"]["labels"]
        for each in read_release(RELEASE, TEAM)
        if (each["kind"], each["metadata"]["name"]) == ("Namespace", REVIEWED)
    )
    for name in (REVIEWED, LEFT_OUT):
        make_namespace(admin, name, labels)
    for each in read_release(RELEASE, "priority-classes"):
        admin.apply(each)


def _must_be_fixed(admin: ApiClient, namespace: str, fixes: str) -> None:
    answered = admin.create(_pod(namespace), dryRun="All").document
    found = answered["metadata"].get("annotations", {}).get(FIXED, "")
    if found != fixes:
        raise SystemExit(f"the pod in {namespace} is fixed by {found!r}, not by {fixes!r}")


def _creates(control_plane: ControlPlane, namespace: str) -> Creates:
    port = urlsplit(control_plane.server).port
    assert port is not None  # noqa: S101 # the control plane chose one
    files = control_plane.files
    return Creates(port, files.authority, files.tokens[ADMIN], _pod(namespace), FIXED.encode())


def _pod(namespace: str) -> Document:
    """Return a training pod that meets the restricted pod security of a team's namespace."""
    container = {
        "name": "train",
        "image": "registry.example.com/research/train:1.2.3",
        "command": ["torchrun", "--nproc-per-node=8", "train.py"],
        "env": [{"name": f"OPTION_{number}", "value": f"value-{number}"} for number in range(8)],
        "resources": {"limits": {"cpu": "64", "memory": "512Gi", "nvidia.com/gpu": "8"}},
        "securityContext": {
            "allowPrivilegeEscalation": False,
            "capabilities": {"drop": ["ALL"]},
            "runAsNonRoot": True,
            "seccompProfile": {"type": "RuntimeDefault"},
        },
    }
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"generateName": "train-", "namespace": namespace},
        "spec": {"restartPolicy": "Never", "containers": [container]},
    }
