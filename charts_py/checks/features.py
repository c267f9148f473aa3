"""Features that the cluster's Kubernetes does not have yet."""

from collections.abc import Iterator

from charts_py.cluster_file.fault import Problem
from charts_py.cluster_file.kubernetes_version import Feature
from charts_py.platform.draft import Draft, feature_problem


def check_features(draft: Draft) -> Iterator[Problem]:
    """Yield a problem for each quota and each policy of a kind that Kubernetes has none of."""
    for path, _, namespace in draft.namespaces():
        if namespace.quota.resource_claims is not None:
            claims = (*path, "quota", "resourceClaims")
            yield from feature_problem(draft, claims, Feature.RESOURCE_CLAIMS)
    for name, custom in draft.cluster.policies.own.items():
        if custom.apply is not None:
            path = ("policies", "own", name, "apply")
            yield from feature_problem(draft, path, Feature.MUTATING_POLICIES)
    admission = draft.cluster.admission
    if not admission.has_webhook:
        yield from feature_problem(draft, ("policies", "admission"), Feature.MUTATING_POLICIES)
    elif admission.has_policies:
        yield from feature_problem(draft, ("policies", "admission"), Feature.SAFE_POLICIES)
