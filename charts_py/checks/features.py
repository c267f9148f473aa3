"""Features that the cluster's Kubernetes does not have yet."""

from collections.abc import Iterator

from charts_py.platform.draft import Draft
from charts_py.spec.fault import FieldPath, Problem
from charts_py.spec.kubernetes_version import Feature, has, since


def check_features(draft: Draft) -> Iterator[Problem]:
    """Yield a problem for each use of a feature that a later Kubernetes brought."""
    version = draft.cluster.kubernetes
    if not draft.is_read(("kubernetes",)):
        return
    for path, feature in _used(draft):
        if not has(version, feature):
            yield Problem(path, f"Kubernetes {version} has no {feature}", f"from {since(feature)}")


def _used(draft: Draft) -> Iterator[tuple[FieldPath, Feature]]:
    """Yield what uses a feature."""
    for path, _, namespace in draft.namespaces():
        if namespace.quota.resource_claims is not None:
            yield (*path, "quota", "resourceClaims"), Feature.RESOURCE_CLAIMS
    yield from draft.provider.used_features(draft)
