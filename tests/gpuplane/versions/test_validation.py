"""Validating what is rendered."""

from pathlib import Path

import pytest

from gpuplane.versions.validation import ValidationRequest, validate
from tests.gpuplane.versions.rendered_versions import NAMESPACE, write_version

WIDGET = "apiVersion: example.com/v1\nkind: Widget\nmetadata:\n  name: one\nspec:\n  size: 1\n"
DEFINITION = """\
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: widgets.example.com
spec:
  group: example.com
  names: {kind: Widget, plural: widgets}
  scope: Cluster
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          properties:
            spec:
              type: object
              properties:
                size: {type: integer}
"""


def _failures(dist: Path, *names: str) -> list[str]:
    return [str(failure) for failure in validate(ValidationRequest(dist, names)).failures]


def test_every_version_the_root_application_and_the_fleet_are_validated(tmp_path: Path) -> None:
    for version in ("sample/1.0.0", "sample/1.1.0", "other/1.0.0"):
        write_version(tmp_path, version, namespace=NAMESPACE)
    (tmp_path / "fleet").mkdir()
    for path in ("sample/root-application.yaml", "fleet/Namespace.research.yaml"):
        (tmp_path / path).write_text(NAMESPACE, encoding="utf-8")
    report = validate(ValidationRequest(tmp_path))
    assert (report.kinds, report.objects, report.failures) == ({("v1", "Namespace"): 5}, 5, ())
    assert validate(ValidationRequest(tmp_path, ("sample",))).objects == 3


def test_each_version_is_held_against_its_own_kubernetes(tmp_path: Path) -> None:
    claim = "apiVersion: resource.k8s.io/v1\nkind: DeviceClass\nmetadata:\n  name: a\nspec: {}\n"
    write_version(tmp_path, "new/1.0.0", "1.34", claim=claim)
    old = write_version(tmp_path, "old/1.0.0", "1.33", claim=claim)
    (failure,) = validate(ValidationRequest(tmp_path)).failures
    assert (failure.file, failure.kind) == (f"{old}/part/claim.yaml", "DeviceClass")


def test_a_definition_brings_the_schema_of_its_kind(tmp_path: Path) -> None:
    own = {"CustomResourceDefinition.widgets.example.com": DEFINITION}
    folder = write_version(tmp_path, "sample/1.0.0", widget=WIDGET, **own)
    assert _failures(tmp_path) == []
    text = WIDGET.replace("size", "sise")
    (folder / "part" / "widget.yaml").write_text(text, encoding="utf-8")
    what = "/spec: additional properties 'sise' not allowed"
    assert _failures(tmp_path) == [f"{folder}/part/widget.yaml: Widget/one: {what}"]


def test_a_definition_serves_only_the_version_that_it_is_in(tmp_path: Path) -> None:
    own = {"CustomResourceDefinition.widgets.example.com": DEFINITION}
    write_version(tmp_path, "sample/1.0.0", widget=WIDGET, **own)
    other = write_version(tmp_path, "other/1.0.0", widget=WIDGET)
    (failure,) = validate(ValidationRequest(tmp_path)).failures
    assert failure.file == f"{other}/part/widget.yaml"


@pytest.mark.parametrize("name", ["empty.yaml", "notes.txt"])
def test_a_file_without_an_object_is_a_failure(tmp_path: Path, name: str) -> None:
    folder = write_version(tmp_path, "sample/1.0.0", namespace=NAMESPACE)
    (folder / "part" / name).write_text("# nothing\n", encoding="utf-8")
    assert _failures(tmp_path) == [f"{folder}/part/{name}: document: holds no Kubernetes object"]


def test_progress_is_told_each_group(tmp_path: Path) -> None:
    write_version(tmp_path, "one/1.0.0", "1.33", namespace=NAMESPACE)
    write_version(tmp_path, "two/1.0.0", "1.36", namespace=NAMESPACE)
    finished: list[str] = []
    validate(ValidationRequest(tmp_path), finished.append)
    assert finished == ["Kubernetes 1.33", "Kubernetes 1.36"]
