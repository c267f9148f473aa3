"""Placeholders for values that could not be read.

With them, a missing version does not hide a MIG layout that does not fit. No fault is reported on
a placeholder.
"""

import copy
from collections.abc import Mapping
from typing import Any

from charts_py.cluster_file.fault import FieldPath

ANY = "*"
"""Matches every name and index."""

_NODES: Mapping[str, Any] = {"max": 1}
_POOL: Mapping[str, Any] = {"purpose": "training", "nodes": _NODES}
_QUOTA: Mapping[str, Any] = {"gpus": {"unknown": 0}, "cpu": 1, "memory": "1Gi", "storage": "1Gi"}
_NAMESPACE: Mapping[str, Any] = {"purpose": "training", "quota": _QUOTA}
_GITOPS: Mapping[str, Any] = {"repository": "https://unknown"}
_TEAM: Mapping[str, Any] = {
    "owner": "unknown@unknown",
    "costCenter": "unknown",
    "members": {},
    "priorities": ["unknown"],
    "namespaces": {"unknown": _NAMESPACE},
}
_EXCEPTION: Mapping[str, Any] = {
    "rule": "gpu-count",
    "namespace": "unknown",
    "reason": "not known",
    "owner": "unknown@unknown",
    "expires": "2000-01-01",
}

PLACEHOLDERS: Mapping[FieldPath, Any] = {
    ("provider",): "onprem",
    ("region",): "unknown",
    ("kubernetes",): "1.36",
    ("version",): "0.0.0",
    ("gitops",): _GITOPS,
    **{("gitops", name): value for name, value in _GITOPS.items()},
    ("pools",): {"unknown": _POOL},
    **{("pools", ANY, name): value for name, value in _POOL.items()},
    **{("pools", ANY, "nodes", name): value for name, value in _NODES.items()},
    ("pools", ANY, "zones", ANY): "unknown",
    **{("teams", ANY, name): value for name, value in _TEAM.items()},
    ("teams", ANY, "priorities", ANY): "unknown",
    **{("teams", ANY, "namespaces", ANY, name): value for name, value in _NAMESPACE.items()},
    **{("teams", ANY, "namespaces", ANY, "quota", name): value for name, value in _QUOTA.items()},
    ("policies", "exceptions", ANY): _EXCEPTION,
    **{("policies", "exceptions", ANY, name): value for name, value in _EXCEPTION.items()},
}
"""By path."""


def placeholder_at(path: FieldPath) -> Any:
    """Return the placeholder for a path; None where a value may be absent."""
    for pattern, value in PLACEHOLDERS.items():
        if len(pattern) == len(path) and all(
            expected in (ANY, step) for expected, step in zip(pattern, path, strict=True)
        ):
            return copy.deepcopy(value)
    return None
