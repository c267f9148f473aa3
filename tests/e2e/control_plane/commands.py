"""How the components of a control plane are called."""

from pathlib import Path

from charts_py.objects.document import Document
from tests.e2e.control_plane.files import CONTROLLER_MANAGER, SCHEDULER, ControlPlaneFiles

_LONGER_THAN_ANY_SESSION = "24h"
_REQUESTS_A_SECOND = 500
"""Of a component's own client: the defaults, 20 to 50, are for a cluster that others use too."""
_DELETED_AT_ONCE = 8
"""Of the objects that one request deletes; by default the next waits for the one before."""

_AUDIT_POLICY: Document = {
    "apiVersion": "audit.k8s.io/v1",
    "kind": "Policy",
    "omitStages": ["RequestReceived"],
    "rules": [
        {"level": "None", "verbs": ["get", "list", "watch"]},
        {"level": "Request", "resources": [{"group": "", "resources": ["pods"]}]},
        {"level": "Metadata"},
    ],
}


def etcd_arguments(data: str, clients: str, peers: str) -> list[str]:
    """Return the arguments of etcd, which serves clients and peers at two addresses."""
    return [
        f"--data-dir={data}",
        f"--listen-client-urls={clients}",
        f"--advertise-client-urls={clients}",
        f"--listen-peer-urls={peers}",
        f"--initial-advertise-peer-urls={peers}",
        f"--initial-cluster=default={peers}",
        "--unsafe-no-fsync",
    ]


def api_server_arguments(
    files: ControlPlaneFiles, port: int, etcd: str, audit_log: Path
) -> list[str]:
    return [
        f"--etcd-servers={etcd}",
        *_serving(files, port),
        f"--token-auth-file={files.token_file}",
        "--authorization-mode=RBAC",
        f"--service-account-issuer={files.server}",
        f"--service-account-key-file={files.key}",
        f"--service-account-signing-key-file={files.key}",
        "--service-cluster-ip-range=10.0.0.0/16",
        "--endpoint-reconciler-type=none",
        f"--audit-policy-file={files.write('audit-policy.json', _AUDIT_POLICY)}",
        f"--audit-log-path={audit_log}",
        "--allow-privileged",  # as every cluster with a network plugin says
        f"--delete-collection-workers={_DELETED_AT_ONCE}",
    ]


def controller_manager_arguments(files: ControlPlaneFiles, port: int) -> list[str]:
    return [
        f"--kubeconfig={files.kubeconfig(CONTROLLER_MANAGER)}",
        *_serving(files, port),
        *_delegating(files.kubeconfig(CONTROLLER_MANAGER)),
        f"--root-ca-file={files.authority}",
        f"--service-account-private-key-file={files.key}",
        "--use-service-account-credentials",
        "--leader-elect=false",
        f"--kube-api-qps={_REQUESTS_A_SECOND}",
        f"--kube-api-burst={_REQUESTS_A_SECOND}",
        # Nobody renews the leases of nodes without a kubelet.
        f"--node-monitor-grace-period={_LONGER_THAN_ANY_SESSION}",
    ]


def scheduler_arguments(files: ControlPlaneFiles, port: int) -> list[str]:
    configuration: Document = {
        "apiVersion": "kubescheduler.config.k8s.io/v1",
        "kind": "KubeSchedulerConfiguration",
        "leaderElection": {"leaderElect": False},
        "clientConnection": {
            "kubeconfig": str(files.kubeconfig(SCHEDULER)),
            "qps": _REQUESTS_A_SECOND,
            "burst": _REQUESTS_A_SECOND,
        },
    }
    return [
        f"--config={files.write('scheduler.json', configuration)}",
        *_serving(files, port),
        *_delegating(files.kubeconfig(SCHEDULER)),
    ]


def _serving(files: ControlPlaneFiles, port: int) -> list[str]:
    return [
        "--bind-address=127.0.0.1",
        f"--secure-port={port}",
        f"--tls-cert-file={files.certificate}",
        f"--tls-private-key-file={files.key}",
    ]


def _delegating(kubeconfig: Path) -> list[str]:
    return [
        f"--authentication-kubeconfig={kubeconfig}",
        f"--authorization-kubeconfig={kubeconfig}",
        # Callers show no certificates here, so that there is no authority to look up.
        "--authentication-skip-lookup",
    ]
