"""What the platform must know about the cluster's network."""

from charts_py.spec.strict_model import StrictModel
from charts_py.spec.text_forms import IpAddress


class Network(StrictModel):
    """What the platform must know about the cluster's network."""

    dns_address: IpAddress | None = None
    """Address of the Service `kube-dns`, which pods of teams may then ask for names. Needed where
    Calico enforces NetworkPolicies and NodeLocal DNSCache answers at that address itself, in the
    network of its node: no selector of pods matches it."""
