from charts_py.cluster_file.pool import Pool
from charts_py.platform.pool_hardware import resolve_hardware
from charts_py.providers.registry import PROVIDERS
from gpus.catalog import load_catalog
from gpus.instance_type import family_of
from gpus.provider import Provider


def _levels(provider: Provider) -> dict[str, tuple[str, ...]]:
    """Return the levels of every listed machine that tells of any."""
    facts, catalog = PROVIDERS[provider], load_catalog()
    found = {}
    for name in catalog.instance_types[provider]:
        pool = Pool.model_validate(
            {"instanceType": name, "purpose": "training", "nodes": {"max": 1}}
        )
        found[name] = facts.topology_levels(resolve_hardware("pool", pool, facts, catalog))
    return {name: levels for name, levels in found.items() if levels}


def test_instance_types_of_aws_tell_of_three_layers_or_four() -> None:
    found = _levels(Provider.EKS)
    layers = [f"topology.k8s.aws/network-node-layer-{number}" for number in (1, 2, 3, 4)]
    assert set(found.values()) == {tuple(layers[:3]), tuple(layers)}
    four = {"p6-b200", "p6-b300"}
    three = {"g6e", "g7e", "p3dn", "p4d", "p4de", "p5", "p5e", "p5en"}
    none = {"p3", "g4dn", "g5", "g6", "gr6"}
    by_family = {family_of(name): len(levels) for name, levels in found.items()}
    assert dict.fromkeys(three, 3) | dict.fromkeys(four, 4) == {
        family: by_family[family] for family in three | four
    }
    assert none.isdisjoint(by_family)
    assert "p5.4xlarge" not in found


def test_machines_of_google_with_eight_fast_gpus_or_in_a_rack_tell_of_block_and_subblock() -> None:
    levels = tuple(
        f"cloud.google.com/gce-topology-{level}" for level in ("block", "subblock", "host")
    )
    found = _levels(Provider.GKE)
    for family in ("a3-highgpu-8g", "a3-megagpu-8g", "a3-ultragpu-8g", "a4-highgpu-8g", "a4x-"):
        assert {found[name] for name in found if name.startswith(family)} == {levels}
    machines = load_catalog().instance_types[Provider.GKE]
    assert all(machines[name].rdma_interfaces for name in found)
    assert not [name for name in found if name.startswith(("a2-", "g2-", "g4-"))]


def test_machines_of_azure_and_ones_own_tell_of_no_place() -> None:
    assert _levels(Provider.AKS) == {}
    assert PROVIDERS[Provider.ONPREM].topology_labels == ()
