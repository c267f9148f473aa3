"""The namespaces of the platform itself; a team's come with the team.

Pods there are either exempt from admission or held to all rules. Deleting the namespace of node
pools would delete their objects, and with those the machines in the cloud.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from charts_py.components.definition import Definition
from charts_py.components.namespaces.own_namespace import own_namespace
from charts_py.platform.contribution import Contribution
from charts_py.platform.wave import Wave

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from charts_py.objects.document import Document
    from charts_py.platform.contribution import PlatformNamespace
    from charts_py.platform.platform import Platform


def _own(platform: Platform) -> tuple[PlatformNamespace, ...]:
    added = platform.contribution.namespaces
    return tuple(own for own in added if not own.goes_last and not own.made_elsewhere)


def _objects(platform: Platform) -> Iterator[Document]:
    return namespace_objects(platform, _own(platform))


def namespace_objects(platform: Platform, own: Iterable[PlatformNamespace]) -> Iterator[Document]:
    """Yield a Namespace for each, by name; what is enforced there is also what is reported."""
    kubernetes = platform.cluster.kubernetes
    for each in sorted(own, key=lambda each: each.name):
        yield own_namespace(each, kubernetes)


NAMESPACES = Definition(
    name="namespaces",
    description=__doc__,
    appears="where another component needs a namespace of its own",
    is_wanted=lambda platform: bool(_own(platform)),
    fields=("kubernetes",),
    wave=Wave.NAMESPACES,
    objects=_objects,
    removed_last=lambda platform: any(own.confirmed_removal for own in _own(platform)),
)


def lasting_namespace(
    name: str,
    description: str | None,
    own: PlatformNamespace,
    appears: str,
    is_wanted: Callable[[Platform], bool],
    fields: tuple[str, ...],
) -> Definition:
    """Return the component of a namespace that outlives the process in it.

    Argo CD removes Applications in the reverse order of their waves. What the component above drops
    is gone before that begins, and with it would go a process that has to release objects of
    others. This one goes after all else is synced: what monitors the process stands in it, too, and
    Argo CD would put that back into a namespace that is gone.
    """
    return Definition(
        name=name,
        description=description,
        appears=appears,
        is_wanted=is_wanted,
        fields=(*fields, "kubernetes"),
        wave=Wave.LASTING_NAMESPACES,
        contribution=Contribution(namespaces=(replace(own, made_elsewhere=True),)),
        removed_last=lambda _: True,
        objects=lambda platform: namespace_objects(platform, (own,)),
    )
