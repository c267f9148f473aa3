"""What stands in `dist/` beside the version of a cluster that is rendered."""

from dataclasses import dataclass, field

from charts_py.argocd.permissions import Permissions


@dataclass(frozen=True, slots=True)
class OtherVersions:
    """What matters of them."""

    permissions: Permissions = field(default_factory=Permissions)
    have_own_project: bool = False
    """Whether one was rendered when each version still had an AppProject in its folder."""


ALONE = OtherVersions()
"""No other version stands there."""
