from gpus.catalog import load_catalog
from gpus.vendor import Vendor

NVIDIA_CLASSES = ("gpu.nvidia.com", "mig.nvidia.com", "vfio.gpu.nvidia.com")


def test_the_vendors_are_these() -> None:
    assert list(load_catalog().vendors.values()) == [
        Vendor(
            "nvidia",
            "nvidia.com/gpu",
            "nvidia.com/gpu",
            "10de",
            NVIDIA_CLASSES,
            devices_variable="NVIDIA_VISIBLE_DEVICES",
            no_devices=("void", "none", ""),
        ),
        Vendor(
            "amd",
            "amd.com/gpu",
            "amd.com/gpu",
            "1002",
            ("gpu.amd.com", "gpu.amd.com-spx"),
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
