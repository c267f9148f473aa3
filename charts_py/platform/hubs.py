"""The JupyterHubs of a cluster."""

from collections.abc import Iterator

from charts_py.cluster_file.jupyterhub import JupyterHub
from charts_py.platform.platform import Platform, TeamNamespace

HUB_PROXY = {"app.kubernetes.io/name": "jupyterhub", "app.kubernetes.io/component": "proxy"}
"""Labels of the pods that answer browsers, on this port."""
HUB_PROXY_PORT = 8000


def hubs(platform: Platform) -> Iterator[tuple[TeamNamespace, JupyterHub]]:
    for namespace in platform.namespaces:
        if namespace.spec.jupyter_hub is not None:
            yield namespace, namespace.spec.jupyter_hub


def hub_listener(namespace: str) -> str:
    """Return the name of its listener of the Gateway; no team has a name with a dot."""
    return f"{namespace}.hub"
