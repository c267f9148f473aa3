"""The taints and labels of a group of nodes that its pool is to keep."""

from charts_py.cluster_file.pool import GpuTaint, TaintEffect
from charts_py.providers.registry import PROVIDERS
from gpuplane.adoption.commented import Commented
from gpuplane.adoption.node_group import NodeGroup
from gpuplane.adoption.nodes import is_own
from gpus.model import GpuModel
from gpus.provider import Provider
from gpus.taint import NO_SCHEDULE

_PRESENT = "present"
_EFFECTS = {one.name: one.value for one in TaintEffect}
"""As Config Connector writes them."""


def mark_fields(
    group: NodeGroup, resource: str, model: GpuModel | None, provider: Provider
) -> dict[str, Commented]:
    """Return what a pool states of its nodes' taints and labels; `resource` is of its GPUs."""
    fields: dict[str, Commented] = {}
    by_provider = model is not None and model.vendor in PROVIDERS[provider].taints.gpu_vendors
    taints = [_parts(taint) for taint in group.taints]
    kept = [one for one in taints if _is_kept(one, resource, by_provider=by_provider)]
    is_seen = bool(group.nodes or group.instance_types)
    if is_seen and not by_provider and resource not in {key for key, _, _ in taints}:
        which = "pods without GPUs that tolerate its taints" if kept else "pods without GPUs"
        what = f"{which} start on its nodes today; without this line, they are tainted"
        fields["taint"] = Commented(GpuTaint.NONE.value, group.origin, (what,))
    if kept:
        fields["taints"] = Commented([_field(*one) for one in kept], group.origin)
    labels = {key: value for key, value in sorted(group.labels.items()) if is_own(key)}
    if labels:
        fields["labels"] = Commented(labels, group.origin)
    return fields


def _parts(taint: str) -> tuple[str, str, str]:
    """Return key, value and effect of a taint, as `key=value:effect` or without a value."""
    mark, _, effect = taint.rpartition(":")
    key, _, value = mark.partition("=")
    return key, value, _EFFECTS.get(effect, effect)


def _is_kept(taint: tuple[str, str, str], resource: str, *, by_provider: bool) -> bool:
    key, value, effect = taint
    if effect not in _EFFECTS.values():
        return False
    if key == resource:
        return not by_provider and (value, effect) != (_PRESENT, NO_SCHEDULE)
    return is_own(key)


def _field(key: str, value: str, effect: str) -> dict[str, str]:
    stated = {"key": key} | ({"value": value} if value else {})
    return stated | ({} if effect == NO_SCHEDULE else {"effect": effect})
