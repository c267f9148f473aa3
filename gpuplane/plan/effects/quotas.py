"""What changes of quotas and limits of a namespace do."""

from gpuplane.plan import sources
from gpuplane.plan.changes.amounts import is_lowered, is_raised
from gpuplane.plan.changes.field_path import ChangedField
from gpuplane.plan.changes.object_change import ObjectChange
from gpuplane.plan.effects.offered_resources import is_newly_offered, is_no_longer_offered
from gpuplane.plan.effects.row import ADDED, CHANGED, REMOVED, AnyRow, Row
from gpuplane.plan.verdict import Verdict

_QUOTA = ("ResourceQuota",)
_RANGE = ("LimitRange",)

_BOUNDS = "Running pods stay as they are; new ones get the defaults and keep to the bounds."
_REQUESTS = "requests."


def _goes_with_its_resource(change: ObjectChange, field: ChangedField) -> bool:
    """Return whether a quota is gone since no pool offers what it counted."""
    resource = field.segments[-1].removeprefix(_REQUESTS)
    return field.is_removed and is_no_longer_offered(change.cluster, resource)


def _comes_with_its_resource(change: ObjectChange, field: ChangedField) -> bool:
    """Return whether a quota is new since a pool offers what it counts."""
    resource = field.segments[-1].removeprefix(_REQUESTS)
    return field.is_added and is_newly_offered(change.cluster, resource)


ROWS: tuple[AnyRow, ...] = (
    Row(
        _QUOTA,
        Verdict.SAFE,
        "A pool offers it from now on, of which the namespace may hold {new}.",
        sources.DOCS_QUOTAS,
        fields=("spec.hard",),
        field_condition=_comes_with_its_resource,
    ),
    Row(
        _QUOTA,
        Verdict.SAFE,
        "{old} becomes {new}: running pods stay, even above it; new ones are refused until it is "
        "kept.",
        sources.DOCS_QUOTAS,
        fields=("spec.hard",),
        field_condition=is_lowered,
    ),
    Row(
        _QUOTA,
        Verdict.SAFE,
        "No pool offers it any longer, so the quota has nothing to count; pods that ask for "
        "it do not start again.",
        sources.DOCS_QUOTAS,
        fields=("spec.hard",),
        field_condition=_goes_with_its_resource,
    ),
    Row(
        _QUOTA,
        Verdict.SAFE,
        "{old} becomes {new}: the namespace may hold more.",
        sources.DOCS_QUOTAS,
        fields=("spec.hard",),
        field_condition=is_raised,
    ),
    Row(
        _QUOTA,
        Verdict.SAFE,
        "{old} and {new} are the same amount.",
        sources.DOCS_QUOTAS,
        fields=("spec.hard",),
    ),
    Row(
        _QUOTA,
        Verdict.SAFE,
        "It counts other pods from now on: running ones stay, and new ones are refused where it is "
        "used up.",
        sources.DOCS_QUOTAS,
        fields=("spec.scopeSelector",),
    ),
    Row(
        _QUOTA,
        Verdict.SAFE,
        "Running pods stay, even above it; new ones are refused until it is kept.",
        sources.DOCS_QUOTAS,
        changes=ADDED,
    ),
    Row(
        _QUOTA,
        Verdict.SAFE,
        "Nothing bounds any longer what it bounded; running pods stay.",
        sources.DOCS_QUOTAS,
        changes=REMOVED,
    ),
    *(
        Row(_RANGE, Verdict.SAFE, _BOUNDS, sources.DOCS_LIMIT_RANGES, fields, changes)
        for fields, changes in ((("spec.limits",), CHANGED), ((), ADDED))
    ),
    Row(
        _RANGE,
        Verdict.SAFE,
        "Running pods stay as they are; new ones get no defaults any longer, and a quota on what "
        "they leave out refuses them.",
        sources.DOCS_LIMIT_RANGES,
        changes=REMOVED,
    ),
)
