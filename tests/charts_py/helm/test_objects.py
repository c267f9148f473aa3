import pytest

from charts_py.helm.objects import printed_objects
from charts_py.helm.program import HelmError
from charts_py.objects.document import EmittedKind
from tests.rows import rows_beside

each_row = rows_beside(__file__, "objects.yaml")

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


@each_row("refused")
def test_what_is_no_object_or_would_be_stored_otherwise_is_refused(
    printed: str, fault: str
) -> None:
    with pytest.raises(HelmError) as refused:
        list(printed_objects(printed, "release", KINDS))
    assert str(refused.value) == fault
