from pathlib import Path

import pytest

from charts_py.cluster_file.fault import SpecError
from charts_py.components.manifests import MANIFESTS
from charts_py.platform.wave import Wave
from tests.charts_py.fixture_types import DocumentsOf, FaultsOf, Load, PlatformWith
from tests.charts_py.on_premises import ON_PREMISES

_EXTENDED = f"{ON_PREMISES}extensions: {{manifests: extra}}\n"


def test_there_is_no_component_without_a_folder_or_with_an_empty_one(
    platform_of: Load, tmp_path: Path
) -> None:
    (tmp_path / "extra").mkdir()
    assert list(MANIFESTS.plan(platform_of(ON_PREMISES))) == []
    assert list(MANIFESTS.plan(platform_of(_EXTENDED))) == []


def test_objects_are_emitted_as_they_are_but_for_nulls_after_everything_else(
    platform_of: Load, documents_of_component: DocumentsOf, tmp_path: Path
) -> None:
    (tmp_path / "extra").mkdir()
    (tmp_path / "extra" / "widget.yaml").write_text(
        "kind: Widget\n"
        "apiVersion: example.com/v1\n"
        "metadata: {name: a:b, labels: {}}\n"
        "spec: {empty: '', nothing: null, list: [], large: 9007199254740991, share: 0.25}\n",
        encoding="utf-8",
    )
    (component,) = MANIFESTS.plan(platform_of(_EXTENDED))
    assert (component.name, component.wave, component.namespace) == (
        "manifests",
        Wave.EXTENSIONS,
        "default",
    )
    assert documents_of_component(component) == (
        {
            "kind": "Widget",
            "apiVersion": "example.com/v1",
            "metadata": {"name": "a:b", "labels": {}},
            "spec": {"empty": "", "list": [], "large": 9007199254740991, "share": 0.25},
        },
    )


def test_every_fault_is_told_at_once(platform_of: Load, tmp_path: Path) -> None:
    folder = tmp_path / "extra"
    folder.mkdir()
    for name in ("a.yaml", "b.yaml"):
        (folder / name).write_text("{apiVersion: v1, kind: ConfigMap}", encoding="utf-8")
    with pytest.raises(SpecError) as error:
        list(MANIFESTS.plan(platform_of(_EXTENDED)))
    assert str(error.value) == (
        f"{folder}/a.yaml:1: document 1: metadata.name: missing\n"
        f"{folder}/b.yaml:1: document 1: metadata.name: missing"
    )


_FOLDER = ("policies:\n", "extensions: {manifests: more}\npolicies:\n")


def test_a_folder_of_manifests_must_be_there(faults_after: FaultsOf) -> None:
    assert faults_after("eks", _FOLDER) == (
        "sample.yaml:64: extensions.manifests: no folder more; "
        "allowed: a folder beside the cluster file"
    )


@pytest.mark.parametrize("named", ["../../..", "link"])
def test_a_folder_of_manifests_is_in_the_repository(
    faults_after: FaultsOf, tmp_path: Path, named: str
) -> None:
    (tmp_path / "link").symlink_to("/")
    (_, manifests) = _FOLDER
    assert faults_after("eks", ("policies:\n", manifests.replace("more", named))) == (
        f"sample.yaml:64: extensions.manifests: {named} is outside of the repository; "
        "allowed: a folder in it"
    )


def test_a_folder_of_manifests_is_found_beside_the_file(
    tmp_path: Path, platform_after: PlatformWith
) -> None:
    (tmp_path / "more").mkdir()
    assert platform_after("eks", _FOLDER).cluster.extensions.manifests == "more"
