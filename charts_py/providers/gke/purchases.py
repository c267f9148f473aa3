"""How Google sells the machines that it does not sell in every way."""

from collections.abc import Mapping

from gpus.purchase import Purchase

_SPOT_ALONE = (Purchase.SPOT,)
_NOT_ON_DEMAND = (Purchase.RESERVED, Purchase.SPOT)

PURCHASES: Mapping[str, tuple[Purchase, ...]] = {
    "a3-highgpu-1g": _SPOT_ALONE,
    "a3-highgpu-2g": _SPOT_ALONE,
    "a3-highgpu-4g": _SPOT_ALONE,
    "a3-ultragpu-8g": _NOT_ON_DEMAND,
    "a4-highgpu-8g": _NOT_ON_DEMAND,
    "a4x-highgpu-4g": _NOT_ON_DEMAND,
}
"""Ways by instance type, of those that a pool can say.

https://cloud.google.com/compute/docs/accelerator-optimized-machines#consumption_option_availability_by_machine_type,
as https://github.com/dstackai/gpuhunt at 3584151 reads it (src/gpuhunt/providers/gcp.py)
"""
