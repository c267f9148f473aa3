"""The MIG profiles that Google's device plugin partitions GPUs into."""

from collections.abc import Mapping

MIG_PROFILES: Mapping[str, tuple[str, ...]] = {
    "A100-SXM-40": ("1g.5gb", "2g.10gb", "3g.20gb", "7g.40gb"),
    "A100-SXM-80": ("1g.10gb", "2g.20gb", "3g.40gb", "7g.80gb"),
    "B200": ("1g.23gb", "1g.45gb", "2g.45gb", "3g.90gb", "4g.90gb", "7g.180gb"),
    "GB200": ("1g.23gb", "1g.47gb", "2g.47gb", "3g.93gb", "4g.93gb", "7g.186gb"),
    "H100-SXM": ("1g.10gb", "1g.20gb", "2g.20gb", "3g.40gb", "7g.80gb"),
    "H200-SXM": ("1g.18gb", "1g.35gb", "2g.35gb", "3g.71gb", "4g.71gb", "7g.141gb"),
    "RTX-PRO-6000": (
        "1g.24gb",
        "1g.24gb+me",
        "1g.24gb-me",
        "1g.24gb+me.all",
        "1g.24gb+gfx",
        "2g.48gb",
        "2g.48gb-me",
        "2g.48gb+me.all",
        "2g.48gb+gfx",
        "4g.96gb",
        "4g.96gb+gfx",
    ),
}
"""Profiles by GPU model: those of its accelerator in `gpuPartitionSizeMaxCount`.

The plugin does not start with another, and knows no accelerator: `1g.10gb` means seven of the
profile 19 to it, which on an A100 of 40 GB are seven 1g.5gb.
https://github.com/GoogleCloudPlatform/container-engine-accelerators at 992db81,
pkg/gpu/nvidia/mig/mig.go and partition_gpu/partition_gpu.go
"""
