"""Checking the use of a feature against the cluster's Kubernetes version."""

from collections.abc import Iterator

from charts_py.cluster_file.fault import FieldPath, Problem
from charts_py.cluster_file.kubernetes_version import Feature, has, since
from charts_py.platform.draft import Draft


def feature_problem(draft: Draft, path: FieldPath, feature: Feature) -> Iterator[Problem]:
    """Yield a problem where the value at a path needs a later Kubernetes."""
    version = draft.cluster.kubernetes
    if draft.is_read(("kubernetes",)) and not has(version, feature):
        yield Problem(path, f"Kubernetes {version} has no {feature}", f"{since(feature)} or later")
