from pathlib import Path

import pytest

from gpuplane.versions.tree import DistError
from gpuplane.versions.validation import ValidationGroup, validate, validation_groups
from tests.gpuplane.messages import message_of
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
    return [str(failure) for failure in validate(dist, names).failures]


def test_every_version_the_root_application_and_the_fleet_are_validated(tmp_path: Path) -> None:
    for version in ("sample/1.0.0", "sample/1.1.0", "other/1.0.0"):
        write_version(tmp_path, version, namespace=NAMESPACE)
    (tmp_path / "fleet").mkdir()
    for path in ("sample/root-application.yaml", "fleet/Namespace.research.yaml"):
        (tmp_path / path).write_text(NAMESPACE, encoding="utf-8")
    report = validate(tmp_path)
    assert (report.kinds, report.objects, report.failures) == ({("v1", "Namespace"): 5}, 5, ())
    assert validate(tmp_path, ("sample",)).objects == 3


def test_each_version_is_held_against_its_own_kubernetes(tmp_path: Path) -> None:
    claim = "apiVersion: resource.k8s.io/v1\nkind: DeviceClass\nmetadata:\n  name: a\nspec: {}\n"
    write_version(tmp_path, "new/1.0.0", "1.34", claim=claim)
    old = write_version(tmp_path, "old/1.0.0", "1.33", claim=claim)
    (failure,) = validate(tmp_path).failures
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
    (failure,) = validate(tmp_path).failures
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
    validate(tmp_path, progress=finished.append)
    assert finished == ["Kubernetes 1.33", "Kubernetes 1.36"]


def test_versions_of_one_kubernetes_without_definitions_are_one_group(tmp_path: Path) -> None:
    old = write_version(tmp_path, "one/1.0.0", "1.9", namespace=NAMESPACE)
    new = [write_version(tmp_path, f"two/1.{n}.0", "1.36", namespace=NAMESPACE) for n in (0, 1)]
    assert validation_groups(tmp_path, ()) == {
        ValidationGroup("1.9"): [old],
        ValidationGroup("1.36"): new,
    }


def test_definitions_are_validated_with_their_own_version(tmp_path: Path) -> None:
    definition = "CustomResourceDefinition.widgets.example.com"
    own = write_version(tmp_path, "one/1.0.0", **{definition: "kind: CustomResourceDefinition"})
    other = write_version(tmp_path, "one/1.1.0", namespace=NAMESPACE)
    assert validation_groups(tmp_path, ()) == {
        ValidationGroup("1.34", (b"kind: CustomResourceDefinition",)): [own],
        ValidationGroup("1.34"): [other],
    }


def test_what_stands_outside_of_versions_belongs_to_the_oldest_kubernetes(tmp_path: Path) -> None:
    old = write_version(tmp_path, "one/1.0.0", "1.9", namespace=NAMESPACE)
    new = write_version(tmp_path, "two/1.0.0", "1.36", namespace=NAMESPACE)
    (tmp_path / "fleet").mkdir()
    (tmp_path / ".synth-killed").mkdir()
    project = tmp_path / "two" / "project.yaml"
    project.touch()
    assert validation_groups(tmp_path, ()) == {
        ValidationGroup("1.9"): [old, project, tmp_path / "fleet"],
        ValidationGroup("1.36"): [new],
    }
    assert validation_groups(tmp_path, ("two",)) == {ValidationGroup("1.36"): [new, project]}


def test_a_record_that_is_none_is_named(tmp_path: Path) -> None:
    folder = write_version(tmp_path, "sample/1.0.0", namespace=NAMESPACE)
    (folder / "release.json").write_text("{}", encoding="utf-8")
    assert message_of(DistError, validation_groups, tmp_path, ()) == (
        f"{folder}/release.json: not a release record: cluster is missing; "
        "render it again, or restore it from the main branch"
    )


def test_nothing_rendered_says_what_to_do(tmp_path: Path) -> None:
    message = message_of(DistError, validation_groups, tmp_path / "dist", ())
    assert message == f"{tmp_path}/dist: nothing is rendered; run gpuplane synth"


def test_an_unknown_cluster_names_the_nearest(tmp_path: Path) -> None:
    write_version(tmp_path, "sample/1.0.0", namespace=NAMESPACE)
    message = message_of(DistError, validation_groups, tmp_path, ("sampel",))
    assert message == (f'unknown cluster "sampel" in {tmp_path}; allowed: sample; nearest: sample')
