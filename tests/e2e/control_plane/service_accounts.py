"""Programs that reach the API server as their service account does in a pod."""

from pathlib import Path

from tests.e2e.control_plane.control_plane import ControlPlane


def account_kubeconfig(control_plane: ControlPlane, namespace: str, name: str) -> Path:
    """Write how a service account reaches the API server."""
    client = control_plane.admin
    path = f"{client.path('v1', 'ServiceAccount', namespace)}/{name}/token"
    asked = {"apiVersion": "authentication.k8s.io/v1", "kind": "TokenRequest", "spec": {}}
    token = client.request("POST", path, asked).document["status"]["token"]
    return control_plane.files.write_kubeconfig(name, token)
