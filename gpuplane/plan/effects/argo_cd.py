"""What changes of Argo CD's own objects do: of Applications, projects and sets of Applications.

What becomes of the objects that an Application syncs is said of each of them.
"""

import re

from charts_py.argocd.application import CASCADE
from gpuplane.plan import sources
from gpuplane.plan.changes.document_values import value_at
from gpuplane.plan.changes.field_path import ChangedField
from gpuplane.plan.changes.object_change import ObjectChange
from gpuplane.plan.effects.row import ADDED, CHANGED, EITHER_SIDE, REMOVED, AnyRow, Row
from gpuplane.plan.effects.sync_options import begins_to_replace
from gpuplane.plan.verdict import Verdict

APPLICATION = "Application.argoproj.io"

_OWN_FOLDER = re.compile(r"(^|/)dist(/|$)")
"""Where versions are rendered."""

_APPLICATION = (APPLICATION,)
_PROJECT = ("AppProject.argoproj.io",)
_SET = ("ApplicationSet.argoproj.io",)
_HEALTH = ("ConfigMap/argocd-cm",)
_QUEUE_CHARTS = tuple(f"{APPLICATION}/{chart}" for chart in ("kueue", "kai-scheduler", "volcano"))


def is_cascading(change: ObjectChange) -> bool:
    """Return whether what an Application synced is deleted with it."""
    return CASCADE in (value_at(change.document, "metadata", "finalizers") or ())


def is_of_others(change: ObjectChange) -> bool:
    """Return whether an Application syncs what stands elsewhere, and is no object of the plan."""
    source = value_at(change.document, "spec", "source") or {}
    return "chart" in source or not _OWN_FOLDER.search(source.get("path", ""))


def _begins_to_prune(_: ObjectChange, field: ChangedField) -> bool:
    return field.new is True


def _keeps_what_leaves(change: ObjectChange, _: ChangedField) -> bool:
    return (
        value_at(change.after, "spec", "syncPolicy", "applicationsSync")
        in ("create-only", "create-update")
        or value_at(change.after, "spec", "syncPolicy", "preserveResourcesOnDeletion") is True
    )


def _keeps_all(change: ObjectChange) -> bool:
    return value_at(change.document, "spec", "syncPolicy", "preserveResourcesOnDeletion") is True


_HEALTH_REASON = (
    "Argo CD judges the health of Applications and DaemonSets by it, and so when the next wave "
    "starts."
)
ROWS: tuple[AnyRow, ...] = (
    Row(
        _APPLICATION,
        Verdict.SAFE,
        "Argo CD installs what another repository holds; nothing that runs is touched.",
        sources.ARGO_CD_PRUNING,
        changes=ADDED,
        object_condition=is_of_others,
        is_certain=False,
    ),
    Row(
        _APPLICATION,
        Verdict.SAFE,
        "Argo CD creates its objects; this plan lists each of them.",
        sources.ARGO_CD_PRUNING,
        changes=ADDED,
    ),
    Row(
        _APPLICATION,
        Verdict.SAFE,
        "It has no finalizer: what it synced stays on the cluster, unmanaged.",
        sources.ARGO_CD_DELETION,
        changes=REMOVED,
        object_condition=lambda change: not is_cascading(change),
    ),
    Row(
        _QUEUE_CHARTS,
        Verdict.DANGEROUS,
        "Argo CD deletes everything that the chart installed, except its "
        "CustomResourceDefinitions: "
        "running jobs stay, and no job that waits is admitted or scheduled.",
        sources.ARGO_CD_DELETION,
        changes=REMOVED,
        is_certain=False,
    ),
    Row(
        _APPLICATION,
        Verdict.DISRUPTIVE,
        "Argo CD deletes everything that it installed from another repository, except "
        "CustomResourceDefinitions: its pods go.",
        sources.ARGO_CD_DELETION,
        changes=REMOVED,
        object_condition=is_of_others,
        is_certain=False,
    ),
    Row(
        _APPLICATION,
        Verdict.SAFE,
        "Argo CD deletes its objects with it, the highest wave first; this plan lists each of "
        "them.",
        sources.ARGO_CD_DELETION,
        changes=REMOVED,
    ),
    Row(
        _QUEUE_CHARTS,
        Verdict.ROLLING,
        "What the chart makes of it is rolled out: its pods restart; running jobs stay, and none "
        "is admitted or scheduled meanwhile.",
        sources.KUEUE_INSTALLATION,
        fields=("spec.source.targetRevision", "spec.source.helm"),
        is_certain=False,
    ),
    Row(
        _APPLICATION,
        Verdict.ROLLING,
        "{old} becomes {new}: what differs between both is rolled out, which restarts its pods.",
        sources.ARGO_CD_PRUNING,
        fields=("spec.source.targetRevision",),
        object_condition=is_of_others,
        is_certain=False,
    ),
    Row(
        _APPLICATION,
        Verdict.ROLLING,
        "What the chart makes of its values is rolled out, which restarts its pods.",
        sources.ARGO_CD_PRUNING,
        fields=("spec.source.helm", "spec.source.directory"),
        object_condition=is_of_others,
        is_certain=False,
    ),
    Row(
        _APPLICATION,
        Verdict.SAFE,
        "Argo CD syncs the folder of another version: this plan lists each object that differs in "
        "it.",
        sources.ARGO_CD_BOOTSTRAPPING,
        fields=("spec.source.path",),
        object_condition=lambda change: not is_of_others(change),
        is_noise=True,
    ),
    Row(
        _APPLICATION,
        Verdict.DISRUPTIVE,
        "Argo CD syncs something else, {old} becoming {new}: it prunes what stands in the old "
        "place alone.",
        sources.ARGO_CD_PRUNING,
        fields=("spec.source", "spec.sources"),
        is_certain=False,
    ),
    Row(
        _APPLICATION,
        Verdict.SAFE,
        "Nothing moves: every object that it syncs names its namespace itself.",
        sources.ARGO_CD_APPLICATION,
        fields=("spec.destination.namespace",),
        object_condition=lambda change: not is_of_others(change),
    ),
    Row(
        _APPLICATION,
        Verdict.DISRUPTIVE,
        "{old} becomes {new}: what it synced so far stays where it is, unmanaged, and is created "
        "again in the new place.",
        sources.ARGO_CD_DELETION,
        fields=("spec.destination",),
        is_certain=False,
    ),
    Row(
        _APPLICATION,
        Verdict.DANGEROUS,
        "{new}: from now on, a change that would be applied to an object replaces it, or deletes "
        "and creates it.",
        sources.ARGO_CD_OPTIONS,
        fields=("spec.syncPolicy.syncOptions",),
        field_condition=begins_to_replace,
    ),
    Row(
        _APPLICATION,
        Verdict.DISRUPTIVE,
        "Argo CD prunes from now on: what no version has any longer, and was left so far, goes.",
        sources.ARGO_CD_PRUNING,
        fields=("spec.syncPolicy.automated.prune", "spec.syncPolicy.automated.allowEmpty"),
        field_condition=_begins_to_prune,
        is_certain=False,
    ),
    Row(
        _APPLICATION,
        Verdict.SAFE,
        "It decides how Argo CD syncs from now on: {old} becomes {new}.",
        sources.ARGO_CD_OPTIONS,
        fields=("spec.syncPolicy", "spec.project", "spec.info", "spec.revisionHistoryLimit"),
    ),
    Row(
        _APPLICATION,
        Verdict.SAFE,
        "It decides which differences Argo CD leaves alone from now on: what is no longer ignored "
        "is set back to what git says.",
        sources.ARGO_CD_DIFFING,
        fields=("spec.ignoreDifferences",),
        is_certain=False,
    ),
    Row(
        _APPLICATION,
        Verdict.SAFE,
        "It decides whether its objects are deleted where somebody deletes it: {old} becomes "
        "{new}.",
        sources.ARGO_CD_DELETION,
        fields=("metadata.finalizers",),
    ),
    Row(
        _PROJECT,
        Verdict.SAFE,
        "Applications of it may do other things than before: a sync that needs what is gone is "
        "refused, and live objects are neither pruned nor deleted by it.",
        sources.ARGO_CD_PROJECTS,
        fields=("spec",),
    ),
    Row(
        _PROJECT,
        Verdict.SAFE,
        "Applications can be of it from now on.",
        sources.ARGO_CD_PROJECTS,
        changes=ADDED,
    ),
    Row(
        _PROJECT,
        Verdict.SAFE,
        "It goes once no Application is of it; one that still is syncs nothing any longer, and "
        "its live objects stay.",
        sources.ARGO_CD_PROJECTS,
        changes=REMOVED,
    ),
    Row(
        _SET,
        Verdict.SAFE,
        "Applications are made of its template as it is now; one that it no longer lists stays, "
        "and so does what it synced.",
        sources.ARGO_CD_SETS,
        fields=("spec",),
        field_condition=_keeps_what_leaves,
    ),
    Row(
        _SET,
        Verdict.DANGEROUS,
        "Applications are made of its template as it is now; one that it no longer lists is "
        "deleted, with what it synced.",
        sources.ARGO_CD_SETS,
        fields=("spec",),
    ),
    Row(
        _SET,
        Verdict.SAFE,
        "Argo CD makes an Application of each thing that it lists.",
        sources.ARGO_CD_SETS,
        changes=ADDED,
    ),
    Row(
        _SET,
        Verdict.SAFE,
        "Its Applications go, and what they synced stays.",
        sources.ARGO_CD_SETS,
        changes=REMOVED,
        object_condition=_keeps_all,
    ),
    Row(
        _SET,
        Verdict.DANGEROUS,
        "All its Applications are deleted, with what they synced.",
        sources.ARGO_CD_SETS,
        changes=REMOVED,
    ),
    *(
        Row(_HEALTH, Verdict.SAFE, _HEALTH_REASON, sources.ARGO_CD_HEALTH, fields, changes)
        for fields, changes in ((("data",), CHANGED), ((), EITHER_SIDE))
    ),
)
