"""The certificate that is shown, read again whenever its files change."""

from __future__ import annotations

import hashlib
import ssl
from typing import TYPE_CHECKING

from cryptography import x509

from webhook.reloaded_files import ReloadError, read

if TYPE_CHECKING:
    from pathlib import Path

    from structlog.typing import FilteringBoundLogger

    from webhook.metrics import Metrics

MINIMUM_TLS = ssl.TLSVersion.TLSv1_2


def read_context(certificate: Path, key: Path, client_ca: Path | None) -> ssl.SSLContext:
    """Return what serves TLS with these files; raises ReloadError where they cannot."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = MINIMUM_TLS
    try:
        context.load_cert_chain(certificate, key, _no_passphrase)
    except (OSError, ValueError) as error:  # ssl.SSLError is an OSError
        raise ReloadError(certificate, f"cannot be used with {key}: {error}") from error
    if client_ca:
        context.verify_mode = ssl.CERT_REQUIRED
        # A session that is resumed shows no certificate again: none is offered.
        context.num_tickets = 0
        context.options |= ssl.OP_NO_TICKET
        try:
            context.load_verify_locations(client_ca)
        except (OSError, ValueError) as error:
            raise ReloadError(client_ca, f"not a file of certificates: {error}") from error
    return context


class LiveCertificate:
    """Holds the TLS context of the certificate in force.

    The server always listens with `context`, and hands each handshake over to the context that was
    read last. So a broken key never affects a context that works, and open connections go on.
    """

    name = "certificate"

    def __init__(
        self,
        certificate: Path,
        key: Path,
        client_ca: Path | None,
        metrics: Metrics,
        log: FilteringBoundLogger,
    ) -> None:
        self._given = (certificate, key, client_ca)
        self.files = [file for file in self._given if file]
        self._metrics = metrics
        self._log = log
        self._digest = b""
        self.client_authority = b""
        """Digest of the authorities of client certificates; empty where none is asked for."""
        self.reload()
        self.context = self._latest
        self.context.sni_callback = self._hand_over

    def reload(self) -> None:
        """Read the files again; raises ReloadError, and then keeps the context in force."""
        contents = [read(file) for file in self.files]
        digest = hashlib.sha256(b"\0".join(contents)).digest()
        if digest == self._digest:
            return
        certificate, _, client_ca = self._given
        latest = read_context(*self._given)
        try:
            expiry = x509.load_pem_x509_certificate(contents[0]).not_valid_after_utc
        except ValueError as error:
            raise ReloadError(certificate, f"not a PEM certificate: {error}") from error
        self._latest = latest
        self._digest = digest
        if client_ca:
            self.client_authority = hashlib.sha256(contents[-1]).digest()
        self._metrics.loaded_certificate(expiry)
        self._log.info("certificate loaded", expires=expiry.isoformat())

    def _hand_over(
        self, connection: ssl.SSLObject, _name: str | None, _context: ssl.SSLContext
    ) -> None:
        connection.context = self._latest


def _no_passphrase() -> str:
    # Without it, OpenSSL asks for one on the terminal.
    raise ValueError("the key is encrypted; only keys without a passphrase are allowed")
