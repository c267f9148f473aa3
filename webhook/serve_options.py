"""How the webhook is served."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from webhook.gate import Limits

if TYPE_CHECKING:
    from pathlib import Path

    from webhook.log import LogLevel


@dataclass(frozen=True, slots=True)
class ServeOptions:
    """How the webhook is served."""

    settings: Path
    """JSON file of the settings, read again when it changes."""
    certificate: Path
    """PEM file of the certificate and those that vouch for it, read again when it changes."""
    key: Path
    """PEM file of its key, without a passphrase."""
    client_ca: Path | None = None
    """PEM file of who vouches for clients; None lets everybody in."""
    host: str = "0.0.0.0"  # noqa: S104 # a pod's address is known to none but its node
    port: int = 8443
    """0 takes one that is free, which the log names."""
    operations_port: int | None = None
    """Serves `/livez`, `/readyz` and `/metrics` also without TLS. Needed with `client_ca`, since
    the kubelet's probes show no certificate."""
    workers: int = 1
    """Processes. More than one need a temporary directory that they can write to."""
    log_level: LogLevel = "info"
    drain_seconds: float = 5.0
    """From SIGTERM, when `/readyz` fails, until no connection is taken any more: as long as
    endpoints take to reach every API server."""
    limits: Limits = field(default_factory=Limits)
    """Of each worker."""
