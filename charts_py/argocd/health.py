"""The health checks by which sync waves wait for Applications, and not for nodes that are down."""

from collections.abc import Iterable
from importlib.resources import files

from charts_py.objects.document import Document
from charts_py.platform.wave import SYNC_OPTIONS, SYNC_WAVE, Wave

CONFIG = "argocd-config"
"""The folder of a version that holds the ConfigMap where the platform does not sync it."""
APPLICATION_KEY = "resource.customizations.health.argoproj.io_Application"
"""Its key in the ConfigMap `argocd-cm`."""
DAEMON_SET_KEY = "resource.customizations.health.apps_DaemonSet"
"""Its key in the ConfigMap `argocd-cm`."""


def health_checks(argocd_namespace: str, clusters: Iterable[str]) -> Document:
    """Return two keys of the ConfigMap `argocd-cm`, applied beside the keys that others own.

    Argo CD 1.8 dropped the check of Applications, without which the wave after one does not wait
    for it: https://argo-cd.readthedocs.io/en/stable/operator-manual/health/#argocd-app

    The check here does not trust what an Application reports of an older spec: right after a new
    version is applied it is still healthy from the old one. Applications that a person syncs need
    only the first part of it. Every component prunes last: one that waits for a person to confirm
    it has synced everything else. Its message:
    https://github.com/argoproj/argo-cd/blob/v3.5.7/gitops-engine/pkg/sync/sync_context.go
    """
    metadata = {
        "name": "argocd-cm",
        "namespace": argocd_namespace,
        # Argo CD ignores a ConfigMap without it; whoever installed Argo CD owns the other labels.
        "labels": {"app.kubernetes.io/part-of": "argocd"},
        "annotations": {
            # Whoever installed Argo CD still needs the ConfigMap when the platform goes.
            SYNC_OPTIONS: "Prune=false,Delete=false",
            SYNC_WAVE: str(Wave.BEFORE_ALL.value),
        },
    }
    data = {
        APPLICATION_KEY: _script("application_health"),
        DAEMON_SET_KEY: _daemon_set_health(clusters),
    }
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata, "data": data}


def _daemon_set_health(clusters: Iterable[str]) -> str:
    """Return the check by which a broken daemon holds a sync, and a node that is down does not.

    The pod of such a node is desired and never available, so that Argo CD's own check would call
    the DaemonSet Progressing until the node is repaired: no wave after it would start, and nothing
    could be promoted or rolled back. An annotation on the DaemonSet would not do, since a sync that
    prunes waits for it all the same. Nothing that is synced later needs a daemon on every node; but
    where none of its pods is available, it is the daemon that is broken, such as by an image that
    cannot be pulled.

    What is not ours keeps Argo CD's check, which a script can only replace:
    https://github.com/argoproj/argo-cd/blob/v3.5.7/gitops-engine/pkg/health/health_daemonset.go
    DaemonSets of all Applications of the clusters are ours: their tracking annotation begins with
    the name of the Application
    (https://argo-cd.readthedocs.io/en/stable/user-guide/resource_tracking/).
    """
    ours = ", ".join(f'"{cluster}"' for cluster in clusters)
    return _script("daemon_set_health").replace("PREFIXES", ours)


def _script(name: str) -> str:
    return (files(__package__) / f"{name}.lua").read_text(encoding="utf-8")
