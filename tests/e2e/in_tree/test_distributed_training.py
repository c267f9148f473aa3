"""A DistributedTraining in a cluster: checked and told of, and no more."""

from http import HTTPStatus

import pytest

from charts_py.components.distributed_training import UNEXPANDED, custom_resource_definition
from charts_py.objects.manifest_yaml import from_yaml
from gpus.platform_names import TEAM
from tests.e2e.control_plane.api_client import ApiClient, ApiError
from tests.e2e.evidence.evidence import Evidence
from tests.e2e.folders import EXAMPLES
from tests.e2e.in_tree.policies import objects_of
from tests.e2e.manifest import manifest
from tests.e2e.polling import once_seen
from tests.e2e.releases.crds import install
from tests.e2e.releases.objects import applied

NAMESPACE = "research-training"


def test_whoever_applies_a_distributed_training_is_told_that_nothing_acts_on_it(
    admin: ApiClient, evidence: Evidence
) -> None:
    (training,) = from_yaml((EXAMPLES / "training" / "transformer.yaml").read_text())
    wrong = {**training, "spec": {**training["spec"], "workers": 0}}
    namespace = manifest("v1 Namespace", NAMESPACE, metadata={"labels": {TEAM: "research"}})
    kind = custom_resource_definition()
    with applied(admin, [namespace, kind, *objects_of(UNEXPANDED)]):
        install(admin, [kind])
        warnings = once_seen(lambda: admin.create(training, dryRun="All").warnings)
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
