"""The quota of a namespace."""

from collections.abc import Iterator, Mapping

from gpuplane.adoption.commented import Commented, note
from gpuplane.adoption.found_object import whole_number
from gpuplane.adoption.teams.dealt_quotas import DealtQuota
from gpuplane.adoption.teams.found_quota import FoundQuota

_SIZES: Mapping[str, tuple[str, ...]] = {
    "cpu": ("requests.cpu", "cpu"),
    "memory": ("requests.memory", "memory"),
    "storage": ("requests.storage",),
    "ephemeralStorage": ("requests.ephemeral-storage", "ephemeral-storage"),
}
"""Fields, by the resources that say the same, the first of them that is bounded."""
_COUNTS: Mapping[str, str] = {
    "loadBalancers": "services.loadbalancers",
    "nodePorts": "services.nodeports",
    "resourceClaims": "count/resourceclaims.resource.k8s.io",
}
_REQUIRED = ("cpu", "memory", "storage")
_BINARY = {"Ti": 2**40, "Gi": 2**30, "Mi": 2**20, "Ki": 2**10}


def quota_fields(quota: FoundQuota, dealt: DealtQuota) -> Commented:
    """Return the quota, its GPUs as they are dealt to pools."""
    fields: dict[str, Commented] = {"gpus": _gpus(quota, dealt)}
    for field, names in _SIZES.items():
        bound = quota.first(*names)
        if bound is not None:
            fields[field] = Commented(bound if field == "cpu" else with_unit(bound), quota.origin)
        elif field in _REQUIRED:
            fields[field] = note(f"{field}: nothing bounds {names[0]} today; set it")
    for field, name in _COUNTS.items():
        if count := whole_number(quota.hard.get(name)):
            fields[field] = Commented(count, quota.origin)
    return Commented(fields, notes=(*quota.notes, *_lost(quota)))


def _gpus(quota: FoundQuota, dealt: DealtQuota) -> Commented:
    if not dealt.gpus:
        return note(
            *dealt.notes, "gpus: no quota of GPUs that pools offer; set allocations by pool"
        )
    return Commented(dict(sorted(dealt.gpus.items())), quota.origin, tuple(dealt.notes))


def with_unit(quantity: str) -> str:
    """Return a quantity of bytes with the largest unit that divides it."""
    size = whole_number(quantity)
    if not size:
        return "0Gi" if size == 0 else quantity
    unit = next((one for one, factor in _BINARY.items() if size % factor == 0), "")
    return f"{size // _BINARY.get(unit, 1)}{unit}"


def _lost(quota: FoundQuota) -> Iterator[str]:
    known = {name for names in _SIZES.values() for name in names} | {*_COUNTS.values()}
    gpus = {f"requests.{resource}" for resource in quota.requested()}
    memory = quota.first("requests.memory", "memory")
    for name, bound in sorted(quota.hard.items()):
        if name not in known | gpus and (name, bound) != ("limits.memory", memory):
            yield f"not carried over: {name} {bound} of {quota.origin}"
