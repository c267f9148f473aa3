from dataclasses import replace

import pytest

from gpus.catalog import (
    Catalog,
    UnknownHardware,
    load_catalog,
    unsupported_instance_type,
    unsupported_model,
)
from gpus.model import DriverSupport, GpuModel, KernelModuleKind, Vendor
from gpus.provider import Provider

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


TRAINIUM = "Trainium chips, which are not supported"
INFERENTIA = "Inferentia chips, which are not supported"
TPUS = "TPUs, which are not supported"
GAUDI = "Gaudi cards, which are not supported on EC2"
AI_100 = "AI 100 cards, which are not supported"
FPGAS = "FPGAs or media accelerators, which are not supported"
ASCEND = "Ascend chips, which are not supported"


@pytest.mark.parametrize(
    ("name", "accelerator"),
    [
        ("trn1.32xlarge", TRAINIUM),
        ("trn2u.48xlarge", TRAINIUM),
        ("inf2.xlarge", INFERENTIA),
        ("dl1.24xlarge", GAUDI),
        ("dl2q.24xlarge", AI_100),
        ("f2.48xlarge", FPGAS),
        ("vt1.3xlarge", FPGAS),
        ("Standard_NP10s", FPGAS),
        ("ct5lp-hightpu-4t", TPUS),
        ("ct6e-standard-4t", TPUS),
        ("tpu7x-standard-4t", TPUS),
        ("m7i.24xlarge", "no GPU"),
        ("c6gn.16xlarge", "no GPU"),
        ("u-6tb1.metal", "no GPU"),
        ("n1-standard-8", "no GPU"),
        ("n2d-highmem-96", "no GPU"),
        ("Standard_D4s_v5", "no GPU"),
        ("standard_hb120rs_v3", "no GPU"),
        ("g4ad.xlarge", "a Radeon Pro V520, which ROCm does not drive"),
        ("p2.xlarge", None),
        ("Standard_NC6", None),
    ],
)
def test_an_instance_type_without_a_supported_gpu_is_known_by_its_name(
    name: str, accelerator: str | None
) -> None:
    assert unsupported_instance_type(name) == accelerator


@pytest.mark.parametrize(
    ("name", "accelerator"),
    [
        ("TPU-v5e", TPUS),
        ("Trainium2", TRAINIUM),
        ("inferentia", INFERENTIA),
        ("Ascend-910B", ASCEND),
        ("AI-100", AI_100),
        ("RTX4090", None),
        ("A100", None),
    ],
)
def test_a_model_that_is_no_supported_gpu_is_known_by_its_name(
    name: str, accelerator: str | None
) -> None:
    assert unsupported_model(name) == accelerator


def test_nothing_that_is_listed_is_unsupported() -> None:
    types = [name for offered in CATALOG.instance_types.values() for name in offered]
    assert [name for name in types if unsupported_instance_type(name)] == []
    assert [name for name in CATALOG.models if unsupported_model(name)] == []
