"""What the scheduler reserves for a pod: `Pod.effective_request` in CEL."""

from __future__ import annotations

from typing import TYPE_CHECKING

from policies.in_cel.pod_fields import INIT_CONTAINERS
from policies.in_cel.pod_variables import amount_in
from policies.in_cel.quantity import amount

if TYPE_CHECKING:
    from collections.abc import Callable


def reserved_gpus(resource: str) -> str:
    """Return CEL for how much of a GPU resource is reserved, as an integer."""
    return _reserved(lambda container: amount_in(container, resource), "0")


def reserved(resource: str) -> str:
    """Return CEL for how much CPU or memory is reserved, as a double, with the pod's overhead."""
    of_containers = _reserved(
        lambda container: amount(_stated(f"{container}.?resources", resource, 'orValue("0")')),
        "0.0",
    )
    of_pod = _stated("object.spec.?resources", resource, 'orValue("")')
    overhead = amount(f'object.spec.?overhead[?"{resource}"].orValue("0")')
    return f'({of_pod} == "" ? {of_containers} : {amount(of_pod)}) + {overhead}'


def _reserved(amount_of: Callable[[str], str], nothing: str) -> str:
    """Return CEL for the most that runs at once: all containers, or one that starts the pod."""
    running = f"(object.spec.containers + variables.sidecars).map(c, {amount_of('c')})"
    beside = (
        "variables.sidecars.filter(s, variables.init_names.indexOf(s.name)"
        f" < variables.init_names.indexOf(c.name)).map(s, {amount_of('s')})"
    )
    starting = (
        f'{INIT_CONTAINERS}.filter(c, c.?restartPolicy.orValue("") != "Always")'
        f".map(c, {amount_of('c')} + ([{nothing}] + {beside}).sum())"
    )
    return f"([([{nothing}] + {running}).sum()] + {starting}).max()"


def _stated(amounts: str, resource: str, absent: str) -> str:
    return f'{amounts}.?requests[?"{resource}"].or({amounts}.?limits[?"{resource}"]).{absent}'
