import pytest
import yaml

from charts_py.cluster_file.fault import Mark, SpecError
from charts_py.cluster_file.yaml_stop import MAX_DEPTH
from charts_py.extensions.manifest_values import MAX_VALUES
from gpuplane.admission.manifest_file import ManifestObject, read_manifest_file, template_fault
from tests.gpuplane.messages import message_of
from tests.rows import rows_beside

each_row = rows_beside(__file__, "manifest_files.yaml")

POD = "apiVersion: v1\nkind: Pod\n"
RENDERED = "allowed: what it renders, as in: helm template CHART | gpuplane admit -"
POD_WITH_METADATA = "apiVersion: v1\nkind: Pod\nmetadata:\n"


def _faults(text: str | bytes) -> list[str]:
    source = text.encode() if isinstance(text, str) else text
    message = message_of(SpecError, read_manifest_file, source, "pod.yaml")
    return message.splitlines()


def test_every_object_comes_with_the_line_where_it_begins() -> None:
    text = f"# first\n{POD}---\n---\n{POD}metadata: {{name: b}}\n"
    found = read_manifest_file(text.encode(), "pod.yaml")
    assert [(str(one.mark), one.document) for one in found] == [
        ("pod.yaml:2", {"apiVersion": "v1", "kind": "Pod"}),
        ("pod.yaml:6", {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "b"}}),
    ]


def test_json_is_read_too() -> None:
    (found,) = read_manifest_file(b'{"apiVersion": "v1",\n\t"kind": "Pod"}', "-")
    assert found.document == {"apiVersion": "v1", "kind": "Pod"}


def test_numbers_and_dates_are_read_as_kubectl_does() -> None:
    (found,) = read_manifest_file(f"{POD}mode: 0755\nday: 2026-11-21\n".encode(), "-")
    assert (found.document["mode"], found.document["day"]) == (0o755, "2026-11-21")


def test_what_an_anchor_names_is_not_shared() -> None:
    (found,) = read_manifest_file(f"{POD}a: &x {{b: 1}}\nc: *x\n".encode(), "-")
    assert found.document["a"] == found.document["c"]
    assert found.document["a"] is not found.document["c"]


@pytest.mark.parametrize(
    ("text", "faults"),
    [
        ("a: 1\n", ["pod.yaml:1: not an object; allowed: a mapping with apiVersion and kind"]),
        ("kind: Pod\n", ["pod.yaml:1: apiVersion: missing"]),
        ("apiVersion: v1\nkind: [Pod]\n", ["pod.yaml:1: kind: not a string"]),
        ("\n- 1\n", ["pod.yaml:2: not an object; allowed: a mapping with apiVersion and kind"]),
        (f"{POD}a: [\n", ['pod.yaml:3:4: invalid YAML: "[" is not closed; allowed: "]"']),
        (f"{POD}kind: Job\n", ['pod.yaml:3: "kind" is a duplicate key; first on line 2']),
        (f"{POD}1: a\n", ["pod.yaml:1: 1: key 1 is not a string; quote it"]),
        (f"{POD}a: .inf\n", ["pod.yaml:1: a: inf is not a JSON number"]),
        (f"{POD}a: {'[' * 200_000}\n", [f"pod.yaml:3: nested deeper than {MAX_DEPTH} levels"]),
        (f"{POD}a: &x [*x]\n", [f"pod.yaml:1: nested deeper than {MAX_DEPTH} levels"]),
    ],
)
def test_a_fault_names_file_line_and_reason(text: str, faults: list[str]) -> None:
    assert _faults(text) == faults


@pytest.mark.parametrize(
    ("value", "told"),
    [
        ("!!int x", '"x" is not a valid !!int'),
        ('!!float ""', '"" is not a valid !!float'),
        ("!!bool x", '"x" is not a valid !!bool'),
        ("!!timestamp x", '"x" is not a valid !!timestamp'),
        ("0x_", '"0x_" is not a valid !!int'),
        ("9" * 5000, f'"{"9" * 20}..." is not a valid !!int'),
        (f"0x{'f' * 5000}", f'"0x{"f" * 18}..." is not a valid !!int'),
        (f"0b{'1' * 20000}", f'"0b{"1" * 18}..." is not a valid !!int'),
        (f"0{'7' * 8000}", f'"0{"7" * 19}..." is not a valid !!int'),
        (f"{'1:' * 100000}1", f'"{"1:" * 10}..." is not a valid !!int'),
        (f"{'1:' * 400}1.5", f'"{"1:" * 10}..." is not a valid !!float'),
    ],
)
def test_a_value_that_its_tag_does_not_have_is_a_fault(value: str, told: str) -> None:
    assert _faults(f"{POD}a: {value}\n") == [f"pod.yaml:3:4: invalid YAML: {told}"]


def test_invalid_utf_8_is_a_fault() -> None:
    assert _faults(b"kind: \xff\n") == [
        "pod.yaml:1:7: byte 0xFF is not UTF-8; allowed: the file saved as UTF-8"
    ]


def test_the_faults_of_all_documents_are_reported() -> None:
    assert len(_faults(f"kind: Pod\n---\n{POD}kind: Job\n")) == 2


def test_anchors_of_anchors_do_not_take_all_memory() -> None:
    lines = [POD, "a0: &a0 [1,1,1,1,1,1,1,1,1,1]\n"]
    lines += [f"a{n}: &a{n} [{','.join([f'*a{n - 1}'] * 10)}]\n" for n in range(1, 9)]
    assert _faults("".join(lines)) == [f"pod.yaml:1: more than {MAX_VALUES} values"]


def test_the_values_of_all_documents_are_bounded_together() -> None:
    repeated = ", ".join(["*a"] * 1000)
    document = f"{POD}a: &a [{', '.join('1' * 400)}]\nb: [{repeated}]\n"
    assert len(read_manifest_file("---\n".join([document] * 2).encode(), "pod.yaml")) == 2
    (fault,) = _faults("---\n".join([document] * 5))
    assert fault.endswith(f": more than {MAX_VALUES} values")


JOB = """\
apiVersion: batch/v1
kind: Job
spec:
  template:
    metadata:
      labels: &labels
        a/b: c
    spec:
      containers:
        - name: train
          env:
            - {name: A}
            - name: B
        - name: metrics
      nodeSelector:
        <<: *labels
      "tolerations": []
"""


def _line(pointer: str) -> int:
    root = yaml.compose(JOB)
    assert root is not None
    return ManifestObject(Mark("job.yaml", 1), {}, root).mark_of(pointer).line


@each_row("lines")
def test_a_field_is_on_the_line_of_its_key_or_of_its_item(pointer: str, line: int) -> None:
    assert _line(pointer) == line


@each_row("missing")
def test_a_field_that_is_missing_is_where_the_nearest_one_above_it_is(
    pointer: str, line: int
) -> None:
    assert _line(pointer) == line


def test_lines_count_from_the_start_of_the_file_and_not_of_the_document() -> None:
    _, second = read_manifest_file(f"{JOB}---\n{JOB}".encode(), "jobs.yaml")
    assert str(second.mark_of("/spec/template")) == "jobs.yaml:22"


def test_json_on_one_line_has_one_line() -> None:
    (pod,) = read_manifest_file(b'{"apiVersion": "v1", "kind": "Pod", "spec": {}}', "-")
    assert str(pod.mark_of("/spec")) == "-:1"


@each_row("templates")
def test_what_is_no_yaml_before_it_is_rendered_is_a_template(text: str, line: int) -> None:
    assert _faults(text) == [
        f"pod.yaml:{line}: a template of Helm, which is not a manifest; {RENDERED}"
    ]


@pytest.mark.parametrize("text", ["name: {{workflow.name}}", "a: {b}", "a: [", "a: {b"])
def test_other_text_is_no_template(text: str) -> None:
    assert template_fault(text.encode(), "pod.yaml") is None


@pytest.mark.parametrize("value", ["{{IMAGE}}", "{{ IMAGE }}", "{user}/image:1"])
def test_a_value_that_begins_with_a_name_in_braces_is_a_placeholder(value: str) -> None:
    text = f"apiVersion: v1\nkind: Pod\nspec:\n  containers:\n    - image: {value}\n"
    named = value.partition("/")[0]
    assert message_of(SpecError, read_manifest_file, text.encode(), "pod.yaml") == (
        f"pod.yaml:5: the placeholder {named} is not filled in; allowed: what is applied"
    )


def test_a_name_in_the_place_of_whole_lines_is_a_placeholder() -> None:
    text = "apiVersion: v1\nkind: Pod\nspec:\n  nodeName: a\n\n${RESOURCES}\n  hostIPC: true\n"
    assert _faults(text) == [
        "pod.yaml:6: the placeholder ${RESOURCES} is not filled in; allowed: what is applied"
    ]


@pytest.mark.parametrize("directive", ["%{ if gpu }", "%{~ for name in names ~}", "%{endif}"])
def test_a_directive_of_terraform_begins_a_template(directive: str) -> None:
    assert _faults(f"apiVersion: v1\nkind: Pod\n{directive}\n") == [
        "pod.yaml:3: a template of Terraform, which is not a manifest; allowed: what it renders"
    ]


def test_yaml_that_holds_templates_of_others_is_read() -> None:
    text = f"{POD_WITH_METADATA}  annotations: {{summary: '{{{{ .Labels.pod }}}} waits'}}\n"
    (pod,) = read_manifest_file(text.encode(), "pod.yaml")
    assert pod.document["metadata"] == {"annotations": {"summary": "{{ .Labels.pod }} waits"}}
