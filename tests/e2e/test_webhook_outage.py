"""A webhook that is gone, or hangs, stops no pod; once it is back, pods are fixed again."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from charts_py.document import Document
from charts_py.platform.platform import Platform
from policies.platform_names import FIXED
from tests.e2e.api_client import ApiClient
from tests.e2e.api_connection import ApiError
from tests.e2e.component_process import ComponentProcess, free_ports
from tests.e2e.conftest import REPOSITORY
from tests.e2e.control_plane import ControlPlane
from tests.e2e.evidence import Evidence
from tests.e2e.gpu_nodes import nodes_of
from tests.e2e.joined_nodes import joined
from tests.e2e.placements import placements
from tests.e2e.plain_pods import plain_pod, requesting_pod
from tests.e2e.platform_webhook import address_of, registered, serving, wait_until_called
from tests.e2e.release_objects import applied, namespace
from tests.e2e.webhook_files import write_webhook_files

NAMESPACE = "outage"
FIXES = "tolerations,shared-memory"
DEADLINE_SECONDS = 15
"""Of a request; the two webhooks of the configuration may take 2 s each."""
FAILED_OPEN = "failed-open.mutation.webhook.admission.k8s.io/round_0_index_0"
"""https://kubernetes.io/docs/reference/labels-annotations-taints/audit-annotations/"""


@pytest.fixture(autouse=True)
def _node_and_namespace(admin: ApiClient, platforms: dict[str, Platform]) -> Iterator[None]:
    with (
        joined(admin, *nodes_of(platforms["training"], "h100", 1)),
        applied(admin, [namespace(NAMESPACE)]),
    ):
        yield


@pytest.fixture
def release(platforms: dict[str, Platform]) -> Path:
    return REPOSITORY / "dist" / "training" / platforms["training"].live


def fixes(pod: Document) -> str | None:
    """Return what the webhook says that it fixed."""
    named: str | None = pod["metadata"].get("annotations", {}).get(FIXED)
    return named


@contextmanager
def hanging(process: ComponentProcess) -> Iterator[None]:
    """Let a process take connections, as the kernel does for it, and answer nothing."""
    os.killpg(process.process.pid, signal.SIGSTOP)
    try:
        yield
    finally:
        os.killpg(process.process.pid, signal.SIGCONT)


def failed_open(audit_log: Path, pod: Document) -> str:
    """Return which webhook the API server did without when a pod was created."""
    (event,) = (
        event
        for event in map(json.loads, audit_log.read_text().splitlines())
        if event["verb"] == "create"
        and event["responseStatus"].get("code") == 201
        and event.get("objectRef", {}).get("namespace") == NAMESPACE
        and event["objectRef"].get("name") == pod["metadata"]["name"]
    )
    return str(event["annotations"][FAILED_OPEN])


def test_without_the_webhook_plain_pods_are_refused_or_wait(
    admin: ApiClient, evidence: Evidence
) -> None:
    with pytest.raises(ApiError) as refused:
        admin.create(requesting_pod("requesting", NAMESPACE))
    admin.create(plain_pod("plain", NAMESPACE))
    (waiting,) = placements(admin, NAMESPACE, 1)
    assert refused.value.message == (
        'Pod "requesting" is invalid: spec.containers[0].resources.limits: Required value: '
        "Limit must be set for non overcommitable resources"
    )
    assert waiting.node is None
    assert "1 node(s) had untolerated taint(s)" in waiting.reason
    evidence.show(
        "Without the webhook, the same pods are refused or stay Pending.",
        f"requests only: `{refused.value.message.rpartition(': ')[2]}`; "
        "limits without a toleration: Pending beside an idle node of 8 H100",
    )


def test_with_the_webhook_stopped_pods_are_admitted_and_with_it_back_they_are_fixed(
    admin: ApiClient,
    control_plane: ControlPlane,
    release: Path,
    component_logs: Path,
    tmp_path: Path,
    evidence: Evidence,
) -> None:
    files = write_webhook_files(release, tmp_path)
    (port,) = free_ports(1)
    before, stopped, after = (plain_pod(name, NAMESPACE) for name in ("before", "gone", "after"))
    with registered(admin, release, address_of(port), files) as configurations:
        with serving(files, component_logs, port) as webhook:
            wait_until_called(admin, webhook, configurations)
            fixed_before = fixes(admin.create(before).document)
        fixed_while_stopped = fixes(admin.create(stopped, timeout=f"{DEADLINE_SECONDS}s").document)
        with serving(files, component_logs, port):
            fixed_after = fixes(admin.create(after).document)
    assert (fixed_before, fixed_while_stopped, fixed_after) == (FIXES, None, FIXES)
    assert failed_open(control_plane.audit_log, stopped) == "mutate.pods.gpuplane.io"
    evidence.show(
        "With the webhook stopped, pods are still admitted; with it restarted, fixes resume.",
        "3 of 3 pods admitted: fixed, as it was sent, fixed",
    )


def test_a_webhook_that_hangs_is_left_aside_within_its_timeout(
    admin: ApiClient,
    control_plane: ControlPlane,
    release: Path,
    component_logs: Path,
    tmp_path: Path,
    evidence: Evidence,
) -> None:
    files = write_webhook_files(release, tmp_path)
    during, after = (plain_pod(name, NAMESPACE) for name in ("during", "after"))
    with (
        serving(files, component_logs) as webhook,
        registered(admin, release, webhook.address, files) as configurations,
    ):
        wait_until_called(admin, webhook, configurations)
        with hanging(webhook.process):
            fixed_while_hanging = fixes(
                admin.create(during, timeout=f"{DEADLINE_SECONDS}s").document
            )
        fixed_after = fixes(admin.create(after).document)
    timeouts = [
        each["timeoutSeconds"]
        for configuration in configurations
        for each in configuration["webhooks"]
    ]
    assert (fixed_while_hanging, fixed_after) == (None, FIXES)
    assert failed_open(control_plane.audit_log, during) == "mutate.pods.gpuplane.io"
    assert timeouts == [2, 2]
    evidence.show(
        "With a webhook that takes connections and never answers, pods are still admitted.",
        f"within a deadline of {DEADLINE_SECONDS} s for the request; each of 2 calls may take 2 s",
    )
