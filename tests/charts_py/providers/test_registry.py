import re
import subprocess
import sys
from collections.abc import Callable
from importlib import import_module
from ipaddress import ip_network
from pathlib import Path

import pytest

import charts_py.providers
from charts_py.checks import CHECKS, CHECKS_OF_PROVIDER
from charts_py.cluster_file.cluster import Cluster
from charts_py.cluster_file.hardware import DriverOwner
from charts_py.cluster_file.strict_model import MAX_PODS_PER_NODE
from charts_py.platform.draft import Draft
from charts_py.platform.wave import SYNC_OPTIONS
from charts_py.providers.definition import ProviderDefinition
from charts_py.providers.registry import PROVIDERS
from gpus.catalog import load_catalog
from gpus.instance_type import Interconnect
from gpus.pool_facts import ResourceNaming
from gpus.provider import Provider
from gpus.purchase import Purchase, load_price_list
from tests.charts_py.fixture_types import ObjectsOf, PlatformWith

FAULTS = Path(__file__).parents[1] / "faults" / "providers"

FILES = {
    f"{file.parent.name}.{file.stem}": file.read_text(encoding="utf-8")
    for folder in charts_py.providers.__path__
    for file in sorted(Path(folder).glob("*/*.py"))
    if file.stem != "__init__"
}
"""The source of every module of a provider."""

CHECK_MODULES = [name for name in FILES if name.endswith(("checks", "definition"))]

POOLS = {
    "eks": "{instanceType: g5.12xlarge, purpose: batch, nodes: {min: 1, max: 6, warm: 2}}",
    "eksctl": "{instanceType: g5.2xlarge, purpose: batch, nodes: {max: 6}}",
    "gke": "{instanceType: g2-standard-4, purpose: batch, nodes: {max: 6}}",
    "compute-class": "{instanceType: g2-standard-4, purpose: batch, nodes: {max: 6}}",
    "aks": "{instanceType: Standard_NC24ads_A100_v4, purpose: batch, nodes: {max: 6}}",
    "onprem": "{gpu: L4, gpus: 1, cpu: 8, memory: 32Gi, purpose: batch, nodes: {max: 6}}",
}
"""A pool for each provisioner."""

each_provider = pytest.mark.parametrize("definition", PROVIDERS.values(), ids=lambda one: one.name)


def test_every_provider_has_a_definition_in_a_folder_of_its_name() -> None:
    assert tuple(PROVIDERS) == tuple(Provider)
    assert {provider.value for provider in PROVIDERS} == {name.split(".")[0] for name in FILES}


def test_every_check_of_a_provider_is_in_its_definition_and_in_no_other_place() -> None:
    found = []
    for name in CHECK_MODULES:
        module = vars(import_module(f"charts_py.providers.{name}"))
        checks = [
            one
            for one in module.values()
            if getattr(one, "__module__", "").endswith(name) and one.__name__.startswith("check_")
        ]
        found += [(name.partition(".")[0], check) for check in checks]
    listed = [(name.value, check) for name, one in PROVIDERS.items() for check in one.checks]
    assert len(listed) == len(found)
    assert set(listed) == set(found)
    assert not {check for _, check in listed} & {*CHECKS, *CHECKS_OF_PROVIDER}


@pytest.mark.parametrize("name", CHECK_MODULES)
def test_every_check_and_every_definition_has_its_tests(name: str) -> None:
    folder, module = name.split(".")
    tests = Path(__file__).parent / folder / f"test_{module}.py"
    assert tests.is_file() or (FAULTS / folder / f"{module}.yaml").is_file()


def test_no_module_of_a_provider_starts_node() -> None:
    imports = "\n".join(f"import charts_py.providers.{name}" for name in ("registry", *FILES))
    code = f"import sys\n{imports}\nassert 'jsii' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)


@each_provider
def test_a_provider_has_an_instance_table_where_it_makes_nodes(
    definition: ProviderDefinition,
) -> None:
    assert (definition.name in load_catalog().instance_types) is definition.makes_nodes


@each_provider
def test_a_provider_has_settings_where_it_makes_nodes(definition: ProviderDefinition) -> None:
    assert (definition.name.value in Cluster.model_fields) is definition.makes_nodes


@each_provider
def test_a_host_is_known_only_of_who_may_own_the_driver(definition: ProviderDefinition) -> None:
    assert definition.driver_owners
    assert set(definition.hosts) <= set(definition.driver_owners)


@each_provider
def test_a_cloud_that_partitions_brings_the_driver_too(definition: ProviderDefinition) -> None:
    """What it cuts GPUs with is in its driver's setup (AgentBaker 06836ee, `cse_main.sh`)."""
    assert not definition.uniform_mig or definition.driver_owners == (DriverOwner.MANAGED,)


@each_provider
def test_a_pool_can_be_bought_on_demand_and_on_ethernet(definition: ProviderDefinition) -> None:
    assert Purchase.ON_DEMAND in definition.purchases
    assert Interconnect.ETHERNET in definition.interconnects


@each_provider
def test_every_engine_of_network_policies_has_a_sign(definition: ProviderDefinition) -> None:
    assert definition.network_policy_engines
    assert all(definition.network_policy_engines.values())


@each_provider
def test_what_may_be_chosen_is_listed_once(definition: ProviderDefinition) -> None:
    for choices in (definition.driver_owners, definition.purchases, definition.interconnects):
        assert len(choices) == len(set(choices))


@each_provider
def test_a_taint_is_of_something_that_the_provider_has(definition: ProviderDefinition) -> None:
    taints = definition.taints
    assert set(taints.gpu_vendors) <= set(load_catalog().vendors)
    assert taints.spot is None or Purchase.SPOT in definition.purchases
    assert taints.spot is not None or not taints.sets_spot


@each_provider
def test_bounds_lie_within_those_of_kubernetes_and_of_sharing(
    definition: ProviderDefinition,
) -> None:
    assert definition.max_pods_per_node <= MAX_PODS_PER_NODE
    assert definition.max_clients is None or definition.max_clients > 1
    assert definition.uniform_mig or not definition.one_mig_profile_per_size


@each_provider
def test_instances_are_named_as_whole_gpus_only_where_they_are_all_alike(
    definition: ProviderDefinition,
) -> None:
    assert definition.uniform_mig or definition.naming is ResourceNaming.OWN


@each_provider
def test_every_region_that_is_known_has_the_form_of_one(definition: ProviderDefinition) -> None:
    regions = definition.regions
    for region in (definition.region, *regions.names):
        assert re.fullmatch(regions.pattern, region)
    assert not regions.names or definition.region in regions.names


@pytest.mark.parametrize("sample", [provider.value for provider in Provider])
def test_the_longest_name_of_a_pool_fits_its_pattern(
    sample: str, drafted: Callable[[str], Draft]
) -> None:
    draft = drafted(sample)
    rule = PROVIDERS[draft.provider.name].pool_name(draft, draft.pools[0])
    assert re.fullmatch(rule.pattern, "a" * rule.max_length)
    assert not re.fullmatch(rule.pattern, "a" * (rule.max_length + 1))


@pytest.mark.parametrize("provider", load_catalog().instance_types)
def test_every_network_of_an_instance_type_is_one_of_its_provider(provider: Provider) -> None:
    offered = load_catalog().instance_types[provider].values()
    networks = {offer.rdma for offer in offered if offer.rdma is not None}
    assert networks <= set(PROVIDERS[provider].interconnects)


@each_provider
def test_credentials_come_from_single_addresses(definition: ProviderDefinition) -> None:
    for endpoint in definition.identity_endpoints:
        network = ip_network(endpoint.cidr)
        assert (str(network), network.num_addresses) == (endpoint.cidr, 1)


@pytest.mark.parametrize("provisioner", POOLS)
def test_objects_stand_in_the_namespaces_that_are_made_for_them(
    platform_with: PlatformWith, objects_of: ObjectsOf, provisioner: str
) -> None:
    platform = platform_with(provisioner, POOLS[provisioner])
    found = {
        document["metadata"]["namespace"]
        for document in objects_of(platform).values()
        if "namespace" in document["metadata"]
    }
    assert found == set(PROVIDERS[platform.provider.name].provisioner(platform.cluster).namespaces)


@pytest.mark.parametrize(
    ("provisioner", "others"),
    [
        ("eks", {"CapacityBuffer", "PodTemplate"}),
        ("eksctl", {"ClusterConfig"}),
        ("gke", set[str]()),
        ("compute-class", set[str]()),
        ("aks", set[str]()),
        ("onprem", set[str]()),
    ],
)
def test_no_pool_is_removed_before_a_person_confirms_it(
    platform_with: PlatformWith, objects_of: ObjectsOf, provisioner: str, others: set[str]
) -> None:
    """A person also applies what eksctl reads, and nobody misses warm nodes for good."""
    found = objects_of(platform_with(provisioner, POOLS[provisioner])).values()
    options = "Delete=confirm,Prune=confirm"
    assert others == {
        each["kind"]
        for each in found
        if each["metadata"].get("annotations", {}).get(SYNC_OPTIONS) != options
    }


@each_provider
def test_prices_are_listed_of_regions_that_there_are(definition: ProviderDefinition) -> None:
    prices = load_price_list(definition.name)
    assert set(prices.on_demand if prices else ()) <= set(definition.regions.names)
