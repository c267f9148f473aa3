"""The names and values that the provider of a cluster allows."""

from collections.abc import Set
from dataclasses import replace

from charts_py.checks.provider_settings import BLOCKS
from charts_py.cluster_file.cluster import NetworkPolicyEngine
from charts_py.cluster_file.fault import FieldPath, Problem
from charts_py.platform.draft import Draft
from charts_py.platform.provider_facts import ProviderFacts
from gpus.purchase import Purchase


def allowed_here(problem: Problem, draft: Draft) -> Problem:
    """Return the problem of an unknown name that allows none which would be refused next."""
    is_list = problem.what.startswith("unknown ") and problem.allowed is not None
    refused = _refused(problem.path, draft.provider)
    if not (is_list and refused and draft.is_read(("provider",))):
        return problem
    kept = [each for each in (problem.allowed or "").split(", ") if each not in refused]
    near = tuple(each for each in problem.nearest if each not in refused)
    return replace(problem, allowed=", ".join(kept), nearest=near)


def _refused(path: FieldPath, provider: ProviderFacts) -> Set[str]:
    """Return names of fields beside one, or values of it, that the provider has not."""
    match path:
        case (_,):
            return {block.value for block in BLOCKS if block is not provider.name}
        case ("network", "policyEngine"):
            return {*NetworkPolicyEngine} - {*provider.network_policy_engines}
        case ("pools", _, "purchase"):
            return {*Purchase} - {*provider.purchases}
        case ("pools", _, _):
            return {"match"} if provider.makes_nodes else {"instanceType", "instanceTypes"}
    return frozenset()
