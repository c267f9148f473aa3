"""What changed labels and taints of nodes do where the nodes stay.

A node has them at once: of GKE's and AKS's pools, and by rules of Node Feature Discovery.
"""

from collections.abc import Iterable, Iterator

from charts_py.objects.document import Document
from gpuplane.plan.effect import Effect, Verdict
from gpuplane.plan.effects.sharing_config import sharing_change
from gpuplane.plan.fields import ChangedField, shared_path, value_at
from gpuplane.plan.object_change import ObjectChange
from gpuplane.plan.rollouts.managed_pools import pool_plugin_restart, relabelling
from gpuplane.plan.sources import source

MIG_CONFIG = "nvidia.com/mig.config"
PLUGIN_CONFIG = "nvidia.com/device-plugin.config"

_EVICTING = ("NoExecute", "NO_EXECUTE")


def plugin_config_label(change: ObjectChange, fields: tuple[ChangedField, ...]) -> Iterable[Effect]:
    for field in fields:
        found = sharing_change(change.cluster, field.old, field.new)
        yield Effect(
            found.verdict,
            field.path,
            found.reason,
            found.source,
            is_certain=found.is_certain,
            rollouts=pool_plugin_restart(change),
        )


def taints(change: ObjectChange, fields: tuple[ChangedField, ...]) -> Iterable[Effect]:
    path = shared_path(tuple(field.path for field in fields))
    old, new = (set(_evicting_taints(side)) for side in change.sides)
    if new <= old:
        reason = "Running pods stay: only where pods start next is decided by the taint."
        yield Effect(Verdict.SAFE, path, reason, source("docs_taints"))
        return
    yield Effect(
        Verdict.DISRUPTIVE,
        path,
        "Pods that run there and do not tolerate the taint are evicted at once.",
        source("docs_taints"),
        rollouts=relabelling(change),
    )


def _evicting_taints(document: Document) -> Iterator[str]:
    """Yield the taints that evict pods: GKE and rules write them as mappings, AKS as texts."""
    spec = document.get("spec") or {}
    listed = [value_at(spec, "nodeConfig", "taint"), spec.get("nodeTaints")]
    listed += [rule.get("taints") for rule in spec.get("rules") or ()]
    for taint in (taint for taints in listed for taint in taints or ()):
        effect = taint.rpartition(":")[2] if isinstance(taint, str) else taint.get("effect")
        if effect in _EVICTING:
            yield str(taint)
