"""The pods that KubeSpawner makes of the profiles of a hub.

https://github.com/jupyterhub/kubespawner/blob/7.1.0/kubespawner/objects.py (`make_pod`), as
files/hub/jupyterhub_config.py of the chart 4.4.0 sets it up.
"""

from collections.abc import Mapping
from typing import Any

from charts_py.objects.document import Document

_USER = "ada-example-com---b5fc85e5"
_LABELS = {
    "app": "jupyterhub",
    "app.kubernetes.io/component": "singleuser-server",
    "app.kubernetes.io/instance": "jupyterhub",
    "app.kubernetes.io/managed-by": "kubespawner",
    "app.kubernetes.io/name": "jupyterhub",
    "chart": "jupyterhub-4.4.0",
    "component": "singleuser-server",
    "helm.sh/chart": "jupyterhub-4.4.0",
    "hub.jupyter.org/network-access-hub": "true",
    "hub.jupyter.org/servername": "",
    "hub.jupyter.org/username": _USER,
    "release": "jupyterhub",
}
_ANNOTATIONS = {
    "hub.jupyter.org/jupyterhub-version": "5.5.0",
    "hub.jupyter.org/kubespawner-version": "7.1.0",
    "hub.jupyter.org/username": "ada@example.com",
}
_HOME = f"volume-{_USER}"


def spawned_pod(values: Mapping[str, Any], profile: Mapping[str, Any]) -> Document:
    """Return the pod of a user who chose a profile, by the values of the chart."""
    overrides, traits = profile["kubespawner_override"], values["hub"]["config"]["KubeSpawner"]
    single = values["singleuser"]
    labels = {**_LABELS, **single["extraLabels"], **overrides.get("extra_labels", {})}
    volumes, mounts = overrides.get("volumes", {}), overrides.get("volume_mounts", {})
    home = {"name": _HOME, "persistentVolumeClaim": {"claimName": f"claim-{_USER}"}}
    scheduler = overrides.get("scheduler_name")
    container = {
        "name": "notebook",
        "image": single["image"]["name"],
        "args": ["jupyterhub-singleuser"],
        "env": [{"name": "JUPYTERHUB_USER", "value": "ada@example.com"}],
        "ports": [{"name": "notebook-port", "containerPort": 8888}],
        "resources": _resources(overrides),
        "securityContext": {
            "runAsUser": 1000,
            "allowPrivilegeEscalation": False,
            **traits["container_security_context"],
        },
        "volumeMounts": [*mounts.values(), {"name": _HOME, "mountPath": "/home/jovyan"}],
    }
    spec = {
        "restartPolicy": "OnFailure",
        "automountServiceAccountToken": False,
        "securityContext": {"fsGroup": 100, **traits["pod_security_context"]},
        "priorityClassName": traits["priority_class_name"],
        "nodeSelector": overrides.get("node_selector", {}),
        "tolerations": overrides.get("tolerations", []),
        **({"schedulerName": scheduler} if scheduler else {}),
        "containers": [container],
        "volumes": [*volumes.values(), home],
        **overrides.get("extra_pod_config", {}),
    }
    metadata = {"name": f"jupyter-{_USER}", "labels": labels, "annotations": _ANNOTATIONS}
    return {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": spec}


def _resources(overrides: Mapping[str, Any]) -> Document:
    return {
        kind: {
            "cpu": overrides[f"cpu_{bound}"],
            "memory": _bytes(overrides[f"mem_{bound}"]),
            **overrides.get(f"extra_resource_{bound}s", {}),
        }
        for kind, bound in (("requests", "guarantee"), ("limits", "limit"))
    }


def _bytes(size: str) -> int:
    """Return what JupyterHub reads, to which M is 2**20 (`ByteSpecification`)."""
    assert size.endswith("M")
    return int(size.removesuffix("M")) * 2**20
