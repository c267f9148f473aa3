"""How nodes are bought, and what clouds ask on demand for a machine-hour of an instance type.

Of reserved machines they ask the same, used or not:
- https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/capacity-reservations-pricing-billing.html
- https://cloud.google.com/compute/docs/instances/reservations-overview#billing
- https://learn.microsoft.com/azure/virtual-machines/capacity-reservation-overview#pricing-and-billing

Prices of spot machines change within the hour, those of capacity blocks with each offer, flex-start
has one of its own, and what contracts take off is nobody else's to know: no table lists them.
"""

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache

from gpus.provider import Provider
from gpus.table import has_table, read_table

AKS_SPOT = "kubernetes.azure.com/scalesetpriority"
"""`spot` on spot nodes; AKS taints them with the same key
(https://learn.microsoft.com/azure/aks/spot-node-pool)."""
GKE_SPOT = "cloud.google.com/gke-spot"
"""`true` on spot nodes (https://cloud.google.com/kubernetes-engine/docs/concepts/spot-vms)."""
KARPENTER_CAPACITY_TYPE = "karpenter.sh/capacity-type"
"""`spot`, `on-demand` or `reserved` (https://karpenter.sh/docs/concepts/scheduling/)."""
EKS_CAPACITY_TYPE = "eks.amazonaws.com/capacityType"
"""`SPOT` or `ON_DEMAND`, on nodes of managed node groups
(https://docs.aws.amazon.com/eks/latest/userguide/managed-node-groups.html)."""
LIST_CURRENCY = "USD"


class Purchase(StrEnum):
    """How the nodes of a pool are bought."""

    RESERVED = "reserved"
    ON_DEMAND = "on-demand"
    FLEX_START = "flex-start"
    """GKE's, which start once there is room and run for seven days at most
    (https://cloud.google.com/kubernetes-engine/docs/concepts/dws)."""
    SPOT = "spot"
    CAPACITY_BLOCK = "capacity-block"
    """Reserved for some days or weeks; the machines are taken back before the block ends."""

    @property
    def takes_reservation(self) -> bool:
        """Whether the nodes can be taken from a reservation that the pool names."""
        return self in (Purchase.RESERVED, Purchase.CAPACITY_BLOCK)


BILLED_AS_LISTED = (Purchase.ON_DEMAND, Purchase.RESERVED)
"""Purchases that a cloud bills at the listed price."""


@dataclass(frozen=True, slots=True)
class PriceList:
    """The listed prices of one provider, in US dollars."""

    as_of: dt.date
    """The day of the prices of every region that `newer` leaves out."""
    on_demand: Mapping[str, Mapping[str, float]]
    """A machine-hour, by region and instance type."""
    newer: Mapping[str, dt.date] = field(default_factory=dict)
    """The day of the prices of a region that were read later."""

    def machine_hour(self, region: str, instance_type: str) -> float | None:
        """Return the price of a machine-hour; None where the table lacks it."""
        return self.on_demand.get(region, {}).get(instance_type)

    def day(self, region: str) -> dt.date:
        """Return the day of the prices of the region."""
        return self.newer.get(region, self.as_of)


@cache
def load_price_list(provider: Provider) -> PriceList | None:
    """Read the prices of a provider; None where machines have no list price."""
    table = f"prices_{provider.value}"
    if not has_table(table):
        return None
    rows = read_table(table)
    return PriceList(rows["as_of"], rows[Purchase.ON_DEMAND.value], rows.get("newer", {}))
