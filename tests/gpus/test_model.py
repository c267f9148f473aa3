import re

import pytest

from gpus.catalog import load_catalog
from gpus.model import DriverSupport, GpuModel, KernelModuleKind, Vendor

CATALOG = load_catalog()
MODELS = list(CATALOG.models.values())
LABEL_VALUE = re.compile(r"[A-Za-z0-9]([A-Za-z0-9._-]{0,61}[A-Za-z0-9])?")


def test_a_model_has_a_vendor_that_the_catalog_knows() -> None:
    assert {model.name: CATALOG.vendor_of(model).name for model in MODELS} == {
        model.name: model.vendor for model in MODELS
    }


def test_product_and_family_are_label_values() -> None:
    values = [value for model in MODELS for value in (model.product, model.family)]
    assert [value for value in values if not LABEL_VALUE.fullmatch(value)] == []
    assert [model.family for model in MODELS if model.family != model.family.lower()] == []


def test_a_name_begins_with_its_family() -> None:
    assert [model for model in MODELS if not model.name.lower().startswith(model.family)] == []


def test_a_pci_device_is_four_lower_case_hexadecimal_digits() -> None:
    assert [model for model in MODELS if not re.fullmatch(r"[0-9a-f]{4}", model.pci_device)] == []


@pytest.mark.parametrize(
    "model", [model for model in MODELS if model.mig], ids=lambda model: model.name
)
def test_the_largest_mig_profile_is_the_whole_gpu(model: GpuModel) -> None:
    assert model.mig is not None
    largest = max(model.mig.profiles, key=lambda profile: profile.memory_slices)
    assert largest.memory_slices == model.mig.memory_slices
    gigabytes = int(re.fullmatch(r"\dg\.(\d+)gb", largest.name)[1])  # type: ignore[index]
    # The names round, some from decimal and some from binary gigabytes.
    assert 0.96 < model.memory_mib / 1024 / gigabytes < 1.08


def test_only_nvidia_has_mig_mps_or_nvlink() -> None:
    able = {model.vendor for model in MODELS if model.mig or model.mps or model.nvlink}
    assert able == {"nvidia"}


def test_no_two_models_share_a_product_label() -> None:
    products = [(model.vendor, model.product) for model in MODELS]
    assert len(products) == len(set(products))


def test_no_two_models_share_a_pci_device() -> None:
    devices = [(model.vendor, model.pci_device) for model in MODELS if not model.vgpu]
    assert len(devices) == len(set(devices))


def test_a_vgpu_has_the_family_and_the_pci_device_of_its_gpu_and_a_name_of_its_own() -> None:
    found = {
        vgpu.name: [
            model.name
            for model in MODELS
            if (model.family, model.pci_device, model.vgpu) == (vgpu.family, vgpu.pci_device, False)
        ]
        for vgpu in MODELS
        if vgpu.vgpu
    }
    assert found == {"A10-24Q": ["A10"]}


def test_models_on_grace_processors_stand_in_arm_machines() -> None:
    arm = {model.name for model in MODELS if model.host_architecture == "arm64"}
    assert arm >= {"GH200-96", "GH200-144", "GB200", "GB300"}
    assert arm >= {model.name for model in MODELS if re.match(r"G[BH]\d", model.name)}
    assert {model.host_architecture for model in MODELS} == {"amd64", "arm64"}


def test_every_model_of_nvidia_has_a_driver_and_no_other() -> None:
    assert [model.name for model in MODELS if model.driver is None] == [
        model.name for model in MODELS if model.vendor != "nvidia"
    ]
    assert [model.name for model in MODELS if model.compute_capability is None] == [
        model.name for model in MODELS if model.vendor != "nvidia"
    ]


KERNEL_MODULES = {
    "volta": {("proprietary",)},
    "turing": {("open", "proprietary")},
    "ampere": {("open", "proprietary")},
    "ada-lovelace": {("open", "proprietary")},
    # On Grace, open alone.
    "hopper": {("open", "proprietary"), ("open",)},
    "blackwell": {("open",)},
}


def test_kernel_modules_follow_from_the_architecture() -> None:
    found: dict[str, set[tuple[str, ...]]] = {}
    for model in MODELS:
        if model.driver is not None:
            found.setdefault(model.architecture, set()).add(model.driver.kernel_modules)
    assert found == KERNEL_MODULES


def test_volta_alone_has_a_last_branch() -> None:
    lasts = {
        (model.architecture, model.driver.last_branch)
        for model in MODELS
        if model.driver is not None and model.driver.last_branch is not None
    }
    assert lasts == {("volta", 580)}


def test_a_first_version_is_of_the_first_branch() -> None:
    firsts = {
        model.name: model.driver.first_version
        for model in MODELS
        if model.driver is not None and model.driver.first_version is not None
    }
    known = {"B300": "580.82.07", "GB200": "570.123.01", "GB300": "580.82.07"}
    assert firsts == firsts | known | {"RTX-PRO-6000": "575.57.08"}
    for name, version in firsts.items():
        driver = CATALOG.model(name).driver
        assert driver is not None
        assert version.startswith(f"{driver.first_branch}.")


FIRST_CUDA_DRIVER = {
    "volta": 384,
    "turing": 410,
    "ampere": 450,
    "ada-lovelace": 520,
    "hopper": 520,
    "blackwell": 570,
}
"""The branch that came with the first CUDA for an architecture
(https://docs.nvidia.com/cuda/cuda-toolkit-release-notes)."""


@pytest.mark.parametrize(
    "model", [model for model in MODELS if model.driver], ids=lambda model: model.name
)
def test_no_branch_is_older_than_the_first_cuda_for_the_architecture(model: GpuModel) -> None:
    assert model.driver is not None
    assert model.driver.first_branch >= FIRST_CUDA_DRIVER[model.architecture]


def test_nvlink_joins_machines_with_grace_blackwell_alone() -> None:
    domains = {model.name: model.nvlink_domain for model in MODELS if model.nvlink_domain}
    assert domains == {"GB200": 72, "GB300": 72}


def _support(model: str) -> DriverSupport:
    support = CATALOG.model(model).driver
    assert support is not None
    return support


@pytest.mark.parametrize(
    ("model", "version", "has"),
    [
        ("B200", "470.256.02", False),
        ("B200", "570.86.15", True),
        ("B200", "595.91.07", True),
        ("B300", "580.65.06", False),
        ("B300", "580.82.07", True),
        ("B300", "580.95.05", True),
        ("GB200", "570.86.16", False),
        ("H100-SXM", "470.256.02", False),
        ("V100-SXM-32", "470.256.02", True),
        ("V100-SXM-32", "580.95.05", True),
        ("V100-SXM-32", "595.91.07", False),
        ("T4", "595.91.07", True),
    ],
)
def test_a_version_drives_a_gpu_from_its_first_to_its_last_branch(
    model: str, version: str, has: bool
) -> None:
    assert _support(model).has(version) is has


@pytest.mark.parametrize(
    ("model", "kind", "branch", "has"),
    [
        ("A100-SXM-80", KernelModuleKind.OPEN, 470, False),
        ("A100-SXM-80", KernelModuleKind.OPEN, 515, True),
        ("A100-SXM-80", KernelModuleKind.PROPRIETARY, 470, True),
        ("B200", KernelModuleKind.PROPRIETARY, 570, False),
        ("V100-SXM-32", KernelModuleKind.OPEN, 580, False),
    ],
)
def test_open_modules_are_there_from_515_on_and_only_for_gpus_that_they_drive(
    model: str, kind: KernelModuleKind, branch: int, has: bool
) -> None:
    assert _support(model).has_module(kind, branch) is has


@pytest.mark.parametrize(
    ("model", "branch", "kind"),
    [
        ("V100-SXM-32", 580, "proprietary"),
        ("H100-SXM", 550, "proprietary"),
        ("H100-SXM", 560, "open"),
        ("B200", 570, "open"),
    ],
)
def test_open_modules_are_recommended_from_560_on_where_the_gpu_can(
    model: str, branch: int, kind: str
) -> None:
    assert _support(model).recommended(branch) == kind


def test_a_range_is_written_with_its_last_branch_if_there_is_one() -> None:
    assert [str(_support(model)) for model in ("B200", "B300", "V100-SXM-32")] == [
        "570 or later",
        "580.82.07 or later",
        "384 to 580",
    ]


NVIDIA_CLASSES = ("gpu.nvidia.com", "mig.nvidia.com", "vfio.gpu.nvidia.com")


def test_the_vendors_are_these() -> None:
    assert list(load_catalog().vendors.values()) == [
        Vendor(
            "nvidia",
            "nvidia.com/gpu",
            "nvidia.com/gpu",
            "10de",
            NVIDIA_CLASSES,
            further_architectures=("kepler", "maxwell", "pascal"),
            devices_variable="NVIDIA_VISIBLE_DEVICES",
            no_devices=("void", "none", ""),
        ),
        Vendor(
            "amd",
            "amd.com/gpu",
            "amd.com/gpu",
            "1002",
            ("gpu.amd.com", "gpu.amd.com-spx"),
            further_architectures=("cdna", "rdna2", "rdna3", "rdna4"),
            devices_variable="AMD_VISIBLE_DEVICES",
            no_devices=("none", "void", ""),
        ),
        Vendor(
            "intel",
            "gpu.intel.com/i915",
            "gpu.intel.com/i915",
            "8086",
            ("gpu.intel.com",),
            ("gpu.intel.com/xe",),
            ("xe-lpg", "xe2-hpg"),
        ),
        Vendor(
            "gaudi",
            "habana.ai/gaudi",
            "habana.ai/gaudi",
            "1da3",
            ("gaudi.intel.com",),
            devices_variable="HABANA_VISIBLE_DEVICES",
            no_devices=("none",),
        ),
    ]
