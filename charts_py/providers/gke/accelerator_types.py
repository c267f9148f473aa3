"""What Compute Engine calls the GPUs that it has."""

from collections.abc import Mapping

ACCELERATORS: Mapping[str, str] = {
    "A100-SXM-40": "nvidia-tesla-a100",
    "A100-SXM-80": "nvidia-a100-80gb",
    "B200": "nvidia-b200",
    "GB200": "nvidia-gb200",
    "H100-SXM": "nvidia-h100-80gb",
    "H200-SXM": "nvidia-h200-141gb",
    "L4": "nvidia-l4",
    "RTX-PRO-6000": "nvidia-rtx-pro-6000",
    "T4": "nvidia-tesla-t4",
    "V100-SXM-16": "nvidia-tesla-v100",
}
"""Accelerator type by GPU model (https://cloud.google.com/compute/docs/gpus)."""
