"""What differs between providers, apart from the objects that make their nodes."""

from collections.abc import Mapping
from dataclasses import dataclass

from charts_py.spec.driver import DriverOwner
from charts_py.spec.pool import MOST_PODS_PER_NODE, Interconnect, Purchase
from charts_py.spec.provider import Provider
from gpus.pool_facts import Advertiser


@dataclass(frozen=True, slots=True)
class NameRule:
    """The names that a kind takes."""

    kind: str
    pattern: str
    longest: int


@dataclass(frozen=True, slots=True)
class IdentityEndpoint:
    """Where a node gives pods the credentials of their own workload identity."""

    cidr: str
    ports: tuple[int, ...]
    """TCP."""


@dataclass(frozen=True, slots=True)
class ProviderFacts:
    """What a provider allows and does by itself."""

    pool_name: NameRule
    driver_owners: tuple[DriverOwner, ...]
    """Who may own the driver; the first by default."""
    advertiser: Advertiser
    """Whose device plugin advertises NVIDIA GPUs."""
    purchases: tuple[Purchase, ...]
    interconnects: tuple[Interconnect, ...]
    """Networks that an on-prem pool, or an unknown instance type, may name."""
    uniform_mig: bool
    """Whether the provider cuts every GPU into instances of one profile when it makes the node."""
    region: str
    """An example of a region."""
    region_pattern: str = ".+"
    """Form of a region."""
    zone_pattern: str = ".+"
    """Form of a zone; `{region}` stands for the cluster's region."""
    reservation_pattern: str | None = None
    """Form of a capacity reservation; None where there are none."""
    most_clients: int | None = None
    """Most pods that the provider lets share one GPU by time-slicing."""
    one_mig_profile_a_size: bool = False
    """Whether a profile is chosen by its compute slices alone, as `MIG1g`."""
    most_pods_per_node: int = MOST_PODS_PER_NODE
    identity_endpoints: tuple[IdentityEndpoint, ...] = ()
    """None where pods get their credentials over the internet, with a token of the cluster's:
    https://learn.microsoft.com/azure/aks/workload-identity-overview"""


LONGEST_LABEL_VALUE = 63
"""https://kubernetes.io/docs/concepts/overview/working-with-objects/labels/"""


def label_value_pattern(longest: int) -> str:
    """Return the form of a label's value of lower-case letters, of so many characters at most."""
    return rf"[a-z0-9]([-a-z0-9]{{0,{longest - 2}}}[a-z0-9])?"


_LABEL_VALUE = label_value_pattern(LONGEST_LABEL_VALUE)

PROVIDERS: Mapping[Provider, ProviderFacts] = {
    # Accelerated AMIs carry driver and toolkit:
    # https://docs.aws.amazon.com/eks/latest/userguide/ml-eks-optimized-ami.html
    Provider.EKS: ProviderFacts(
        pool_name=NameRule("a Karpenter NodePool", _LABEL_VALUE, LONGEST_LABEL_VALUE),
        driver_owners=(DriverOwner.IMAGE, DriverOwner.OPERATOR),
        advertiser=Advertiser.OPERATOR,
        purchases=tuple(Purchase),
        interconnects=(Interconnect.ETHERNET, Interconnect.EFA),
        uniform_mig=False,
        region="us-east-1",
        # https://docs.aws.amazon.com/global-infrastructure/latest/regions/aws-regions.html
        region_pattern=r"[a-z]{2}(-[a-z]+){1,2}-[0-9]+",
        zone_pattern=r"{region}[a-z]",
        reservation_pattern=r"cr-[0-9a-f]{8,17}",
        # EKS Pod Identity: https://docs.aws.amazon.com/eks/latest/userguide/pod-id-agent-setup.html
        identity_endpoints=(
            IdentityEndpoint("169.254.170.23/32", (80,)),
            IdentityEndpoint("fd00:ec2::23/128", (80,)),
        ),
    ),
    # https://cloud.google.com/kubernetes-engine/docs/how-to/gpus: Google's driver comes with
    # Google's device plugin; the GPU operator cannot install a driver on Container-Optimized OS.
    Provider.GKE: ProviderFacts(
        pool_name=NameRule("a GKE node pool", r"[a-z]([-a-z0-9]{0,38}[a-z0-9])?", 40),
        driver_owners=(DriverOwner.MANAGED,),
        advertiser=Advertiser.GKE,
        purchases=tuple(Purchase),
        interconnects=(
            Interconnect.ETHERNET,
            Interconnect.GPUDIRECT_TCPX,
            Interconnect.GPUDIRECT_TCPXO,
            Interconnect.ROCE,
        ),
        uniform_mig=True,
        region="europe-west4",
        # https://cloud.google.com/compute/docs/regions-zones
        region_pattern=r"[a-z]+-[a-z]+[0-9]+",
        zone_pattern=r"{region}-[a-z]",
        reservation_pattern=r"[a-z]([-a-z0-9]{0,61}[a-z0-9])?",
        # https://cloud.google.com/kubernetes-engine/docs/concepts/timesharing-gpus
        most_clients=48,
        # The GKE metadata server. Dataplane V2 judges the address that a pod asks, the older one
        # that which its node redirects it to:
        # https://cloud.google.com/kubernetes-engine/docs/how-to/network-policy
        identity_endpoints=(
            IdentityEndpoint("169.254.169.252/32", (987, 988)),
            IdentityEndpoint("169.254.169.254/32", (80,)),
        ),
    ),
    # https://learn.microsoft.com/azure/aks/use-nvidia-gpu and .../azure/aks/gpu-multi-instance
    Provider.AKS: ProviderFacts(
        pool_name=NameRule("an AKS agent pool", r"[a-z][a-z0-9]{0,11}", 12),
        driver_owners=(DriverOwner.MANAGED, DriverOwner.OPERATOR),
        advertiser=Advertiser.OPERATOR,
        purchases=tuple(Purchase),
        interconnects=(Interconnect.ETHERNET, Interconnect.INFINIBAND),
        uniform_mig=True,
        region="westeurope",
        # https://learn.microsoft.com/azure/reliability/regions-list
        region_pattern=r"[a-z]+[0-9]?",
        zone_pattern=r"[123]",
        reservation_pattern=r"[A-Za-z0-9_.-]{1,80}",
        one_mig_profile_a_size=True,
        # https://learn.microsoft.com/azure/aks/quotas-skus-regions
        most_pods_per_node=250,
    ),
    Provider.ONPREM: ProviderFacts(
        pool_name=NameRule("a node label", _LABEL_VALUE, LONGEST_LABEL_VALUE),
        driver_owners=(DriverOwner.OPERATOR, DriverOwner.IMAGE),
        advertiser=Advertiser.OPERATOR,
        purchases=(Purchase.ON_DEMAND, Purchase.RESERVED),
        interconnects=(Interconnect.ETHERNET, Interconnect.ROCE, Interconnect.INFINIBAND),
        uniform_mig=False,
        region="datacenter-1",
    ),
}
