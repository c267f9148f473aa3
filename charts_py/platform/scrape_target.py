"""What Prometheus scrapes of a component."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class ScrapeTarget:
    """Pods that serve metrics, and the Service before them."""

    name: str
    namespace: str
    selector: Mapping[str, str]
    """Labels of the Service and of its pods."""
    port: str
    """Name of its port, and of theirs."""
    path: str = "/metrics"
    tls: Mapping[str, Any] = field(default_factory=dict)
    """`tlsConfig` of the Prometheus operator; empty for plain HTTP."""
    names_node: bool = False
    """Whether its metrics get the node of the pod as the label `node`."""
    is_authorized: bool = False
    """Whether the Prometheus of the operator shows the token of its own service account."""
    honors_labels: bool = False
    """Whether its metrics keep labels that Prometheus would otherwise set: they name others."""
