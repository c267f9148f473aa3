from dataclasses import replace
from pathlib import Path

import pytest
import yaml

from charts_py.cluster_file.fault import Problem
from charts_py.cluster_file.hardware import GpuVendor, Hardware, HostArchitecture
from charts_py.platform.described_hardware import described_catalog
from charts_py.platform.policy_settings import policy_settings
from gpus.catalog import load_catalog
from gpus.instance_type import InstanceType
from gpus.mig import MigGeometry
from gpus.model import GpuModel
from gpus.provider import Provider
from tests.charts_py.fixture_types import FaultsOf, PlatformWith, Sample

PAGE = Path(__file__).parents[3] / "docs" / "hardware.md"
TABLES = load_catalog()
INSTANCE_TYPES = [one for offered in TABLES.instance_types.values() for one in offered.values()]


def listed_like(geometry: MigGeometry | None, but: str) -> str | None:
    """Return another model with these partitions."""
    alike = (name for name, model in TABLES.models.items() if model.mig == geometry and name != but)
    return next(alike, None) if geometry else None


@pytest.mark.parametrize(
    "model",
    [
        model
        for model in TABLES.models.values()
        if model.mig is None or listed_like(model.mig, model.name)
    ],
    ids=lambda model: model.name,
)
def test_a_model_is_described_by_as_much_as_the_tables_say_of_it(model: GpuModel) -> None:
    described = {
        "vendor": model.vendor,
        "architecture": model.architecture,
        "family": model.family,
        "product": model.product,
        "memory": f"{model.memory_mib}Mi",
        "pciDevice": model.pci_device,
        "nvlink": model.nvlink,
        "mps": model.mps,
        "mig": listed_like(model.mig, model.name),
        "resource": model.resource,
        "hostArchitecture": model.host_architecture,
    }
    without = replace(TABLES, models={n: m for n, m in TABLES.models.items() if n != model.name})
    # The last model of its architecture leaves nothing to go by.
    if model.architecture not in {one.architecture for one in without.models.values()}:
        without = without.with_model(replace(model, name="other", product="other"))
    stated = Hardware.model_validate({"models": {model.name: described}})
    found = described_catalog(stated, without)
    known = replace(model, vgpu=False, compute_capability=None, driver=None, nvlink_domain=None)
    assert (found.problems, replace(found.catalog.models[model.name], driver=None)) == ((), known)


@pytest.mark.parametrize("model", TABLES.models.values(), ids=lambda model: model.name)
def test_a_described_model_has_every_driver_that_supports_the_listed_one_and_no_other_module(
    model: GpuModel,
) -> None:
    described = {
        "vendor": model.vendor,
        "architecture": model.architecture,
        "product": "described",
        "memory": f"{model.memory_mib}Mi",
        "pciDevice": model.pci_device,
        "resource": model.resource,
    }
    stated = Hardware.model_validate({"models": {"described": described}})
    driver = described_catalog(stated, TABLES).catalog.models["described"].driver
    if model.driver is None or driver is None:
        assert driver == model.driver
        return
    assert driver.first_branch <= model.driver.first_branch
    assert driver.last_branch == model.driver.last_branch
    assert set(driver.kernel_modules) >= set(model.driver.kernel_modules)


def test_an_instance_type_is_described_by_as_much_as_follows_from_its_table() -> None:
    assert {machine.name: _described_again(machine) for machine in INSTANCE_TYPES} == {
        machine.name: ((), _without_what_tables_alone_say(machine)) for machine in INSTANCE_TYPES
    }


def _without_what_tables_alone_say(machine: InstanceType) -> InstanceType:
    return replace(
        machine,
        network_gbps=0,
        topology_levels=TABLES.topology_levels(machine.provider, machine.name),
        purchases=(),
        accelerator=None,
        local_disk_gib=0,
    )


def _described_again(machine: InstanceType) -> tuple[tuple[Problem, ...], InstanceType]:
    """Return what is wrong with a machine's description, and what becomes of it."""
    described = {
        "gpu": machine.gpu,
        "gpus": machine.gpus,
        "cpu": machine.cpu,
        "memory": f"{int(machine.memory_gib * 1024)}Mi",
        "interconnect": machine.rdma or "ethernet",
        "interconnectInterfaces": machine.rdma_interfaces,
        "interconnectFirstCard": machine.rdma_first_card,
        "localNvmeGib": machine.local_nvme_gib,
        "podInterfaces": machine.pod_interfaces,
        "interfaceAddresses": machine.interface_addresses,
    }
    offered = TABLES.instance_types[machine.provider]
    others = {name: one for name, one in offered.items() if one is not machine}
    types = {**TABLES.instance_types, machine.provider: others}
    stated = Hardware.model_validate(
        {"instanceTypes": {machine.provider: {machine.name: described}}}
    )
    found = described_catalog(stated, replace(TABLES, instance_types=types))
    return found.problems, found.catalog.instance_type(machine.provider, machine.name)


def test_vendors_and_architectures_are_those_of_the_tables() -> None:
    assert set(GpuVendor) == set(TABLES.vendors)
    assert set(HostArchitecture) == {model.host_architecture for model in TABLES.models.values()}


def test_a_described_model_reaches_nodes_pods_and_quotas(platform_after: PlatformWith) -> None:
    platform = platform_after("described")
    a6000, a800 = platform.pools
    assert a6000.facts.labels["nvidia.com/gpu.product"] == "NVIDIA-RTX-A6000"
    assert a6000.facts.labels["gpuplane.io/gpu-model"] == "rtx-a6000"
    assert a800.facts.labels["nvidia.com/mig.config"] == "mig-3g.40gb-x2"
    offered = {
        resource.name: resource.per_node
        for pool in policy_settings(platform).pools
        for resource in pool.resources
    }
    assert offered == {"nvidia.com/gpu.shared": 16, "nvidia.com/mig-3g.40gb": 8}


def test_a_described_instance_type_has_its_network_and_addresses(
    platform_after: PlatformWith,
) -> None:
    platform = platform_after("described-eks")
    pool = platform.pool("l40s")
    machine = pool.hardware.machine
    assert machine is not None
    assert (machine.name, machine.provider) == ("g9.48xlarge", Provider.EKS)
    assert (pool.hardware.interconnect, pool.hardware.interconnect_interfaces) == ("efa", 4)
    # Three interfaces beside the one for EFA alone, with 29 addresses for pods each.
    assert pool.max_pods == 3 * 29 + 2


def test_what_the_documentation_describes_is_right() -> None:
    text = PAGE.read_text(encoding="utf-8")
    blocks = [block.split("```")[0] for block in text.split("```yaml\n")[1:]]
    found = [
        described_catalog(Hardware.model_validate(yaml.safe_load(block)["hardware"]), TABLES)
        for block in blocks
    ]
    assert [one.problems for one in found] == [(), ()]
    assert "A800-SXM-80" in found[0].catalog.models
    assert "g5g.16xlarge" in found[1].catalog.instance_types[Provider.EKS]


def test_the_fleet_describes_for_every_cluster(sample: Sample, faults_of: FaultsOf) -> None:
    fleet = "hardware: {models: {A6000: {vendor: nvidia}}}\n"
    used = sample("onprem", ("gpu: L40S", "gpu: A6000"))
    assert faults_of(used, fleet).splitlines()[0] == (
        "fleet.yaml:1: hardware.models.A6000.architecture: missing; "
        "allowed: a string such as ampere"
    )


@pytest.mark.parametrize(
    ("vendor", "architecture", "drivers"),
    [
        ("nvidia", "kepler", "384 to 470"),
        ("nvidia", "pascal", "384 to 580"),
        ("nvidia", "ampere", "450 or later"),
        ("amd", "rdna3", "None"),
    ],
)
def test_gpus_of_older_and_of_desktop_architectures_can_be_described(
    vendor: str, architecture: str, drivers: str
) -> None:
    row = {"vendor": vendor, "architecture": architecture, "product": "X"}
    model = row | {"memory": "8Gi", "pci_device": "1b80"}
    hardware = Hardware.model_validate({"models": {"X": model}}, by_name=True, strict=False)
    found = described_catalog(hardware, TABLES)
    assert found.problems == ()
    assert str(found.catalog.model("X").driver) == drivers
