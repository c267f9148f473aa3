"""What makes the nodes of a platform."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from charts_py.objects.document import Document
    from charts_py.platform.platform import Platform
    from charts_py.platform.wave import Wave


@dataclass(frozen=True, slots=True, kw_only=True)
class Provisioner:
    """One way of making nodes that a provider has."""

    objects: Callable[[Platform], Iterable[Document]]
    """Returns the objects that nodes are made from; raises RenderError where a pool lacks what the
    provider needs."""
    wave: Wave
    namespace: str
    """Namespace of the objects that name none."""
    namespaces: tuple[str, ...] = ()
    """Namespaces to make for the objects, whatever the pools: one that came and went with what
    stands in it would be deleted while Argo CD still prunes there."""
    component: str = "node-pools"
    """Name of the component."""
    takes_startup_taints: bool = False
    """Whether nodes can start with taints that are taken off later, which the autoscaler ignores
    when it plans."""
    ignore_differences: tuple[Mapping[str, Any], ...] = ()
    """Fields of the objects that are left as they are, as Argo CD's `ignoreDifferences` lists."""
    is_synced: bool = True
    """Whether Argo CD syncs the objects; else a person applies them, with a tool of its own."""
