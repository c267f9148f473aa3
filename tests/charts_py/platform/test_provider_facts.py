import re
from ipaddress import ip_network

import pytest

from charts_py.platform.provider_facts import PROVIDERS
from charts_py.spec.pool import Interconnect
from charts_py.spec.provider import Provider
from gpus.catalog import load_catalog


def test_every_provider_has_facts() -> None:
    assert tuple(PROVIDERS) == tuple(Provider)


@pytest.mark.parametrize("provider", Provider)
def test_the_example_of_a_region_has_the_form_of_one(provider: Provider) -> None:
    facts = PROVIDERS[provider]
    assert re.fullmatch(facts.region_pattern, facts.region)


@pytest.mark.parametrize("provider", Provider)
def test_the_longest_name_of_a_pool_fits_its_pattern(provider: Provider) -> None:
    rule = PROVIDERS[provider].pool_name
    assert re.fullmatch(rule.pattern, "a" * rule.longest)
    assert not re.fullmatch(rule.pattern, "a" * (rule.longest + 1))


@pytest.mark.parametrize("provider", ["eks", "gke", "aks"])
def test_every_network_of_an_instance_type_is_one_of_its_provider(provider: str) -> None:
    offered = load_catalog().instance_types[provider].values()
    networks = {Interconnect(offer.rdma) for offer in offered if offer.rdma}
    assert networks <= set(PROVIDERS[Provider(provider)].interconnects)


@pytest.mark.parametrize("provider", Provider)
def test_credentials_come_from_single_addresses(provider: Provider) -> None:
    for endpoint in PROVIDERS[provider].identity_endpoints:
        network = ip_network(endpoint.cidr)
        assert (str(network), network.num_addresses) == (endpoint.cidr, 1)
