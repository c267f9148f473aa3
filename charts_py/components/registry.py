"""Every component there is, in the order of their waves."""

from collections.abc import Callable, Iterator

from charts_py.component import Component
from charts_py.components import priority_classes
from charts_py.platform.platform import Platform

PLANS: tuple[Callable[[Platform], Iterator[Component]], ...] = (priority_classes.plan,)


def plan_components(platform: Platform) -> tuple[Component, ...]:
    """Return the components that a platform needs."""
    return tuple(component for plan in PLANS for component in plan(platform))
