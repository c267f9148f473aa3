"""What a cluster's Applications must be allowed to do."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from charts_py.document import EmittedKind, key_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from charts_py.component import Component
    from charts_py.document import Document


@dataclass(frozen=True, slots=True)
class Permissions:
    """What the synced components of one version or several need, and no more."""

    repositories: frozenset[str] = frozenset()
    namespaces: frozenset[str] = frozenset()
    cluster_kinds: frozenset[EmittedKind] = frozenset()
    """Kinds of objects that live in no namespace."""

    def __or__(self, other: Permissions) -> Permissions:
        """Return what either allows."""
        return Permissions(
            self.repositories | other.repositories,
            self.namespaces | other.namespaces,
            self.cluster_kinds | other.cluster_kinds,
        )


@dataclass(frozen=True, slots=True)
class OtherVersions:
    """What matters of the versions that stand beside one in `dist/`."""

    permissions: Permissions = Permissions()
    bring_project: bool = False
    """Whether one of them has an AppProject of its own, as they had once."""


ALONE = OtherVersions()
"""No other version stands there."""


def permissions_of(
    components: Iterable[Component],
    folders: Mapping[str, tuple[Document, ...]],
    repository: str,
) -> Permissions:
    """Return what the synced of these components need; `folders` has their objects by name."""
    synced = [component for component in components if component.is_synced]
    releases = [component.helm for component in synced if component.helm is not None]
    keys = [
        key_of(document) for component in synced for document in folders.get(component.name, ())
    ]
    namespaces = {key.namespace for key in keys if key.namespace}
    released = {kind for release in releases for kind in release.kinds if not kind.namespaced}
    # What a cluster adds itself may leave its namespace to the Application. A kind has one scope
    # only, so allowing it outside of namespaces as well allows nothing more.
    emitted = {key.emitted_kind for key in keys if not key.namespace}
    return Permissions(
        repositories=frozenset({repository} | {release.repository for release in releases}),
        namespaces=frozenset(namespaces | {component.namespace for component in synced}),
        cluster_kinds=frozenset(released | emitted),
    )
