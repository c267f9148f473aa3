"""The taints of GPU nodes that depend on the provider."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gpus.taint import Taint


@dataclass(frozen=True, slots=True, kw_only=True)
class ProviderTaints:
    """What a provider taints itself; by default nothing, so gpuplane sets every taint."""

    gpu_vendors: tuple[str, ...] = ()
    """Vendors whose GPU taint it sets, such as `nvidia`."""
    host_architectures: tuple[str, ...] = ()
    """CPU architectures whose nodes it taints by `kubernetes.io/arch`, such as `arm64`."""
    spot: Taint | None = None
    """The taint of spot nodes; None for gpuplane's own."""
    sets_spot: bool = False
    """Whether the provider sets the taint of spot nodes."""
    queued: Taint | None = None
    """The taint that it sets on nodes which start only for a job that waits for them."""
