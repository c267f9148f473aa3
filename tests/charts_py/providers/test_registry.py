from __future__ import annotations

import re
from ipaddress import ip_network
from typing import TYPE_CHECKING

import pytest

from charts_py.providers.registry import PROVIDERS
from gpus.catalog import load_catalog
from gpus.provider import Provider

if TYPE_CHECKING:
    from collections.abc import Callable

    from charts_py.platform.draft import Draft


def test_every_provider_has_facts() -> None:
    assert tuple(PROVIDERS) == tuple(Provider)


@pytest.mark.parametrize("provider", Provider)
def test_the_example_of_a_region_has_the_form_of_one(provider: Provider) -> None:
    facts = PROVIDERS[provider]
    assert re.fullmatch(facts.region_pattern, facts.region)


@pytest.mark.parametrize("sample", ["eks", "gke", "aks", "onprem"])
def test_the_longest_name_of_a_pool_fits_its_pattern(
    sample: str, drafted: Callable[[str], Draft]
) -> None:
    draft = drafted(sample)
    rule = draft.provider.pool_name(draft, draft.pools[0])
    assert re.fullmatch(rule.pattern, "a" * rule.max_length)
    assert not re.fullmatch(rule.pattern, "a" * (rule.max_length + 1))


@pytest.mark.parametrize("provider", load_catalog().instance_types)
def test_every_network_of_an_instance_type_is_one_of_its_provider(provider: Provider) -> None:
    offered = load_catalog().instance_types[provider].values()
    networks = {offer.rdma for offer in offered if offer.rdma is not None}
    assert networks <= set(PROVIDERS[provider].interconnects)


@pytest.mark.parametrize("provider", Provider)
def test_credentials_come_from_single_addresses(provider: Provider) -> None:
    for endpoint in PROVIDERS[provider].identity_endpoints:
        network = ip_network(endpoint.cidr)
        assert (str(network), network.num_addresses) == (endpoint.cidr, 1)
