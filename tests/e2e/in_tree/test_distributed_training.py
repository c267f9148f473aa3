"""A DistributedTraining in a cluster: checked and told of, and no more."""

from http import HTTPStatus

import pytest

from charts_py.components.distributed_training import UNEXPANDED, custom_resource_definition
from charts_py.objects.document import Document
from charts_py.objects.manifest_yaml import from_yaml
from charts_py.objects.metadata import ObjectMeta, object_of
from gpus.platform_names import TEAM
from tests.e2e.control_plane.api_client import ApiClient, ApiError
from tests.e2e.evidence.evidence import Evidence
from tests.e2e.folders import EXAMPLES
from tests.e2e.polling import polls
from tests.e2e.releases.objects import PATIENCE_SECONDS, applied

NAMESPACE = "research-training"


def _installed() -> list[Document]:
    policies = (
        object_of("admissionregistration.k8s.io/v1", kind, ObjectMeta(UNEXPANDED.name), spec)
        for kind, spec in (
            (UNEXPANDED.kind, {"spec": UNEXPANDED.spec()}),
            (f"{UNEXPANDED.kind}Binding", {"spec": UNEXPANDED.binding_spec()}),
        )
    )
    namespace = object_of("v1", "Namespace", ObjectMeta(NAMESPACE, labels={TEAM: "research"}), {})
    return [namespace, custom_resource_definition(), *policies]


def _warned(admin: ApiClient, training: Document) -> tuple[str, ...]:
    """Try to create it until the API server knows its kind and the policy, and warns."""
    for _ in polls(PATIENCE_SECONDS):
        if admin.serves(training["apiVersion"], training["kind"]):
            answer = admin.create(training, dryRun="All")
            if answer.warnings:
                return answer.warnings
    raise TimeoutError(f"it is not warned of after {PATIENCE_SECONDS} s")


def test_whoever_applies_a_distributed_training_is_told_that_nothing_acts_on_it(
    admin: ApiClient, evidence: Evidence
) -> None:
    (training,) = from_yaml((EXAMPLES / "training" / "transformer.yaml").read_text())
    wrong = {**training, "spec": {**training["spec"], "workers": 0}}
    with applied(admin, _installed()):
        warnings = _warned(admin, training)
        with pytest.raises(ApiError) as refused:
            admin.create(wrong, dryRun="All")
    assert refused.value.answer.status == HTTPStatus.UNPROCESSABLE_ENTITY
    (warning,) = warnings
    assert "gpuplane expand FILE --cluster CLUSTER" in warning
    evidence.show(
        "A DistributedTraining in a cluster is checked, and whoever applies it is told to expand "
        "it.",
        f"`{warning}`; with 0 workers: `{refused.value.message}`",
    )
