"""On which line of a manifest a field stands."""

import pytest
import yaml

from gpuplane.admission.manifest_file import read_manifest_file
from gpuplane.admission.manifest_lines import line_of

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


def _composed(text: str) -> yaml.Node:
    node = yaml.compose(text)
    assert node is not None
    return node


@pytest.mark.parametrize(
    ("pointer", "line"),
    [
        ("", 1),
        ("/spec", 3),
        ("/spec/template/metadata/labels/a~1b", 7),
        ("/spec/template/spec/containers/0", 10),
        ("/spec/template/spec/containers/0/env/1", 13),
        ("/spec/template/spec/containers/1/name", 14),
        ("/spec/template/spec/tolerations", 17),
    ],
)
def test_a_field_is_on_the_line_of_its_key_or_of_its_item(pointer: str, line: int) -> None:
    assert line_of(_composed(JOB), pointer) == line


@pytest.mark.parametrize(
    ("pointer", "line"),
    [
        ("/spec/template/spec/affinity", 8),
        ("/spec/template/spec/containers/1/resources/limits", 14),
        ("/spec/template/spec/containers/2/name", 9),
        ("/spec/template/spec/containers/-", 9),
        ("/spec/template/spec/nodeSelector/a~1b", 15),
        ("/metadata/labels", 1),
    ],
)
def test_a_field_that_is_missing_is_where_the_nearest_one_above_it_is(
    pointer: str, line: int
) -> None:
    assert line_of(_composed(JOB), pointer) == line


def test_lines_count_from_the_start_of_the_file_and_not_of_the_document() -> None:
    _, second = read_manifest_file(f"{JOB}---\n{JOB}".encode(), "jobs.yaml")
    assert str(second.mark_of("/spec/template")) == "jobs.yaml:22"


def test_json_on_one_line_has_one_line() -> None:
    (pod,) = read_manifest_file(b'{"apiVersion": "v1", "kind": "Pod", "spec": {}}', "-")
    assert str(pod.mark_of("/spec")) == "-:1"
