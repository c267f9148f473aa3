"""What changed labels and taints of nodes do where the nodes stay.

A node has them at once: of GKE's and AKS's pools, and by rules of Node Feature Discovery.
"""

from collections.abc import Iterable, Iterator

from charts_py.objects.document import Document
from gpuplane.plan import sources
from gpuplane.plan.changes.document_values import value_at
from gpuplane.plan.changes.field_path import ChangedField, shared_path
from gpuplane.plan.changes.object_change import ObjectChange
from gpuplane.plan.changes.pools import AKS_POOL, FEATURE_RULE, GKE_POOL
from gpuplane.plan.effect import Effect
from gpuplane.plan.effects.row import AnyRow, Judge, Row
from gpuplane.plan.effects.sharing_config import sharing_change
from gpuplane.plan.rollouts.managed_pools import mig_label, plugin_restart, relabelling
from gpuplane.plan.verdict import Verdict
from gpus.platform_names import LABEL_PREFIX

MIG_CONFIG = "nvidia.com/mig.config"
PLUGIN_CONFIG = "nvidia.com/device-plugin.config"

_KINDS = (GKE_POOL, AKS_POOL, FEATURE_RULE)
_LABELS = ("spec.nodeConfig.labels", "spec.nodeLabels", "spec.rules.labels")
_IN_PLACE = (
    (GKE_POOL, sources.GKE_UPDATE),
    (AKS_POOL, sources.AKS_LABELS),
    (FEATURE_RULE, sources.NODE_FEATURES),
)
"""Where it stands of each kind that nodes get another label in place."""
_EVICTING = ("NoExecute", "NO_EXECUTE")
_TAINTS = ("spec.nodeConfig.taint", "spec.nodeTaints", "spec.rules.taints")


def _label(name: str) -> tuple[str, ...]:
    return tuple(f'{labels}["{name}"]' for labels in _LABELS)


def _plugin_config(change: ObjectChange, fields: tuple[ChangedField, ...]) -> Iterable[Effect]:
    for field in fields:
        found = sharing_change(change.cluster, field.old, field.new)
        yield Effect(
            found.verdict,
            field.path,
            found.reason,
            found.source,
            is_certain=found.is_certain,
            rollouts=plugin_restart(change),
        )


def _taints(change: ObjectChange, fields: tuple[ChangedField, ...]) -> Iterable[Effect]:
    path = shared_path(tuple(field.path for field in fields))
    old, new = (set(_evicting_taints(side)) for side in change.sides)
    if new <= old:
        reason = "Running pods stay: only where pods start next is decided by the taint."
        yield Effect(Verdict.SAFE, path, reason, sources.DOCS_TAINTS)
        return
    yield Effect(
        Verdict.DISRUPTIVE,
        path,
        "Pods that run there and do not tolerate the taint are evicted at once.",
        sources.DOCS_TAINTS,
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


def _rows() -> Iterator[AnyRow]:
    yield Row(
        _KINDS,
        Verdict.DISRUPTIVE,
        "MIG manager lays out the GPUs of all these nodes anew at once, from {old} to {new}: it "
        "drains nothing and stops no user pods, and fails as long as they hold GPUs. The device "
        "plugin is off meanwhile. Drain the nodes first.",
        sources.MIG_RECONFIGURE,
        fields=_label(MIG_CONFIG),
        rollouts=mig_label,
    )
    yield Judge(_KINDS, _label(PLUGIN_CONFIG), _plugin_config)
    yield Row(
        _KINDS,
        Verdict.DISRUPTIVE,
        "Running pods stay; new ones that ask for the old label find no such node any longer, "
        "which takes its GPUs from them: {old} becomes {new}.",
        sources.NODE_FEATURES,
        fields=tuple(f'{labels}["{LABEL_PREFIX}/{name}"]' for labels in _LABELS for name in _OWN),
        is_certain=False,
        rollouts=relabelling,
    )
    for kind, source in _IN_PLACE:
        yield Row(
            (kind,),
            Verdict.SAFE,
            "Nodes get the label in place, {old} becoming {new}: only where pods start next is "
            "decided by it.",
            source,
            fields=_LABELS,
        )
    yield Judge(_KINDS, _TAINTS, _taints)


_OWN = ("pool", "purpose", "purchase", "gpu-model", "interconnect", "nvlink")

ROWS: tuple[AnyRow, ...] = tuple(_rows())
