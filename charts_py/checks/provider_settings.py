"""Versions and how they are promoted, and the block of settings that only the provider has."""

from collections.abc import Iterator, Mapping
from typing import Any

from semver import Version

from charts_py.cluster_file.cluster import Cluster
from charts_py.cluster_file.fault import FieldPath, Problem
from charts_py.cluster_file.field_schema import allowed_at
from charts_py.cluster_file.kubernetes_version import NOT_LIVE, Feature
from charts_py.platform.draft import Draft, feature_problem
from charts_py.platform.name_rule import check_known
from gpus.provider import Provider

_FIELD = "promotion"
BLOCKS = tuple(provider for provider in Provider if provider.value in Cluster.model_fields)
"""The providers with a block of settings, which has their name."""


def check_provider_settings(draft: Draft) -> Iterator[Problem]:
    """Yield a problem for a block that is missing, or is another provider's."""
    provider = draft.cluster.provider
    given = [block for block in BLOCKS if draft.content.get(block) is not None]
    for block in given:
        if block is not provider:
            what = f"settings of {block.value}; the provider is {provider}"
            allowed = provider.value if provider in BLOCKS else "no cloud settings"
            yield Problem((block.value,), what, allowed)
    if provider in BLOCKS and not given:
        path = (provider.value,)
        yield Problem(path, f"missing; the provider is {provider}", allowed_at(path))


def without_other_blocks(content: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return content without the settings of other providers, in which nothing else is wrong."""
    provider = content.get("provider")
    others = {block.value for block in BLOCKS if block != provider}
    if provider not in tuple(Provider):
        return content
    return {name: value for name, value in content.items() if name not in others}


def check_network_policy_engine(draft: Draft) -> Iterator[Problem]:
    engine, engines = draft.cluster.network.policy_engine, draft.provider.network_policy_engines
    if engine is not None and engine not in engines:
        what = f'"{engine}" does not enforce NetworkPolicies on {draft.provider.name}'
        yield Problem(("network", "policyEngine"), what, ", ".join(engines))


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


def check_versions(draft: Draft) -> Iterator[Problem]:
    """Yield a problem for a live version that no synth has rendered yet."""
    version, live = draft.cluster.version, draft.cluster.live
    if live in (None, NOT_LIVE) or not draft.is_read(("version",)):
        return
    if Version.parse(live) > Version.parse(version):
        yield Problem(("live",), f"{live} is later than the version, {version}", f"up to {version}")


def check_promotion(draft: Draft) -> Iterator[Problem]:
    """Yield a problem for each name without a cluster file, and each freeze that never holds."""
    if not draft.is_whole((_FIELD,)):
        return
    for path, name in _names(draft):
        yield from check_known("cluster", name, draft.cluster_names, path)
    for index, freeze in enumerate(draft.cluster.promotion.freezes):
        if freeze.begins >= freeze.ends:
            path = (_FIELD, "freezes", index, "to")
            yield Problem(path, f"{freeze.to} is not after {freeze.from_}", "a later time")


def _names(draft: Draft) -> Iterator[tuple[FieldPath, str]]:
    promotion = draft.cluster.promotion
    for index, name in enumerate(promotion.chain):
        yield (_FIELD, "chain", index), name
    for index, freeze in enumerate(promotion.freezes):
        for number, name in enumerate(freeze.clusters):
            yield (_FIELD, "freezes", index, "clusters", number), name
