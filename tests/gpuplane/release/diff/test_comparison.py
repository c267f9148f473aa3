"""What differs between two versions of a cluster, from the disk and from git."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from charts_py.argocd.pinned_files import PROJECT
from charts_py.objects.document import ObjectKey
from charts_py.objects.fields import Absent, FieldChange
from gpuplane.release.diff.comparison import DiffRequest, Subject, VersionDifference, diff
from gpuplane.release.diff.objects import ChangedObject, ObjectDifference, PlacedObject
from gpuplane.release.dist_error import DistError
from tests.gpuplane.release.conftest import commit_all
from tests.gpuplane.release.diff.conftest import declare, priority_class, render
from tests.gpuplane.release.rendered_versions import record_files

if TYPE_CHECKING:
    from pathlib import Path

GOLD = PlacedObject("priority-classes", ObjectKey("scheduling.k8s.io", "PriorityClass", "", "gold"))
BATCH = PlacedObject(
    "priority-classes", ObjectKey("scheduling.k8s.io", "PriorityClass", "", "batch")
)


def _request(repository: Path, **fields: str) -> DiffRequest:
    defaults = {"cluster": "sample", **fields}
    return DiffRequest(repository / "clusters", repository / "dist", **defaults)


BATCH_FILE = "dist/sample/1.0.0/priority-classes/PriorityClass.batch.yaml"
_RESTORE = "restore it from git, or render it again where it is not released"


RAISED = ChangedObject(BATCH, (FieldChange("value", 100, 200),))


def test_by_default_the_live_version_is_compared_with_the_rendered_one(repository: Path) -> None:
    assert diff(_request(repository)) == (
        VersionDifference(
            "sample", Subject.NAMED, "1.0.0", "1.1.0", ObjectDifference((GOLD,), (), (RAISED,))
        ),
    )


def test_a_named_version_takes_the_place_of_the_default(repository: Path) -> None:
    (difference,) = diff(_request(repository, old="1.1.0", new="1.0.0"))
    lowered = ChangedObject(BATCH, (FieldChange("value", 200, 100),))
    assert difference.objects == ObjectDifference((), (GOLD,), (lowered,))


def test_versions_may_stand_in_what_the_fleet_shares(repository: Path) -> None:
    declare(repository, live="1.0.0")
    (repository / "clusters" / "fleet.yaml").write_text("version: 1.1.0\n", encoding="utf-8")
    (difference,) = diff(_request(repository))
    assert (difference.old, difference.new) == ("1.0.0", "1.1.0")


def test_a_base_compares_what_is_live_and_what_is_rendered(repository: Path) -> None:
    commit_all(repository)
    declare(repository, version="1.2.0-rc.1", live="1.1.0")
    render(repository, "1.2.0-rc.1", batch=200, gold=6, notebooks=1)
    dearer = ChangedObject(GOLD, (FieldChange("value", 5, 6),))
    assert diff(_request(repository, base="HEAD")) == (
        VersionDifference(
            "sample", Subject.LIVE, "1.0.0", "1.1.0", ObjectDifference((GOLD,), (), (RAISED,))
        ),
        VersionDifference(
            "sample", Subject.RENDERED, "1.1.0", "1.2.0-rc.1", ObjectDifference((), (), (dearer,))
        ),
    )


def test_a_merge_changes_what_argo_cd_may_do_whichever_version_is_live(repository: Path) -> None:
    project = repository / "dist" / "sample" / PROJECT
    project.write_text(_project("research"), encoding="utf-8")
    commit_all(repository)
    project.write_text(_project("robotics"), encoding="utf-8")
    (live, _) = diff(_request(repository, base="HEAD"))
    key = ObjectKey("argoproj.io", "AppProject", "argocd", "sample-platform")
    widened = FieldChange("spec.destinations[0].namespace", "research", "robotics")
    changed = ChangedObject(PlacedObject("root", key), (widened,))
    assert live.objects == ObjectDifference((), (), (changed,))


def _project(namespace: str) -> str:
    return f"""\
apiVersion: argoproj.io/v1alpha1
kind: AppProject
metadata: {{name: sample-platform, namespace: argocd}}
spec: {{destinations: [{{namespace: {namespace}}}]}}
"""


def test_a_cluster_that_the_base_lacks_is_all_new(repository: Path, tmp_path: Path) -> None:
    (tmp_path / "README.md").touch()
    (repository / "clusters").rename(tmp_path / "later")
    (repository / "dist").rename(tmp_path / "rendered-later")
    (tmp_path / ".gitignore").write_text("*later\n", encoding="utf-8")
    commit_all(repository)
    (tmp_path / "later").rename(repository / "clusters")
    (tmp_path / "rendered-later").rename(repository / "dist")
    live, _ = diff(_request(repository, base="HEAD"))
    assert (live.old, live.new, len(live.objects.added)) == (None, "1.0.0", 2)


def test_a_cluster_that_is_gone_is_all_removed(repository: Path) -> None:
    commit_all(repository)
    (repository / "clusters" / "sample.yaml").unlink()
    live, _ = diff(_request(repository, base="HEAD"))
    assert (live.old, live.new, len(live.objects.removed)) == ("1.0.0", None, 2)


def test_what_the_base_never_rendered_is_new(repository: Path) -> None:
    (repository / "dist").rename(repository / "later")
    (repository / ".gitignore").write_text("later\n", encoding="utf-8")
    commit_all(repository)
    (repository / "later").rename(repository / "dist")
    live, rendered = diff(_request(repository, base="HEAD"))
    assert (live.old, rendered.old) == (None, None)


def test_a_field_of_one_side_only_is_absent_on_the_other(repository: Path) -> None:
    file = repository / "dist/sample/1.1.0/priority-classes/PriorityClass.notebooks.yaml"
    file.write_text(priority_class("notebooks", 1) + "description: Work.\n", encoding="utf-8")
    record_files(file.parents[1])
    (difference,) = diff(_request(repository))
    described = difference.objects.changed[-1].fields
    assert described == (FieldChange("description", Absent.ABSENT, "Work."),)


def test_a_file_that_only_reads_otherwise_is_no_change(repository: Path) -> None:
    file = repository / "dist/sample/1.1.0/priority-classes/PriorityClass.notebooks.yaml"
    file.write_text("# A remark.\n" + priority_class("notebooks", 1), encoding="utf-8")
    record_files(file.parents[1])
    (difference,) = diff(_request(repository))
    assert [changed.placed for changed in difference.objects.changed] == [BATCH]


def test_where_the_applications_of_a_version_point_is_no_change(repository: Path) -> None:
    for version in ("1.0.0", "1.1.0"):
        file = repository / "dist/sample" / version / "priority-classes/Application.team.yaml"
        file.write_text(
            "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: team}\n"
            f"spec: {{source: {{path: dist/sample/{version}/team}}}}\n",
            encoding="utf-8",
        )
        record_files(file.parents[1])
    (difference,) = diff(_request(repository))
    assert [changed.placed for changed in difference.objects.changed] == [BATCH]


def test_an_unknown_version_names_those_that_are_there(repository: Path) -> None:
    with pytest.raises(DistError) as error:
        diff(_request(repository, old="1.0.1"))
    assert str(error.value) == (
        f'unknown version "1.0.1" in {repository}/dist/sample; allowed: 1.0.0, 1.1.0; '
        "nearest: 1.0.0, 1.1.0"
    )


def test_an_unknown_cluster_names_the_nearest(repository: Path) -> None:
    with pytest.raises(DistError) as error:
        diff(_request(repository, cluster="simple"))
    assert str(error.value) == 'unknown cluster "simple"; allowed: sample; nearest: sample'


def test_an_unknown_reference_is_named(repository: Path) -> None:
    commit_all(repository)
    with pytest.raises(DistError) as error:
        diff(_request(repository, base="origin/main"))
    assert str(error.value) == (
        f'unknown git reference "origin/main" in {repository}; '
        "allowed: a branch, tag or commit that is fetched"
    )


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (b"kind: PriorityClass", "apiVersion is missing"),
        (b"a: [", "while parsing a flow node"),
        (b"- a", "it, or its metadata, is no mapping"),
        (b"\xff\xfe", "'utf-8' codec can't decode byte 0xff in position 0: invalid start byte"),
    ],
)
def test_a_file_that_holds_no_object_is_named(repository: Path, text: bytes, reason: str) -> None:
    commit_all(repository)
    file = repository / "dist" / "sample" / PROJECT
    file.write_bytes(text)
    with pytest.raises(DistError) as error:
        diff(_request(repository, base="HEAD"))
    assert str(error.value) == f"{file}: not a Kubernetes object: {reason}; {_RESTORE}"


def test_a_file_that_holds_no_object_at_the_base_is_named_as_git_does(repository: Path) -> None:
    file = repository / BATCH_FILE
    file.write_text("kind: PriorityClass\n", encoding="utf-8")
    commit_all(repository)
    render(repository, "1.0.0", batch=100, notebooks=1)
    with pytest.raises(DistError) as error:
        diff(_request(repository, base="HEAD"))
    assert str(error.value) == (
        f"HEAD:{BATCH_FILE}: not a Kubernetes object: apiVersion is missing; {_RESTORE}"
    )


def test_a_change_that_restores_a_version_is_compared_with_its_damage(repository: Path) -> None:
    (repository / BATCH_FILE).write_bytes(b"")
    commit_all(repository)
    render(repository, "1.0.0", batch=100, notebooks=1)
    (difference,) = diff(_request(repository, base="HEAD", old="1.0.0", new="1.0.0"))
    assert difference.objects == ObjectDifference(added=(BATCH,))
