"""What of dist/ is validated against which schemas."""

from pathlib import Path

import pytest

from gpuplane.versions.dist_error import DistError
from gpuplane.versions.validation_groups import ValidationGroup, validation_groups
from tests.gpuplane.versions.rendered_versions import NAMESPACE, write_version


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
    with pytest.raises(DistError) as error:
        validation_groups(tmp_path, ())
    assert str(error.value) == (
        f"{folder}/release.json: not a release record: cluster is missing; "
        "render it again, or restore it from the main branch"
    )


def test_nothing_rendered_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(DistError) as error:
        validation_groups(tmp_path / "dist", ())
    assert str(error.value) == f"{tmp_path}/dist: nothing is rendered; run gpuplane synth"


def test_an_unknown_cluster_names_the_nearest(tmp_path: Path) -> None:
    write_version(tmp_path, "sample/1.0.0", namespace=NAMESPACE)
    with pytest.raises(DistError) as error:
        validation_groups(tmp_path, ("sampel",))
    assert str(error.value) == (
        f'unknown cluster "sampel" in {tmp_path}; allowed: sample; nearest: sample'
    )
