"""What changes of admission policies and webhooks do: they judge writes, and nothing that runs."""

from gpuplane.plan import sources
from gpuplane.plan.changes.field_path import ChangedField
from gpuplane.plan.changes.object_change import ObjectChange
from gpuplane.plan.effects.row import ADDED, REMOVED, AnyRow, Row
from gpuplane.plan.verdict import Verdict

_GROUP = "admissionregistration.k8s.io"
_WEBHOOKS = (f"ValidatingWebhookConfiguration.{_GROUP}", f"MutatingWebhookConfiguration.{_GROUP}")
_POLICIES = (
    f"ValidatingAdmissionPolicy.{_GROUP}",
    f"ValidatingAdmissionPolicyBinding.{_GROUP}",
    f"MutatingAdmissionPolicy.{_GROUP}",
    f"MutatingAdmissionPolicyBinding.{_GROUP}",
)
_KYVERNO = ("ClusterPolicy.kyverno.io", "Policy.kyverno.io")


_JUDGES_NOTHING = "Nothing is judged by it any longer; what runs stays."


def _fails_closed(_: ObjectChange, field: ChangedField) -> bool:
    return bool(field.new == "Fail")


ROWS: tuple[AnyRow, ...] = (
    Row(
        _WEBHOOKS,
        Verdict.SAFE,
        "{old} becomes {new}: what it judges is refused as long as its server does not answer. "
        "What runs stays.",
        sources.DOCS_WEBHOOKS,
        fields=("webhooks.failurePolicy",),
        field_condition=_fails_closed,
        is_certain=False,
    ),
    Row(
        _WEBHOOKS,
        Verdict.SAFE,
        "New and changed objects alone are judged by it, at once; what runs stays.",
        sources.DOCS_WEBHOOKS,
        fields=("webhooks",),
    ),
    Row(
        _WEBHOOKS,
        Verdict.SAFE,
        "New and changed objects alone are judged by it; what runs stays. Where it fails closed, "
        "they are refused as long as its server does not answer.",
        sources.DOCS_WEBHOOKS,
        changes=ADDED,
        is_certain=False,
    ),
    Row(
        _WEBHOOKS,
        Verdict.SAFE,
        _JUDGES_NOTHING,
        sources.DOCS_WEBHOOKS,
        changes=REMOVED,
    ),
    Row(
        (*_POLICIES, *_KYVERNO),
        Verdict.SAFE,
        _JUDGES_NOTHING,
        sources.DOCS_VALIDATING,
        changes=REMOVED,
    ),
    Row(
        (*_POLICIES, *_KYVERNO),
        Verdict.SAFE,
        "New and changed objects alone are judged by it; what runs stays, and may be refused when "
        "somebody changes it.",
        sources.DOCS_VALIDATING,
        changes=ADDED,
        is_certain=False,
    ),
    Row(
        (*_POLICIES, *_KYVERNO),
        Verdict.SAFE,
        "New and changed objects alone are judged by it, at once; what runs stays, and may be "
        "refused when somebody changes it.",
        sources.DOCS_VALIDATING,
        fields=("spec", "metadata.annotations", "metadata.labels"),
        is_certain=False,
    ),
)
