"""The containers of a pod template as they are written, whatever they ask for."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from policies.document import Json, elements, members, shown, text
from policies.workloads.pod_template import PodTemplate

_CONTAINERS = ("containers", "initContainers", "ephemeralContainers")


class WrittenContainer(NamedTuple):
    """A container of any kind."""

    culprit: str
    """What findings call it: `container train`."""
    pointer: str
    """From the object."""
    raw: Mapping[str, Json]


def written_containers(template: PodTemplate) -> Iterator[WrittenContainer]:
    """Yield each container of a template; those without a name are called by their place."""
    spec = members(template.document.get("spec"))
    for field in _CONTAINERS:
        for index, container in enumerate(elements(spec.get(field))):
            raw = members(container)
            name = shown(text(raw.get("name"))) or f"spec.{field}[{index}]"
            place = f"{template.pointer}/spec/{field}/{index}"
            yield WrittenContainer(f"container {name}", place, raw)
