"""A JupyterHub of a team's namespace: who logs in, and what notebooks are made of."""

from typing import Annotated

from pydantic import Field

from charts_py.cluster_file.gitops import IMAGE
from charts_py.cluster_file.quantity import PositiveQuantity
from charts_py.cluster_file.strict_model import StrictModel, Unique
from charts_py.cluster_file.text_forms import Destination, DomainName, ObjectName

_Endpoint = Annotated[
    str,
    Field(
        pattern=r"^https://[^\s/@?#{}]+(/[^\s@?#{}]*)?$",
        examples=["https://login.example.com/oauth2/token"],
    ),
]
_Word = Annotated[str, Field(pattern=r"^[^\s{}]+$", examples=["notebooks"])]


class IdentityProvider(StrictModel):
    """Who vouches for users, by OpenID Connect."""

    authorize_url: _Endpoint
    """Where browsers log in."""
    token_url: _Endpoint
    """Where the hub asks who that was."""
    addresses: Annotated[tuple[Destination, ...], Unique()] = Field(min_length=1)
    """CIDRs at which the hub reaches `tokenUrl` over TLS."""
    client_id: _Word
    """Name of the hub at the provider, whose redirect URL is
    `https://HOSTNAME/hub/oauth_callback`."""
    scopes: Annotated[tuple[_Word, ...], Unique()] = ("openid", "email", "profile")
    """What the hub asks for; some providers leave groups out unless `groups` is among it."""
    username_claim: _Word = "email"
    """Claim of the ID token that names users: one that they cannot change themselves, since the
    home of a user is that of the name."""
    groups_claim: _Word = "groups"
    """Claim of the ID token that lists groups."""
    groups_prefix: str = Field(default="", pattern=r"^[^\s{}]*$", examples=["oidc:"])
    """What the API server puts before the groups of tokens, and `members` therefore have."""


class JupyterHub(StrictModel):
    """A JupyterHub in the namespace, which starts notebooks of its users there."""

    hostname: DomainName
    """Name by which browsers reach it, over TLS. The Gateway of the cluster, where there is one
    (`serving.gateway`), answers for it; else what you bring."""
    identity_provider: IdentityProvider
    """Users and admins of the team's `members` may log in; its admins are those of the hub."""
    image: Annotated[
        str, Field(pattern=IMAGE, examples=["registry.example.com/notebooks/torch:1.4"])
    ]
    """Image of notebooks, with the program `jupyterhub-singleuser`."""
    secret: ObjectName = "jupyterhub-secrets"  # noqa: S105 # its name
    """Secret in the namespace with the keys `client-secret`, `hub.config.JupyterHub.cookie_secret`
    and `hub.config.ConfigurableHTTPProxy.auth_token` (docs/notebooks.md)."""
    storage: PositiveQuantity = "10Gi"
    """Size of each user's home."""
    storage_class: ObjectName | None = None
    """Storage class of homes and of the hub's database; by default the cluster's own."""
