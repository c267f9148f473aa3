"""What `dist/` holds besides the version of a cluster that is rendered."""

from dataclasses import dataclass, field

from charts_py.argocd.permissions import Permissions


@dataclass(frozen=True, slots=True)
class OtherVersions:
    """What matters about the other versions of a cluster."""

    permissions: Permissions = field(default_factory=Permissions)
    have_own_project: bool = False
    """Whether one of them still has an AppProject in its folder."""


ALONE = OtherVersions()
"""There is no other version."""
