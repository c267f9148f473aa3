"""Bounds of what machines and clusters have, and values of a list that must differ.

What is computed from them stays below 2**53: cdk8s writes what is above, as any JavaScript program
would, in rounded exponents.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, core_schema


class Refused(ValueError):  # noqa: N818 - it answers a wrong value, and is not an error of the program
    """What is wrong with a value and what is allowed, raised by the model's validators."""

    def __init__(self, what: str, allowed: str | None = None, nearest: Sequence[str] = ()) -> None:
        super().__init__(what if allowed is None else f"{what}; allowed: {allowed}")
        self.what = what
        self.allowed = allowed
        self.nearest = nearest


@dataclass(frozen=True, slots=True)
class Unique:
    """Annotates a tuple of strings that must all differ."""

    def __get_pydantic_core_schema__(
        self, source: object, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        return core_schema.no_info_after_validator_function(_unique, handler(source))

    def __get_pydantic_json_schema__(
        self, schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        return {**handler(schema), "uniqueItems": True}


MAX_NODES = 100_000
"""Nodes of the largest cluster that a provider supports
(https://docs.aws.amazon.com/eks/latest/best-practices/scale-control-plane.html; GKE: 65,000)."""
MAX_PODS_PER_NODE = 256
"""The highest limit of any provider (GKE: https://cloud.google.com/kubernetes-engine/quotas)."""
MAX_ALLOCATIONS = MAX_NODES * MAX_PODS_PER_NODE
"""One for each pod that there can be."""
MAX_CPUS_PER_NODE = 8192
"""The most that Linux can be built for
(https://github.com/torvalds/linux, NR_CPUS of arch/x86/Kconfig)."""
MAX_GPUS_PER_NODE = 64
"""More than any machine in `gpus/tables/` has."""
MAX_INTERFACES_PER_NODE = 256
"""More than any machine in `gpus/tables/` has."""
MAX_NETWORK_CARDS = 64
"""Twice those of a p5.48xlarge, which has the most
(https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/using-eni.html#network-cards)."""
MAX_ADDRESSES_PER_INTERFACE = 256
"""More than any interface of those machines has."""
MAX_CPUS = MAX_NODES * MAX_CPUS_PER_NODE
MAX_BYTES = 2**60
"""1 EiB. Kubernetes itself counts to 8 EiB
(https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/quantity/)."""
MIN_BYTES = 2**20
"""1 MiB, less than any container needs."""
MIN_BYTES_OF_HARDWARE = 2**30
"""1 GiB, less than any machine or GPU in `gpus/tables/` has: each share of it is still something,
however many pods share the GPUs."""
MAX_PRICE = 10**9
"""More than the dearest machine costs in any currency of the G20."""
MAX_BUDGET = 10**15
"""More than the nodes of the largest cluster cost a month in any currency of the G20."""
MAX_EXCHANGE_RATE = 10**6
"""More units than a US dollar has in any currency."""
MAX_KILOWATTS = 1000
"""More than any rack draws."""
MAX_SHARE = 1000
"""Between the smallest team and the largest."""


def _unique(items: tuple[str, ...]) -> tuple[str, ...]:
    repeated = sorted({item for item in items if items.count(item) > 1})
    if repeated:
        raise Refused(f"listed more than once: {', '.join(repeated)}", "each once")
    return items
