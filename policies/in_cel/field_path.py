"""The place of a container, as Kubernetes names fields in its errors."""

_LISTS = ("initContainers", "containers")


def _place(field: str) -> str:
    names = f"object.spec.?{field}.orValue([]).map(one, one.name)"
    return f'"spec.{field}[" + string({names}.indexOf(container.name)) + "]"'


def _is_in(field: str) -> str:
    return f"object.spec.?{field}.orValue([]).exists(one, one.name == container.name)"


FIELD_PATH = (
    "("
    + "".join(f"{_is_in(field)} ? {_place(field)} : " for field in _LISTS)
    + _place("ephemeralContainers")
    + ")"
)
"""CEL for the place of a `container`; names are unique in a pod."""
