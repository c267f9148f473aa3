"""The block of settings that belongs to the provider, and only that."""

from collections.abc import Iterator

from charts_py.checks.draft import Draft
from charts_py.spec.fault import Problem
from charts_py.spec.provider import Provider

_BLOCKS = (Provider.EKS, Provider.GKE, Provider.AKS)


def check_provider_settings(draft: Draft) -> Iterator[Problem]:
    """Yield a problem for a block that is missing, or is another provider's."""
    provider = draft.cluster.provider
    for block in _BLOCKS:
        given = getattr(draft.cluster, block.value) is not None
        if given and block is not provider:
            yield Problem((block.value,), f"settings of {block.value}; the provider is {provider}")
        if not given and block is provider and draft.is_read((block.value,)):
            yield Problem(("provider",), f'"{provider}" needs the block {block.value}')
