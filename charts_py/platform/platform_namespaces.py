"""Namespaces that no single component creates for itself, and selectors of namespaces."""

from collections.abc import Iterable, Mapping
from typing import Any

from gpus.platform_names import TEAM
from policies.settings import ALWAYS_EXEMPT, Settings

TEAM_NAMESPACES: Mapping[str, Any] = {"matchExpressions": [{"key": TEAM, "operator": "Exists"}]}
"""A selector of the namespaces of teams."""
NODE_POOLS_NAMESPACE = "node-pools"
"""Namespace of the objects that a controller creates nodes from; no pod runs there.

Cluster-wide installations of Config Connector and of Azure Service Operator watch it anyway; a
namespaced Config Connector needs a ConfigConnectorContext there
(https://cloud.google.com/config-connector/docs/how-to/install-namespaced).
"""
KUBE_SYSTEM_NAMESPACE = "kube-system"
"""The cluster's own daemons run there, and no pod security level is enforced."""
OPEN_NAMESPACE = "default"
"""Anybody may run pods there, so admission checks them; but no team can own it."""
KUBERNETES_NAMESPACES = ALWAYS_EXEMPT | {OPEN_NAMESPACE}
"""Namespaces that every cluster has from the start."""
NAMESPACE_NAME_LABEL = "kubernetes.io/metadata.name"
"""Label of every namespace, which holds its name
(https://kubernetes.io/docs/reference/labels-annotations-taints/#kubernetes-io-metadata-name)."""


def judged_namespaces(settings: Settings) -> Mapping[str, Any]:
    exempt = sorted(ALWAYS_EXEMPT.union(settings.exempt_namespaces))
    expression = {"key": NAMESPACE_NAME_LABEL, "operator": "NotIn", "values": exempt}
    return {"matchExpressions": [expression]}


def only(namespaces: Iterable[str]) -> Mapping[str, Any]:
    expression = {"key": NAMESPACE_NAME_LABEL, "operator": "In", "values": list(namespaces)}
    return {"matchExpressions": [expression]}
