from dataclasses import replace

import pytest

from gpus.catalog import Catalog, UnknownHardware, load_catalog
from gpus.driver_support import DriverSupport, KernelModuleKind
from gpus.model import GpuModel
from gpus.provider import Provider
from gpus.vendor import Vendor

CATALOG = load_catalog()


def small_catalog() -> Catalog:
    return Catalog(
        vendors={"intel": Vendor("intel", "gpu.intel.com/i915", "gpu.intel.com/i915", "8086")},
        models={name: CATALOG.model(name) for name in ("H100-SXM", "H100-NVL", "Flex-170")},
        instance_types={Provider.EKS: {}},
    )


def test_the_catalog_is_read_once() -> None:
    assert load_catalog() is CATALOG


def test_a_model_is_found_by_its_name() -> None:
    assert CATALOG.model("T4") == GpuModel(
        name="T4",
        family="t4",
        vendor="nvidia",
        product="Tesla-T4",
        memory_mib=15360,
        pci_device="1eb8",
        nvlink=False,
        mps=True,
        mig=None,
        architecture="turing",
        compute_capability="7.5",
        driver=DriverSupport((KernelModuleKind.OPEN, KernelModuleKind.PROPRIETARY), 410),
    )


def test_an_unknown_model_is_answered_with_the_known_and_the_nearest() -> None:
    with pytest.raises(UnknownHardware) as failure:
        small_catalog().model("h100")
    assert str(failure.value) == (
        "unknown GPU model h100; allowed: H100-SXM, H100-NVL, Flex-170; nearest: H100-SXM, H100-NVL"
    )
    assert isinstance(failure.value, LookupError)
    assert failure.value.kind == "GPU model"
    assert failure.value.name == "h100"
    assert failure.value.nearest == ("H100-SXM", "H100-NVL")
    assert failure.value.allowed == ("H100-SXM", "H100-NVL", "Flex-170")


def test_an_unknown_instance_type_names_its_provider() -> None:
    with pytest.raises(UnknownHardware, match=r"unknown instance type of eks p5\.48xlrage; "):
        CATALOG.instance_type(Provider.EKS, "p5.48xlrage")


def test_the_nearest_instance_type_is_the_one_meant() -> None:
    with pytest.raises(UnknownHardware) as failure:
        CATALOG.instance_type(Provider.AKS, "standard_nd96isr_h100")
    assert failure.value.nearest[0] == "Standard_ND96isr_H100_v5"


def test_a_provider_without_instance_types_is_unknown() -> None:
    with pytest.raises(UnknownHardware) as failure:
        CATALOG.instance_type(Provider.ONPREM, "p5.48xlarge")
    assert str(failure.value) == (
        "unknown provider of instance types onprem; allowed: eks, gke, aks"
    )


def test_a_vendor_that_is_not_in_the_catalog_is_unknown() -> None:
    with pytest.raises(UnknownHardware) as failure:
        small_catalog().vendor_of(CATALOG.model("H100-SXM"))
    assert str(failure.value) == "unknown GPU vendor nvidia; allowed: intel"


def test_a_model_can_have_a_resource_of_its_own() -> None:
    model = CATALOG.model("Flex-170")
    assert CATALOG.resource_of(model) == "gpu.intel.com/i915"
    assert CATALOG.resource_of(replace(model, resource="gpu.intel.com/xe")) == "gpu.intel.com/xe"
