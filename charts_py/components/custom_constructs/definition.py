"""The cdk8s constructs that a cluster brings itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from charts_py.components.component import Component
from charts_py.components.custom_constructs.reference import Reference, load_function
from charts_py.components.definition import Definition
from charts_py.extensions.local_modules import local_modules
from charts_py.platform.wave import Wave

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from constructs import Construct

    from charts_py.platform.platform import Platform


def _parts(platform: Platform) -> Iterator[Component]:
    """Yield a component for each function, named as it is.

    The function is called with a construct to add objects to, and the Platform. Raises SpecError
    where a reference leads to no function; the construct raises it where the function fails.
    """
    seen: dict[str, str] = {}
    for index, text in enumerate(platform.cluster.extensions.constructs):
        reference = Reference(platform, index, text)
        if reference.component in seen:
            first = seen[reference.component]
            raise reference.error(
                f'its component would be named "{reference.component}" as that of "{first}"',
                "another name of the function",
            )
        seen[reference.component] = text
        yield _component(reference, load_function(reference))


def _component(reference: Reference, function: Callable[..., Any]) -> Component:
    def construct(scope: Construct) -> None:
        with local_modules(reference.directory):
            try:
                function(scope, reference.platform)
            except Exception as error:
                raise reference.raised(error) from error

    return Component(
        name=reference.component,
        wave=Wave.EXTENSIONS,
        namespace="default",
        construct=construct,
    )


CUSTOM_CONSTRUCTS = Definition(
    name="custom-constructs",
    description=__doc__,
    appears="once a function that the cluster names",
    is_wanted=lambda platform: bool(platform.cluster.extensions.constructs),
    fields=("extensions.constructs", "addons.monitoring.labels"),
    wave=Wave.EXTENSIONS,
    parts=_parts,
)
