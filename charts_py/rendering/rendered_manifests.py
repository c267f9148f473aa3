"""Manifests of others as folders of their objects, where a cluster file asks for that."""

from __future__ import annotations

from typing import TYPE_CHECKING

from charts_py.objects.manifest_yaml import from_yaml
from upstream.fetch import Mirror, read_locked

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from charts_py.components.component import PinnedManifests
    from charts_py.objects.document import Document


def manifest_objects(manifests: PinnedManifests, mirror: Path) -> Iterator[Document]:
    """Yield the objects of pinned files; raise UpstreamError where the mirror lacks one."""
    for locked in manifests.locked:
        yield from from_yaml(read_locked(locked, Mirror(mirror)).decode())
