"""What an installation of Argo CD has in its cluster."""

from __future__ import annotations

import secrets

from charts_py.argocd.application import API_VERSION
from charts_py.objects.document import Document
from tests.e2e.argo_cd.commands import NAMESPACE
from tests.e2e.control_plane.api_client import ApiClient
from tests.e2e.control_plane.namespaces import make_namespace
from tests.e2e.releases import crds
from upstream.fetch import Mirror

_KINDS = ("Application", "ApplicationSet", "AppProject")

_PART_OF = {"app.kubernetes.io/part-of": "argocd"}
"""Argo CD reads no configuration without it."""


def install_argo_cd(client: ApiClient, mirror: Mirror) -> None:
    """Create kinds, namespace, configuration and the project `default`."""
    kinds = [{"apiVersion": API_VERSION, "kind": kind} for kind in _KINDS]
    crds.install(client, crds.definitions_of(kinds, mirror))
    make_namespace(client, NAMESPACE)
    for name in ("argocd-cm", "argocd-rbac-cm"):
        client.create({"apiVersion": "v1", "kind": "ConfigMap", "metadata": _metadata(name)})
    secret = {"server.secretkey": secrets.token_hex()}
    client.create(
        {
            "apiVersion": "v1",
            "kind": "Secret",
            "metadata": _metadata("argocd-secret"),
            "stringData": secret,
        }
    )
    client.create(_default_project())


def _default_project() -> Document:
    everything = [{"group": "*", "kind": "*"}]
    return {
        "apiVersion": API_VERSION,
        "kind": "AppProject",
        "metadata": {"name": "default", "namespace": NAMESPACE},
        "spec": {
            "sourceRepos": ["*"],
            "destinations": [{"server": "*", "namespace": "*"}],
            "clusterResourceWhitelist": everything,
        },
    }


def _metadata(name: str) -> Document:
    return {"name": name, "namespace": NAMESPACE, "labels": _PART_OF}
