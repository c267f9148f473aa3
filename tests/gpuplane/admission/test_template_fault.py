"""Templates of Helm are told from manifests."""

import pytest

from charts_py.cluster_file.fault import SpecError
from gpuplane.admission.manifest_file import read_manifest_file
from gpuplane.admission.template_fault import template_fault

RENDERED = "allowed: what it renders, as in: helm template CHART | gpuplane admit -"
POD = "apiVersion: v1\nkind: Pod\nmetadata:\n"


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (f"{POD}  name: {{{{ .Release.Name }}}}\n", 4),
        (f"{POD}  name: {{{{ $name }}}}-0\n", 4),
        (f'{POD}  labels:\n    {{{{- include "labels" . | nindent 4 }}}}\n', 5),
        ("{{- if .Values.enabled }}\nkind: Pod\n{{- end }}\n", 1),
        ("{{/* The pod. */}}\nkind: Pod\n", 1),
        ("{{- with (index .Values.pods 0) }}\nkind: Pod\n", 1),
    ],
)
def test_what_is_no_yaml_before_it_is_rendered_is_a_template(text: str, line: int) -> None:
    with pytest.raises(SpecError) as refused:
        read_manifest_file(text.encode(), "pod.yaml")
    fault = f"pod.yaml:{line}: a template of Helm, which is not a manifest; {RENDERED}"
    assert str(refused.value) == fault


@pytest.mark.parametrize("text", ["name: {{workflow.name}}", "name: {{ item }}", "a: [", "a: {b"])
def test_other_text_is_no_template(text: str) -> None:
    assert template_fault(text.encode(), "pod.yaml") is None


def test_yaml_that_holds_templates_of_others_is_read() -> None:
    text = f"{POD}  annotations: {{summary: '{{{{ .Labels.pod }}}} waits'}}\n"
    (pod,) = read_manifest_file(text.encode(), "pod.yaml")
    assert pod.document["metadata"] == {"annotations": {"summary": "{{ .Labels.pod }} waits"}}
