"""What changes of CustomResourceDefinitions do, and of APIs that other servers serve."""

from gpuplane.plan import sources
from gpuplane.plan.changes.field_path import ChangedField
from gpuplane.plan.changes.object_change import ObjectChange
from gpuplane.plan.effects.row import ADDED, REMOVED, AnyRow, Row
from gpuplane.plan.verdict import Verdict

_DEFINITION = ("CustomResourceDefinition.apiextensions.k8s.io",)

_SERVED = ("APIService.apiregistration.k8s.io",)


def _drops_a_version(change: ObjectChange, _: ChangedField) -> bool:
    old, new = (
        {each["name"] for each in side["spec"]["versions"] if each["served"]}
        for side in change.sides
    )
    return not old <= new


ROWS: tuple[AnyRow, ...] = (
    Row(
        _DEFINITION,
        Verdict.SAFE,
        "Objects of the kind can be created from now on.",
        sources.DOCS_DEFINITIONS,
        changes=ADDED,
    ),
    Row(
        _DEFINITION,
        Verdict.DANGEROUS,
        "All objects of the kind go with its definition {name}, in every namespace, and with them "
        "what their controllers made.",
        sources.DOCS_DEFINITIONS,
        changes=REMOVED,
    ),
    Row(
        _DEFINITION,
        Verdict.DANGEROUS,
        "A version is no longer served: every client that asks for it fails, and so do objects "
        "in git that name it.",
        sources.DOCS_VERSIONS,
        fields=("spec.versions",),
        field_condition=_drops_a_version,
        is_certain=False,
    ),
    Row(
        _DEFINITION,
        Verdict.IMMUTABLE,
        "The API server refuses it, {old} becoming {new}: group, scope and names of a kind "
        "are immutable.",
        sources.DOCS_DEFINITIONS,
        fields=("spec.group", "spec.scope", "spec.names.kind", "spec.names.plural"),
        is_certain=False,
    ),
    Row(
        _SERVED,
        Verdict.SAFE,
        "The API server forwards requests for its API from now on.",
        sources.DOCS_AGGREGATION,
        changes=ADDED,
    ),
    Row(
        _SERVED,
        Verdict.ROLLING,
        "Requests for its API are forwarded differently at once: {old} becomes {new}.",
        sources.DOCS_AGGREGATION,
        fields=("spec",),
        is_certain=False,
    ),
    Row(
        _SERVED,
        Verdict.DISRUPTIVE,
        "Its API is no longer served: clients of it fail, as autoscalers do without metrics.",
        sources.DOCS_AGGREGATION,
        changes=REMOVED,
        is_certain=False,
    ),
    Row(
        _DEFINITION,
        Verdict.SAFE,
        "Objects stay as they are; new and changed ones are validated by the new schema.",
        sources.DOCS_DEFINITIONS,
        fields=("spec",),
        is_certain=False,
    ),
)
