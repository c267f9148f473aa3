from typing import Any

import pytest

from policies.document import Document
from tests.policies.workloads.partial_pods import partial_pods

POD: Document = {"spec": {"containers": []}}


@pytest.mark.parametrize(
    ("version", "kind", "spec", "pods"),
    [
        ("kubeflow.org/v1", "Notebook", {"template": POD}, {"/spec/template": POD["spec"]}),
        (
            "grove.io/v1alpha1",
            "PodCliqueSet",
            {"template": {"cliques": [{"name": "a", "spec": {"podSpec": POD["spec"]}}]}},
            {"/spec/template/cliques/0/spec/podSpec": POD["spec"]},
        ),
    ],
)
def test_a_template_or_a_spec_that_others_complete_is_a_part(
    version: str, kind: str, spec: Any, pods: dict[str, Document]
) -> None:
    found = partial_pods(version, kind, spec)
    assert {pointer: document["spec"] for pointer, document in found.items()} == pods
