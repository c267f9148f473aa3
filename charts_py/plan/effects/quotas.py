"""What changes of quotas and limits of a namespace do."""

from charts_py.plan import sources
from charts_py.plan.amounts import is_lowered, is_raised
from charts_py.plan.row import ADDED, REMOVED, AnyRow, Row
from charts_py.plan.verdict import Verdict

_QUOTA = ("ResourceQuota",)
_RANGE = ("LimitRange",)

ROWS: tuple[AnyRow, ...] = (
    Row(
        _QUOTA,
        Verdict.SAFE,
        "{old} becomes {new}: running pods stay, even above it; new ones are refused until it is "
        "kept.",
        sources.DOCS_QUOTAS,
        fields=("spec.hard",),
        when=is_lowered,
    ),
    Row(
        _QUOTA,
        Verdict.SAFE,
        "{old} becomes {new}: the namespace may hold more.",
        sources.DOCS_QUOTAS,
        fields=("spec.hard",),
        when=is_raised,
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
    Row(
        _RANGE,
        Verdict.SAFE,
        "Running pods stay as they are; new ones get the defaults and keep to the bounds.",
        sources.DOCS_LIMIT_RANGES,
        fields=("spec.limits",),
    ),
    Row(
        _RANGE,
        Verdict.SAFE,
        "Running pods stay as they are; new ones get the defaults and keep to the bounds.",
        sources.DOCS_LIMIT_RANGES,
        changes=ADDED,
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
