"""Features that the cluster's Kubernetes does not have yet."""

from collections.abc import Iterator

from charts_py.checks.draft import Draft
from charts_py.spec.fault import Problem
from charts_py.spec.kubernetes_version import Feature, has, since


def check_features(draft: Draft) -> Iterator[Problem]:
    """Yield a problem for each use of a feature that a later Kubernetes brought."""
    version = draft.cluster.kubernetes
    if has(version, Feature.RESOURCE_CLAIMS) or not draft.is_read(("kubernetes",)):
        return
    for path, _, namespace in draft.namespaces():
        if namespace.quota.resource_claims is not None:
            yield Problem(
                (*path, "quota", "resourceClaims"),
                f"Kubernetes {version} has no {Feature.RESOURCE_CLAIMS}",
                f"from {since(Feature.RESOURCE_CLAIMS)}",
            )
