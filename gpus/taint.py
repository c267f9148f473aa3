"""Taints on nodes, and which of them a provider sets."""

from dataclasses import dataclass

from msgspec import Struct


class Taint(Struct, frozen=True, forbid_unknown_fields=True):
    """A taint, with the fields of the Kubernetes core API (`v1.Taint`)."""

    key: str
    value: str
    effect: str

    def __str__(self) -> str:
        return f"{self.key}={self.value}:{self.effect}"


@dataclass(frozen=True, slots=True, kw_only=True)
class ProviderTaints:
    """The taints that a provider sets itself; by default none, so that gpuplane sets them all."""

    gpu_vendors: tuple[str, ...] = ()
    """Vendors whose GPU taint it sets, such as `nvidia`."""
    host_architectures: tuple[str, ...] = ()
    """CPU architectures whose nodes it taints by `kubernetes.io/arch`, such as `arm64`."""
    spot: Taint | None = None
    """The taint of spot nodes; None for gpuplane's own."""
    sets_spot: bool = False
    queued: Taint | None = None
    """The taint that it sets on nodes which start only for a job that waits for them."""


NO_SCHEDULE = "NoSchedule"
NO_EXECUTE = "NoExecute"
