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
    """PEM file of the certificate and its chain, read again when it changes."""
    key: Path
    """PEM file of its key, without a passphrase."""
    client_ca: Path | None = None
    """PEM file of the authorities that sign client certificates; None lets everybody in."""
    client_names: tuple[str, ...] = ()
    """Common names of the client certificates that are let in; empty lets in all that `client_ca`
    has signed."""
    host: str = "0.0.0.0"  # noqa: S104 # only its node knows a pod's address
    port: int = 8443
    """0 takes a free one, which the log names."""
    operations_port: int | None = None
    """Also serves `/livez`, `/readyz` and `/metrics`, without TLS. Needed with `client_ca`, since
    the kubelet's probes show no certificate."""
    workers: int = 1
    """Processes, besides the one that replaces them. All need a writable temporary directory."""
    log_level: LogLevel = "info"
    drain_seconds: float = 5.0
    """From SIGTERM, when `/readyz` fails, until no more connections are accepted: as long as a
    change of endpoints takes to reach every API server."""
    limits: Limits = field(default_factory=Limits)
