"""The block of settings that belongs to the provider, and only that."""

from collections.abc import Iterator

from charts_py.cluster_file.cluster import Cluster
from charts_py.cluster_file.fault import Problem
from charts_py.cluster_file.field_schema import allowed_at
from charts_py.platform.draft import Draft
from gpus.provider import Provider

_BLOCKS = tuple(provider for provider in Provider if provider.value in Cluster.model_fields)
"""The providers with a block of settings, which has their name."""


def check_provider_settings(draft: Draft) -> Iterator[Problem]:
    """Yield a problem for a block that is missing, or is another provider's."""
    provider = draft.cluster.provider
    for block in _BLOCKS:
        path = (block.value,)
        given = getattr(draft.cluster, block.value) is not None
        if given and block is not provider:
            what = f"settings of {block.value}; the provider is {provider}"
            allowed = provider.value if provider in _BLOCKS else "no cloud settings"
            yield Problem(path, what, allowed)
        if not given and block is provider:
            yield Problem(path, f"missing; the provider is {provider}", allowed_at(path))
