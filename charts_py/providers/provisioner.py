"""What every provider's module offers, and the component that they share."""

from collections.abc import Iterator
from typing import Protocol

from charts_py.component import Component
from charts_py.platform.platform import Platform

COMPONENT = "node-pools"
"""Name of the component that makes the nodes."""


class NodeProvisioner(Protocol):
    """Makes the nodes of a platform; each provider's module is one."""

    NAMESPACES: tuple[str, ...]
    """Namespaces to make for the objects of the components, whatever the pools: one that came and
    went with what stands in it would be deleted while Argo CD still prunes there."""

    def plan(self, platform: Platform) -> Iterator[Component]:
        """Yield the components that make the nodes.

        Raises RenderError where a pool lacks what the provider needs.
        """
