"""Who asks the API server for a pod."""

from __future__ import annotations

from typing import NamedTuple

NODES = "system:nodes"
"""The group of every kubelet
(https://kubernetes.io/docs/reference/access-authn-authz/node/)."""
SERVICE_ACCOUNT = "system:serviceaccount:"
"""What the name of each service account begins with, before that of its namespace."""


class User(NamedTuple):
    """Who asks, as the API server knows them."""

    name: str = ""
    groups: tuple[str, ...] = ()

    @property
    def is_kubelet(self) -> bool:
        """Whether it is the kubelet of some node."""
        return NODES in self.groups

    def is_service_account_of(self, namespace: str) -> bool:
        """Whether it is a service account in that namespace.

        https://kubernetes.io/docs/reference/access-authn-authz/authentication/#service-account-tokens
        """
        return self.name.startswith(f"{SERVICE_ACCOUNT}{namespace}:")


NOBODY = User()
"""Where it is not known who asks."""
