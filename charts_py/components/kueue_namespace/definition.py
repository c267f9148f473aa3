"""The namespace of Kueue, which goes after Kueue, and that after the last of its queues.

Argo CD removes Applications in the reverse order of their waves. What the component `namespaces`
drops is gone before that begins, and with it would go the process that has to release the queues.
It goes after all else is synced, since what monitors Kueue stands in it, too, and Argo CD would put
that back into a namespace that is gone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from charts_py.components.definition import Definition
from charts_py.platform.additions import OwnNamespace
from charts_py.platform.wave import Wave
from charts_py.spec.queues import QueueEngine
from charts_py.spec.team import PodSecurity

if TYPE_CHECKING:
    from collections.abc import Callable

    from constructs import Construct

    from charts_py.platform.platform import Platform

KUEUE_NAMESPACE = "kueue-system"
"""Where its documentation installs it, and what its visibility API expects."""

_OWN_NAMESPACE = OwnNamespace(KUEUE_NAMESPACE, PodSecurity.RESTRICTED)


def _construct(platform: Platform) -> Callable[[Construct], object]:
    from charts_py.components.namespaces.construct import Namespaces

    own, kubernetes = (_OWN_NAMESPACE,), platform.cluster.kubernetes
    return lambda scope: Namespaces(scope, "namespaces", own, kubernetes)


NAMESPACE_OF_KUEUE = Definition(
    name="kueue-namespace",
    description=__doc__,
    appears="where the cluster has queues of Kueue",
    is_wanted=lambda platform: platform.cluster.queue_engine is QueueEngine.KUEUE,
    fields=("queues", "kubernetes"),
    wave=Wave.NAMESPACES,
    own_namespaces=(_OWN_NAMESPACE,),
    needs_namespaces=lambda _: False,
    removed_last=lambda _: True,
    construct=_construct,
)
