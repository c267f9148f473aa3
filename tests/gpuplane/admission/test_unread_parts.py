from pathlib import Path
from typing import Any

import pytest
import yaml

from gpuplane.admission.manifest_file import read_manifest_file
from gpuplane.admission.unread_parts import misspelled_fields, unread_parts

ROWS: dict[str, Any] = yaml.safe_load(Path(__file__).with_name("unread_parts.yaml").read_bytes())
CONTAINERS = "[{name: train, resources: {limits: {nvidia.com/gpu: 1}}}]"
POD = "apiVersion: v1\nkind: Pod\n"
LIST = "apiVersion: v1\nkind: List\n"


def _rows(section: str) -> list[list[Any]]:
    return [[*row.values()] for row in ROWS[section]]


def _faults(text: str) -> list[str]:
    (one,) = read_manifest_file(text.encode(), "pod.yaml")
    return [str(fault).removeprefix("pod.yaml:") for fault in unread_parts(one)]


@pytest.mark.parametrize("row", ROWS["unread"], ids=lambda row: row["fault"])
def test_what_no_rule_would_read_is_told_by_its_line(row: dict[str, str]) -> None:
    assert _faults(row["manifest"]) == [row["fault"]]


@pytest.mark.parametrize(("part", "fault"), _rows("affinity"))
def test_what_no_rule_would_read_of_an_affinity_is_told(part: str, fault: str) -> None:
    text = f"{POD}spec: {{containers: {CONTAINERS}, affinity: {{{part}}}}}\n"
    assert _faults(text) == [f"3: spec.{fault}"]


@pytest.mark.parametrize(("part", "fault"), _rows("container"))
def test_what_no_rule_would_read_of_a_container_is_told(part: str, fault: str) -> None:
    text = f"{POD}spec: {{containers: [{{name: train, {part}}}]}}\n"
    assert _faults(text) == [f"3: spec.containers[0].{fault}"]


def test_what_no_rule_would_read_of_labels_and_volumes_is_told() -> None:
    volumes = "[{name: scratch, emptyDir: 5}]"
    text = f"{POD}metadata: {{labels: {{a: 5}}}}\nspec: {{containers: [], volumes: {volumes}}}\n"
    assert _faults(text) == [
        "3: metadata.labels.a: 5 is a number in YAML; quote it; allowed: a string",
        "4: spec.volumes[0].emptyDir: 5 is a number; allowed: a mapping",
    ]


@pytest.mark.parametrize("row", ROWS["misspelled"], ids=lambda row: row["fault"])
def test_a_misspelled_field_above_pods_is_found(row: dict[str, str]) -> None:
    assert _faults(row["manifest"]) == [f"3: {row['fault']}"]


@pytest.mark.parametrize("kind", ["Role", "Workflow", "ConfigMap", "Queue"])
@pytest.mark.parametrize(("part", "fault"), _rows("metadata"))
def test_the_metadata_of_every_object_is_text(kind: str, part: str, fault: str) -> None:
    text = f"apiVersion: example.com/v1\nkind: {kind}\nmetadata:\n  {part}\n"
    assert _faults(text) == [f"4: metadata.{fault}; allowed: a string"]


def test_the_metadata_of_the_objects_of_a_list_is_text() -> None:
    one = "{apiVersion: batch/v1, kind: Job, metadata: {name: 5}, spec: {template: {spec: {}}}}"
    assert _faults(f"{LIST}items:\n  - {one}\n") == [
        "4: items[0].metadata.name: 5 is a number in YAML; quote it; allowed: a string",
        "4: items[0].spec.template.spec.containers: missing; allowed: a list",
    ]


@pytest.mark.parametrize("text", ROWS["read"])
def test_what_is_read_or_creates_no_pods_has_no_fault(text: str) -> None:
    assert _faults(text) == []


TEMPLATE = "/spec/replicatedJobs/*/template/spec"


@pytest.mark.parametrize(("document", "found"), _rows("typos"))
def test_fields_that_lead_nowhere_by_a_typo_are_found(
    document: Any, found: list[list[str]]
) -> None:
    assert [*map(list, misspelled_fields(document, TEMPLATE))] == found
