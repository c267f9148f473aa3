from gpus.catalog import load_catalog
from gpus.vendor import Vendor


def test_the_vendors_are_these() -> None:
    assert list(load_catalog().vendors.values()) == [
        Vendor("nvidia", "nvidia.com/gpu", "nvidia.com/gpu", "10de"),
        Vendor("amd", "amd.com/gpu", "amd.com/gpu", "1002"),
        Vendor("intel", "gpu.intel.com/i915", "gpu.intel.com/i915", "8086"),
        Vendor("gaudi", "habana.ai/gaudi", "habana.ai/gaudi", "1da3"),
    ]
