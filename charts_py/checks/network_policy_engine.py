"""What enforces NetworkPolicies, by what its provider can have."""

from collections.abc import Iterator

from charts_py.cluster_file.fault import Problem
from charts_py.platform.draft import Draft


def check_network_policy_engine(draft: Draft) -> Iterator[Problem]:
    """Yield a problem for an engine of another provider."""
    engine, engines = draft.cluster.network.policy_engine, draft.provider.network_policy_engines
    if engine is not None and engine not in engines:
        what = f'"{engine}" does not enforce NetworkPolicies on {draft.provider.name}'
        yield Problem(("network", "policyEngine"), what, ", ".join(engines))
