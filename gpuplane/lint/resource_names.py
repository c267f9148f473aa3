"""In which fields and by which names a pod can state resources.

What Kubernetes refuses: `validateContainerResourceName` and `validatePodResourceName` in
https://github.com/kubernetes/kubernetes/blob/v1.36.0/pkg/apis/core/validation/validation.go
"""

import re
from collections.abc import Mapping, Sequence

from gpus.nearest import is_one_typo, nearest
from policies.document import Json, text
from policies.gpu_names import GpuNames
from policies.rules.gpu_resource_name import asking_for

_FIELDS = ("limits", "requests", "claims")
"""https://kubernetes.io/docs/reference/kubernetes-api/workload-resources/pod-v1/#resources"""
_OF_PODS = ("cpu", "memory")
_WITHOUT_DOMAIN = (*_OF_PODS, "ephemeral-storage")
_HUGE_PAGES = "hugepages-"
_LABEL = "[a-z0-9]([a-z0-9-]*[a-z0-9])?"
_QUALIFIED = re.compile(rf"{_LABEL}(\.{_LABEL})*/[A-Za-z0-9]([A-Za-z0-9_.-]*[A-Za-z0-9])?")


def fits_pods(name: str) -> bool:
    """Whether a pod can state a resource for all of its containers."""
    return name in _OF_PODS or name.startswith(_HUGE_PAGES)


def why_refused(name: str) -> str:
    """Return why Kubernetes lets no container state a resource; empty where it does."""
    if name in _WITHOUT_DOMAIN or name.startswith(_HUGE_PAGES):
        return ""
    if "/" not in name:
        return f"only {', '.join(_WITHOUT_DOMAIN)} and huge pages have no domain"
    return "" if _QUALIFIED.fullmatch(name) else "it is not a valid resource name"


def is_misspelled(name: str, names: GpuNames) -> bool:
    """Whether the domain of a resource is nearly that of a maker of GPUs, as in `nvidia/gpu`."""
    domain, slash, _ = name.partition("/")
    if not slash:
        return False
    makers = [each.removesuffix("/") for each in names.domains]
    return domain not in makers and any(
        domain == maker.partition(".")[0] or is_one_typo(domain, maker) for maker in makers
    )


def instead_of_field(field: str) -> str:
    """Return where to state what is in a field of `resources`; empty where the field is right."""
    if field in _FIELDS:
        return ""
    if "/" in field or not why_refused(field):
        return "Move it to resources.limits."
    close = nearest(field, _FIELDS)
    return f"Rename it to {close[0]}." if close else f"Its fields are {', '.join(_FIELDS)}."


def instead_of_name(name: str, offered: Sequence[str]) -> str:
    """Return what to ask for in place of a resource whose name is wrong."""
    spellings = _spellings(offered)
    close = [spellings[each] for each in nearest(name, spellings)]
    if not close:
        return f"{asking_for(offered)}."
    if close[0] in _WITHOUT_DOMAIN:
        return f"Ask for {close[0]}."
    return f"Ask for {close[0]}; offered: {', '.join(offered)}."


def instead_of_amount(amount: Json) -> str:
    """Return how to write an amount that is not a quantity."""
    number = re.fullmatch(r"([0-9.]+) ?([KkMGT])i?[Bb]", text(amount))
    if number is None:
        return "Write a number, with a suffix such as m, M, Mi, G or Gi where needed."
    prefix = number[2].upper()
    return f"Write {number[1]}{prefix}i, which counts by 1024."


def _spellings(offered: Sequence[str]) -> Mapping[str, str]:
    """Return the names of resources by what people write of them, such as `gpu`."""
    ends = {each.partition("/")[2]: each for each in reversed(offered)}
    return ends | {each: each for each in (*_WITHOUT_DOMAIN, *offered)}
