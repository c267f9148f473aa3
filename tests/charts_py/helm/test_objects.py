import pytest

from charts_py.helm.objects import printed_objects
from charts_py.helm.program import HelmError
from charts_py.objects.document import EmittedKind

PRINTED = """
---
# Source: a/templates/a.yaml
apiVersion: v1
kind: ConfigMap
metadata: {name: a, creationTimestamp: null, labels: {b: c}}
data: {day: 2026-01-01}
immutable: null
list: [null, {none: null}]
---
# Source: a/templates/empty.yaml
---
apiVersion: v1
kind: ConfigMap
metadata: {name: b, namespace: other}
---
apiVersion: v1
kind: Namespace
metadata: {name: c}
status: {phase: Active}
---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: ds.example.com}
status: {storedVersions: []}
"""
KINDS = (
    EmittedKind("", "ConfigMap", namespaced=True),
    EmittedKind("", "Namespace", namespaced=False),
)


def test_they_are_complete_and_have_nothing_that_the_api_server_ignores() -> None:
    assert list(printed_objects(PRINTED, "release", KINDS)) == [
        {
            "apiVersion": "v1",
            "kind": "ConfigMap",
            "metadata": {"name": "a", "namespace": "release", "labels": {"b": "c"}},
            "data": {"day": "2026-01-01"},
            "list": [None, {}],
        },
        {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "b", "namespace": "other"}},
        {
            "apiVersion": "v1",
            "kind": "Namespace",
            "metadata": {"name": "c"},
            "status": {"phase": "Active"},
        },
        {
            "apiVersion": "apiextensions.k8s.io/v1",
            "kind": "CustomResourceDefinition",
            "metadata": {"name": "ds.example.com"},
        },
    ]


@pytest.mark.parametrize(
    ("printed", "fault"),
    [
        (
            "{apiVersion: batch/v1, kind: Job, metadata: {generateName: a-}}",
            "an object of kind Job: metadata.name: missing",
        ),
        (
            "{apiVersion: v1, kind: List, items: [{kind: Pod}]}",
            "an object of kind List: metadata.name: missing",
        ),
        ("usage of helm", "helm prints 'usage of helm' in place of an object"),
        ("{kind: Pod}", "an object of kind Pod: apiVersion: missing"),
        (
            "a: [\n",
            (
                "helm prints invalid YAML: while parsing a flow node did not find expected node "
                'content in "<unicode string>", line 2, column 1'
            ),
        ),
        (
            "{apiVersion: v1, kind: ConfigMap, metadata: {name: a}, data: {b: null}}",
            "ConfigMap a: data.b is null; allowed: a text, or no such key",
        ),
        (
            "{apiVersion: v1, kind: Pod, metadata: {name: a}, list: [{nodeSelector: {c/d: null}}]}",
            "Pod a: list[0].nodeSelector.c/d is null; allowed: a text, or no such key",
        ),
    ],
)
def test_what_is_no_object_or_would_be_stored_otherwise_is_refused(
    printed: str, fault: str
) -> None:
    with pytest.raises(HelmError) as refused:
        list(printed_objects(printed, "release", KINDS))
    assert str(refused.value) == fault
