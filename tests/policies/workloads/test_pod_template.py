from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, strategies as st

from policies.document import Document
from policies.workloads.pod_template import PodTemplate, pod_templates
from policies.workloads.registry import WORKLOAD_KINDS, WorkloadKind

POD: Document = {"spec": {"containers": []}}
JOB = {"apiVersion": "batch/v1", "kind": "Job", "spec": {"template": POD}}
ROWS = yaml.safe_load(Path(__file__).with_suffix(".yaml").read_bytes())


def partial_pods(version: str, kind: str, spec: Any) -> dict[str, Document]:
    """Return the parts of pods that a workload states, by the JSON Pointer to each."""
    found = list(pod_templates({"apiVersion": version, "kind": kind, "spec": spec}))
    assert [template for template in found if not template.partial] == []
    return {template.pointer: template.document for template in found}


def _places(value: Any, here: str) -> Iterator[str]:
    """Yield where `POD` stands."""
    if value == POD:
        yield here
    elif isinstance(value, dict):
        for name, member in value.items():
            yield from _places(member, f"{here}/{name.replace('/', '~1')}")
    elif isinstance(value, list):
        for index, element in enumerate(value):
            yield from _places(element, f"{here}/{index}")


def _workload(row: Any) -> Document:
    version, kind = row["object"].split()
    return {"apiVersion": version, "kind": kind, "spec": row["spec"]}


@pytest.mark.parametrize("row", ROWS["found"], ids=lambda row: row["object"])
def test_the_templates_of_a_workload(row: Any) -> None:
    expected = [PodTemplate(pointer, POD) for pointer in _places(row["spec"], "/spec")]
    assert expected
    assert list(pod_templates(_workload(row))) == expected


@pytest.mark.parametrize("row", ROWS["not found"], ids=lambda row: row["object"])
def test_no_other_object_has_templates(row: Any) -> None:
    assert list(pod_templates(_workload(row))) == []


def test_a_whole_template_is_not_a_part() -> None:
    assert list(pod_templates(JOB)) == [PodTemplate("/spec/template", POD)]


def test_a_pod_and_a_pod_template_are_found() -> None:
    pod = {"apiVersion": "v1", "kind": "Pod", **POD}
    assert list(pod_templates(pod)) == [PodTemplate("", pod)]
    assert list(pod_templates({"apiVersion": "v1", "kind": "PodTemplate", "template": POD})) == [
        PodTemplate("/template", POD)
    ]


def test_a_list_is_looked_into() -> None:
    deployment = {"apiVersion": "apps/v1", "kind": "Deployment", "spec": {"template": POD}}
    listed = {"apiVersion": "v1", "kind": "List", "items": [1, deployment]}
    assert list(pod_templates(listed)) == [PodTemplate("/items/1/spec/template", POD)]


def test_the_template_of_a_kaito_workspace_is_a_part_beside_its_metadata() -> None:
    workspace = {"apiVersion": "kaito.sh/v1beta1", "kind": "Workspace"}
    found = pod_templates({**workspace, "inference": {"template": POD}})
    assert list(found) == [PodTemplate("/inference/template", POD, partial=True)]


NAMES = [
    "cache",
    "components",
    "container",
    "deploymentConfig",
    "extraPodSpec",
    "gpu",
    "options",
    "podConfig",
    "podTemplate",
    "predictor",
    "profilingConfig",
    "resources",
    "services",
    "spec",
    "tasks",
    "template",
    "templates",
    "trainer",
    "values",
    "workflowSpec",
]
JSON = st.recursive(
    st.none() | st.text(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from(NAMES), inner, max_size=2)
    ),
)


@given(st.sampled_from(WORKLOAD_KINDS), JSON)
def test_no_document_raises(known: WorkloadKind, spec: Any) -> None:
    version = f"{known.group}/v1" if known.group else "v1"
    for template in pod_templates({"apiVersion": version, "kind": known.kind, "spec": spec}):
        assert template.document["spec"] is not None


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
