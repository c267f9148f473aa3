"""A webhook that is gone, or hangs, stops no pod; once it is back, pods are fixed again."""

import os
import signal
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from charts_py.platform.platform import Platform
from tests.e2e.control_plane.api_client import ApiClient, ApiError
from tests.e2e.control_plane.control_plane import ControlPlane
from tests.e2e.evidence.evidence import Evidence
from tests.e2e.polling import once_seen
from tests.e2e.processes.component import ComponentProcess
from tests.e2e.releases.objects import applied, namespace, read_release
from tests.e2e.scheduling.gpu_pods import plain_pod, requesting_pod
from tests.e2e.scheduling.nodes import joined, nodes_of
from tests.e2e.scheduling.placements import placements
from tests.e2e.webhook.platform_webhook import address_of, serving, write_webhook_files
from tests.e2e.webhook.policy_problems import fixed_of
from tests.e2e.webhook.registration import (
    failed_open,
    registered,
    running_webhook,
    wait_until_called,
)

NAMESPACE = "outage"
FIXES = "tolerations,shared-memory"
DEADLINE_SECONDS = 15
"""Of a request; the webhook of the configuration may take 2 s."""
DEADLINE = f"{DEADLINE_SECONDS}s"


@pytest.fixture(autouse=True)
def _node_and_namespace(admin: ApiClient, platforms: dict[str, Platform]) -> Iterator[None]:
    with (
        joined(admin, *nodes_of(platforms["training"], "h100", 1)),
        applied(admin, [namespace(NAMESPACE)]),
    ):
        yield


@contextmanager
def held_port() -> Iterator[int]:
    """A port that only who asks for it by number can listen on, whether or not one does now."""
    with socket.socket() as holder:
        holder.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        holder.bind(("127.0.0.1", 0))
        yield int(holder.getsockname()[1])


@contextmanager
def hanging(process: ComponentProcess) -> Iterator[None]:
    """Let a process take connections, as the kernel does for it, and answer nothing."""
    os.killpg(process.process.pid, signal.SIGSTOP)
    try:
        yield
    finally:
        os.killpg(process.process.pid, signal.SIGCONT)


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
    assert "1 node(s) had untolerated taint" in waiting.reason
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
    before, stopped, after = (plain_pod(name, NAMESPACE) for name in ("before", "gone", "after"))
    with held_port() as port, registered(admin, release, address_of(port), files) as configurations:
        with serving(files, component_logs, port) as webhook:
            wait_until_called(admin, webhook, configurations)
            fixed_before = fixed_of(admin.create(before).document)
        fixed_while_stopped = fixed_of(admin.create(stopped, timeout=DEADLINE).document)
        with serving(files, component_logs, port):
            fixed_after = fixed_of(admin.create(after).document)
    assert (fixed_before, fixed_while_stopped, fixed_after) == (FIXES, None, FIXES)
    left_out = once_seen(lambda: failed_open(control_plane.audit_log, stopped))
    assert left_out == "mutate.pods.gpuplane.io"
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
    during, after = (plain_pod(name, NAMESPACE) for name in ("during", "after"))
    with running_webhook(admin, release, tmp_path, component_logs) as webhook:
        with hanging(webhook.process):
            fixed_while_hanging = fixed_of(admin.create(during, timeout=DEADLINE).document)
        webhook.get("/readyz")  # so that what had piled up is done with
        fixed_after = fixed_of(admin.create(after).document)
    timeouts = [
        each["timeoutSeconds"]
        for configuration in read_release(release, "webhook-configuration")
        for each in configuration["webhooks"]
    ]
    assert (fixed_while_hanging, fixed_after) == (None, FIXES)
    left_out = once_seen(lambda: failed_open(control_plane.audit_log, during))
    assert left_out == "mutate.pods.gpuplane.io"
    assert set(timeouts) == {2}
    evidence.show(
        "With a webhook that takes connections and never answers, pods are still admitted.",
        f"within a deadline of {DEADLINE_SECONDS} s for the request; the call may take 2 s",
    )
