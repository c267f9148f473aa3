"""Whom reviews are answered, where clients must show a certificate."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import asyncio

    from webhook.live_certificate import LiveCertificate


class KnownClients:
    """Clients with a certificate of the client authority in force, and one of the names, if any.

    TLS has verified the certificate. What TLS leaves open is judged here, once a connection.
    """

    def __init__(self, certificate: LiveCertificate, names: tuple[str, ...]) -> None:
        self._certificate = certificate
        self._names = names

    @property
    def authority(self) -> bytes:
        """Stands for the client authority in force; another one after it was replaced."""
        return self._certificate.client_authority

    def refusal(self, transport: asyncio.BaseTransport) -> str | None:
        """Return why a client is not known; None where it is, or where nobody must be."""
        if not self.authority:
            return None
        # TLS 1.2 resumes by an identifier, which no option of Python's ssl turns off, and verifies
        # against the authorities of the time when the session began. Go's client, which the API
        # server is, resumes none by default (`ClientSessionCache` of
        # https://pkg.go.dev/crypto/tls#Config).
        if transport.get_extra_info("ssl_object").session_reused:
            return "it resumed a TLS session, and showed no certificate"
        # The name by which Kubernetes knows the holder of a certificate:
        # https://kubernetes.io/docs/reference/access-authn-authz/authentication/#x509-client-certificates
        subject = transport.get_extra_info("peercert").get("subject", ())
        name = dict(each for part in subject for each in part).get("commonName", "")
        if self._names and name not in self._names:
            return f"its certificate is of {name!r}; known: {', '.join(self._names)}"
        return None
