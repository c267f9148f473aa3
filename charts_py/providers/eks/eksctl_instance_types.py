"""The machines for which eksctl takes an image with NVIDIA's driver."""

from collections.abc import Mapping

_LARGE = ("xlarge", "2xlarge", "4xlarge", "8xlarge")

_SIZES: Mapping[str, tuple[str, ...]] = {
    "g4dn": (*_LARGE, "12xlarge", "16xlarge"),
    "g5": (*_LARGE, "12xlarge", "16xlarge", "24xlarge", "48xlarge"),
    "g5g": (*_LARGE, "16xlarge"),
    "g6": (*_LARGE, "12xlarge", "16xlarge", "24xlarge", "48xlarge"),
    "g6e": (*_LARGE, "12xlarge", "16xlarge", "24xlarge", "48xlarge"),
    "g6f": ("large", "xlarge", "2xlarge", "4xlarge"),
    "g7": ("2xlarge", "4xlarge", "8xlarge", "12xlarge", "24xlarge", "48xlarge"),
    "g7e": ("2xlarge", "4xlarge", "8xlarge", "12xlarge", "24xlarge", "48xlarge"),
    "gr6": ("4xlarge", "8xlarge"),
    "gr6f": ("4xlarge",),
    "p3dn": ("24xlarge",),
    "p4d": ("24xlarge",),
    "p4de": ("24xlarge",),
    "p5": ("4xlarge", "48xlarge"),
    "p5e": ("48xlarge",),
    "p5en": ("48xlarge",),
    "p6-b200": ("48xlarge",),
    "p6-b300": ("48xlarge",),
}

KNOWN_TO_HAVE_GPUS = frozenset(f"{family}.{size}" for family in _SIZES for size in _SIZES[family])
"""Those with `NvidiaGPUSupported` in a table of eksctl's own; EC2 is not asked.

https://github.com/eksctl-io/eksctl v0.230.0, pkg/utils/instance/instance_types.go, by which
`GetAMIType` in pkg/apis/eksctl.io/v1alpha5/amitype.go chooses the image.
"""
