"""The namespaces of the platform itself; a team's come with the team.

Pods there are either exempt from admission or held to all rules. Deleting the namespace of node
pools would delete their objects, and with those the machines in the cloud.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from charts_py.components.definition import Definition
from charts_py.platform.wave import Wave

if TYPE_CHECKING:
    from collections.abc import Callable

    from constructs import Construct

    from charts_py.platform.platform import Platform


def _construct(platform: Platform) -> Callable[[Construct], object]:
    from charts_py.components.namespaces.construct import Namespaces

    own, kubernetes = platform.additions.namespaces, platform.cluster.kubernetes
    return lambda scope: Namespaces(scope, "namespaces", own, kubernetes)


NAMESPACES = Definition(
    name="namespaces",
    description=__doc__,
    appears="where another component needs a namespace of its own",
    is_wanted=lambda platform: bool(platform.additions.namespaces),
    fields=("kubernetes",),
    wave=Wave.NAMESPACES,
    construct=_construct,
    removed_last=lambda platform: any(
        own.confirmed_removal for own in platform.additions.namespaces
    ),
)
