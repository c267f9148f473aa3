"""Karpenter with its own cloud, and KWOK, as processes beside a control plane."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from charts_py.objects.manifest_yaml import from_yaml, to_yaml
from charts_py.platform.platform import Platform
from tests.binaries.node_provisioning import NodeProvisioning
from tests.e2e.control_plane.api_client import ApiClient
from tests.e2e.control_plane.control_plane import ControlPlane
from tests.e2e.control_plane.files import ADMIN
from tests.e2e.more.karpenter.instance_types import instance_types
from tests.e2e.more.karpenter.stages import pool_stages
from tests.e2e.processes.component import ComponentProcess, answers, component, free_ports
from tests.e2e.releases.crds import install

_GATES = {
    "StaticCapacity": True,  # the three that `charts_py/providers/eks/karpenter.py` names
    "CapacityBuffer": True,
    "NodeOverlay": True,
    # Its own cloud gives reservations no IDs, for which the scheduler then draws lots:
    # pkg/controllers/provisioning/scheduling/reservationmanager.go
    "ReservedCapacity": False,
}


@contextmanager
def running_kwok(
    control_plane: ControlPlane, platform: Platform, binaries: NodeProvisioning, logs: Path
) -> Iterator[None]:
    """Play the kubelets of all nodes, and the daemons of those of a platform's pools."""
    (port,) = free_ports(1)
    folder = control_plane.files.folder
    documents = "---\n".join(to_yaml(stage) for stage in pool_stages(platform))
    (own := folder / "stages.yaml").write_text(documents, encoding="utf-8")
    command: list[str | Path] = [
        binaries.kwok,
        f"--kubeconfig={control_plane.files.kubeconfig(ADMIN)}",
        *(f"--config={stage}" for stage in (*binaries.kwok_stages, own)),
        "--manage-all-nodes=true",
        f"--server-address=127.0.0.1:{port}",
    ]
    with component("kwok", command, logs) as running:
        running.wait_until("healthy", lambda: answers(f"http://127.0.0.1:{port}/healthz"))
        yield


@contextmanager
def running_karpenter(
    control_plane: ControlPlane, platform: Platform, binaries: NodeProvisioning, logs: Path
) -> Iterator[ComponentProcess]:
    """Install Karpenter in a control plane, and run it with a platform's instance types."""
    _install_definitions(control_plane.admin, binaries)
    metrics_port, probe_port = free_ports(2)
    types = control_plane.files.folder / "instance-types.json"
    types.write_text(json.dumps(instance_types(platform)), encoding="utf-8")
    environment = {
        "KUBECONFIG": str(control_plane.files.kubeconfig(ADMIN)),
        "INSTANCE_TYPES_FILE_PATH": str(types),
        "FEATURE_GATES": ",".join(f"{gate}={str(on).lower()}" for gate, on in _GATES.items()),
        # Otherwise each replica of a service, which prefers a node of its own, would keep one.
        "PREFERENCE_POLICY": "Ignore",
        "DISABLE_LEADER_ELECTION": "true",
        "METRICS_PORT": str(metrics_port),
        "HEALTH_PROBE_PORT": str(probe_port),
        "SYSTEM_NAMESPACE": "kube-system",
        "KARPENTER_SERVICE": "karpenter",
        "KUBERNETES_MIN_VERSION": "1.19.0-0",
    }
    with component("karpenter", [binaries.karpenter], logs, environment) as running:
        running.wait_until("ready", lambda: answers(f"http://127.0.0.1:{probe_port}/readyz"))
        yield running


def _install_definitions(client: ApiClient, binaries: NodeProvisioning) -> None:
    documents = (each for file in binaries.karpenter_crds for each in from_yaml(file.read_text()))
    install(client, list(documents))
