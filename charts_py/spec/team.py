"""Teams: their namespaces, people, money and shares of the hardware."""

from enum import StrEnum

from pydantic import Field

from charts_py.spec.pool import Purpose
from charts_py.spec.quantity import Quantity
from charts_py.spec.strict_model import StrictModel


class PodSecurity(StrEnum):
    """Pod Security Standards level (https://kubernetes.io/docs/concepts/security/pod-security-standards/)."""

    RESTRICTED = "restricted"
    BASELINE = "baseline"
    PRIVILEGED = "privileged"


class Members(StrictModel):
    """Groups of the identity provider, by what they may do in the team's namespaces."""

    users: tuple[str, ...] = ()
    """Run GPU workloads: role `gpu-user`."""
    viewers: tuple[str, ...] = ()
    """Read them: role `gpu-viewer`."""
    admins: tuple[str, ...] = ()
    """Also manage the namespace's configuration, secrets and claims: role `gpu-admin`."""


class Quota(StrictModel):
    """The most that one namespace may request."""

    gpus: dict[str, int] = Field(min_length=1)
    """Allocations by pool: the pools that the namespace may use, and how much of each. One is a
    whole GPU, a MIG instance or a share of either, as the pool offers it."""
    cpu: int = Field(ge=1)
    """CPUs."""
    memory: Quantity
    """Memory."""
    storage: Quantity
    """Sum of the persistent volume claims."""
    resource_claims: int | None = Field(default=None, ge=0)
    """DRA claims; needs Kubernetes 1.34. Where claims exist, none are allowed unless said."""


class Namespace(StrictModel):
    """One namespace of a team."""

    purpose: Purpose
    """What runs here; decides the default priority and the network policies."""
    quota: Quota
    """The most that it may request."""
    pod_security: PodSecurity = PodSecurity.RESTRICTED
    """Level that is enforced."""
    egress: tuple[str, ...] = ()
    """CIDRs outside the cluster that pods may reach over TLS, such as an object store's."""


class Team(StrictModel):
    """The people who share a budget."""

    owner: str = Field(pattern=r"^[^@\s]+@[^@\s]+$")
    """Mail address of who answers for the team."""
    cost_center: str = Field(pattern=r"^[A-Za-z0-9]([-\w.]{0,61}[A-Za-z0-9])?$")
    """Whom the GPUs are billed to; a label value."""
    project: str | None = Field(default=None, pattern=r"^[A-Za-z0-9]([-\w.]{0,61}[A-Za-z0-9])?$")
    """Project within the cost centre; a label value. Defaults to the team's name."""
    members: Members
    """Who may do what."""
    priorities: tuple[str, ...] = Field(min_length=1)
    """Priority classes that the team may use."""
    namespaces: dict[str, Namespace] = Field(min_length=1)
    """Its namespaces by name."""
