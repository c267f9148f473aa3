"""Joining what several components add to one namespace."""

from collections.abc import Hashable, Iterable
from typing import TypeVar

from charts_py.platform.render_error import RenderError

_Name = TypeVar("_Name", bound=Hashable)
_Value = TypeVar("_Value")


def joined(
    place: str, what: str, added: Iterable[tuple[str, _Name, _Value]]
) -> dict[_Name, _Value]:
    """Return what components add, by name; `added` has the component, name and value of each.

    Raises RenderError where one name is added twice.
    """
    values: dict[_Name, _Value] = {}
    owners: dict[_Name, str] = {}
    for component, name, value in added:
        if name in owners:
            raise RenderError(
                f'{place}: the component {component} adds the {what} "{name}", '
                f"which the component {owners[name]} adds already"
            )
        owners[name], values[name] = component, value
    return values
