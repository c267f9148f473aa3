"""The files that the components of a control plane know each other by."""

import json
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import trustme

from charts_py.objects.document import Document

ADMIN = "admin"
CONTROLLER_MANAGER = "system:kube-controller-manager"
SCHEDULER = "system:kube-scheduler"

_GROUPS: Mapping[str, str] = {ADMIN: "system:masters", CONTROLLER_MANAGER: "", SCHEDULER: ""}
"""Group by user. The components are no administrators: they have the roles that Kubernetes gives
them (https://kubernetes.io/docs/reference/access-authn-authz/rbac/#core-component-roles)."""


@dataclass(frozen=True, slots=True)
class ControlPlaneFiles:
    """The folder of a control plane whose API server has an address."""

    folder: Path
    server: str
    tokens: Mapping[str, str]
    """By user."""

    @property
    def authority(self) -> Path:
        """PEM of who vouches for the API server."""
        return self.folder / "authority.crt"

    @property
    def certificate(self) -> Path:
        """PEM of the API server's certificate."""
        return self.folder / "tls.crt"

    @property
    def key(self) -> Path:
        """PEM of its key, which signs the tokens of service accounts as well."""
        return self.folder / "tls.key"

    @property
    def token_file(self) -> Path:
        """Who is known to the API server."""
        return self.folder / "tokens.csv"

    def kubeconfig(self, user: str) -> Path:
        """Return how a user reaches the API server."""
        return self.folder / f"{user.replace(':', '-')}.kubeconfig"

    def write(self, name: str, document: Document) -> Path:
        """Write a configuration file, as JSON, which is YAML."""
        file = self.folder / name
        file.write_text(json.dumps(document))
        return file

    def write_kubeconfig(self, user: str, token: str) -> Path:
        """Write how a user reaches the API server with a token."""
        cluster = {
            "server": self.server,
            "certificate-authority": str(self.authority),
            # On loopback, to compress takes longer than to send.
            "disable-compression": True,
        }
        kubeconfig = {
            "apiVersion": "v1",
            "kind": "Config",
            "clusters": [{"name": "e2e", "cluster": cluster}],
            "users": [{"name": user, "user": {"token": token}}],
            "contexts": [{"name": "e2e", "context": {"cluster": "e2e", "user": user}}],
            "current-context": "e2e",
        }
        return self.write(self.kubeconfig(user).name, kubeconfig)


def write_files(folder: Path, server: str) -> ControlPlaneFiles:
    """Write certificates, tokens and kubeconfigs for an API server on 127.0.0.1."""
    files = ControlPlaneFiles(folder, server, {user: secrets.token_hex() for user in _GROUPS})
    authority = trustme.CA()
    authority.cert_pem.write_to_path(files.authority)
    write_certificate(authority.issue_cert("127.0.0.1"), files.certificate, files.key)
    known = [f'{files.tokens[user]},{user},{user},"{group}"\n' for user, group in _GROUPS.items()]
    files.token_file.write_text("".join(known))
    for user, token in files.tokens.items():
        files.write_kubeconfig(user, token)
    return files


def write_certificate(issued: trustme.LeafCert, certificate: Path, key: Path) -> None:
    """Write the PEM of a certificate, with all that lead to its authority, and of its key."""
    certificate.write_bytes(b"".join(pem.bytes() for pem in issued.cert_chain_pems))
    issued.private_key_pem.write_to_path(key)
