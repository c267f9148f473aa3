"""Places in a pod, as Kubernetes names fields in its errors."""

from policies.in_cel.pod_fields import VOLUMES, containers_in, is_among

_LISTS = ("initContainers", "containers")


def _place(field: str) -> str:
    names = f"{containers_in(field)}.map(one, one.name)"
    return f'"spec.{field}[" + string({names}.indexOf(container.name)) + "]"'


FIELD_PATH = (
    "("
    + "".join(f"{is_among(containers_in(field))} ? {_place(field)} : " for field in _LISTS)
    + _place("ephemeralContainers")
    + ")"
)
"""CEL for the place of a `container`; names are unique in a pod."""


def volume_index(volume: str) -> str:
    """Return CEL for the index of a volume in the pod, as a string."""
    return f"string({VOLUMES}.map(one, one.name).indexOf({volume}.name))"


def index_where(elements: str, element: str, condition: str) -> str:
    """Return CEL for the index of the first element of which the condition is true, as a string."""
    return f'string({elements}.map({element}, {condition} ? "it" : "").indexOf("it"))'
