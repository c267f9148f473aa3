"""Namespaces that go after what stands in them, each in an Application of its own.

What the component `namespaces` drops is gone before Argo CD prunes the Application of a component
that is dropped with it. Until then that puts back what stood in the namespace, fails, and goes only
when it has retried for up to ten minutes.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from charts_py.components.component import Component
from charts_py.components.definition import Definition
from charts_py.components.namespaces.definition import namespace_objects
from charts_py.platform.wave import Wave

if TYPE_CHECKING:
    from collections.abc import Iterator

    from charts_py.platform.platform import Platform


def _parts(platform: Platform) -> Iterator[Component]:
    for own in platform.contribution.namespaces:
        if own.goes_last:
            yield Component(
                name=f"{own.name}-namespace",
                wave=Wave.LASTING_NAMESPACES,
                namespace="default",
                objects=partial(namespace_objects, platform, (own,)),
                is_removed_last=True,
            )


LASTING_NAMESPACES = Definition(
    name="lasting-namespaces",
    description=__doc__,
    appears="where an operator that can be switched off needs a namespace of its own",
    is_wanted=lambda platform: any(own.goes_last for own in platform.contribution.namespaces),
    fields=("kubernetes",),
    wave=Wave.LASTING_NAMESPACES,
    parts=_parts,
)
