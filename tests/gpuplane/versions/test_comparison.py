"""What differs between two versions of a cluster, from the disk and from git."""

from pathlib import Path

import pytest

from charts_py.argocd.application import PROJECT
from charts_py.objects.document import ObjectKey
from charts_py.objects.fields import Absent, FieldChange
from gpuplane.versions.base import find_base
from gpuplane.versions.comparison import (
    ChangedObject,
    DiffRequest,
    ObjectDifference,
    PlacedObject,
    Subject,
    VersionDifference,
    VersionReader,
    diff,
    diff_documents,
)
from gpuplane.versions.tree import DistError, Tree
from tests.gpuplane.messages import message_of
from tests.gpuplane.versions.conftest import commit_all
from tests.gpuplane.versions.rendered_versions import declare, priority_class, record_files, render

GOLD = PlacedObject("priority-classes", ObjectKey("scheduling.k8s.io", "PriorityClass", "", "gold"))
BATCH = PlacedObject(
    "priority-classes", ObjectKey("scheduling.k8s.io", "PriorityClass", "", "batch")
)


def _request(
    sample: Path,
    cluster: str = "sample",
    old: str | None = None,
    new: str | None = None,
    base: str | None = None,
) -> DiffRequest:
    found = find_base(sample, base)
    return DiffRequest(sample / "clusters", sample / "dist", cluster, old, new, found)


BATCH_FILE = "dist/sample/1.0.0/priority-classes/PriorityClass.batch.yaml"
_RESTORE = "restore it from git, or render it again where it is not released"
RAISED = ChangedObject(BATCH, (FieldChange("value", 100, 200),))


def test_by_default_the_live_version_is_compared_with_the_rendered_one(sample: Path) -> None:
    assert diff(_request(sample)) == (
        VersionDifference(
            "sample", Subject.NAMED, "1.0.0", "1.1.0", ObjectDifference((GOLD,), (), (RAISED,))
        ),
    )


def test_a_named_version_takes_the_place_of_the_default(sample: Path) -> None:
    (difference,) = diff(_request(sample, old="1.1.0", new="1.0.0"))
    lowered = ChangedObject(BATCH, (FieldChange("value", 200, 100),))
    assert difference.objects == ObjectDifference((), (GOLD,), (lowered,))


def test_versions_may_stand_in_what_the_fleet_shares(sample: Path) -> None:
    declare(sample, live="1.0.0")
    (sample / "clusters" / "fleet.yaml").write_text("version: 1.1.0\n", encoding="utf-8")
    (difference,) = diff(_request(sample))
    assert (difference.old, difference.new) == ("1.0.0", "1.1.0")


def test_a_base_compares_what_is_live_and_what_is_rendered(sample: Path) -> None:
    commit_all(sample)
    declare(sample, version="1.2.0-rc.1", live="1.1.0")
    render(sample, "1.2.0-rc.1", batch=200, gold=6, notebooks=1)
    dearer = ChangedObject(GOLD, (FieldChange("value", 5, 6),))
    assert diff(_request(sample, base="HEAD")) == (
        VersionDifference(
            "sample", Subject.LIVE, "1.0.0", "1.1.0", ObjectDifference((GOLD,), (), (RAISED,))
        ),
        VersionDifference(
            "sample", Subject.RENDERED, "1.1.0", "1.2.0-rc.1", ObjectDifference((), (), (dearer,))
        ),
    )


def test_what_is_rendered_is_compared_once_where_it_goes_live(sample: Path) -> None:
    commit_all(sample)
    declare(sample, version="1.2.0-rc.1", live="1.2.0-rc.1")
    render(sample, "1.2.0-rc.1", batch=200, gold=6, notebooks=1)
    found = diff(_request(sample, base="HEAD"))
    assert [(each.subject, each.old, each.new) for each in found] == [
        (Subject.LIVE, "1.0.0", "1.2.0-rc.1")
    ]


def test_a_merge_changes_what_argo_cd_may_do_whichever_version_is_live(sample: Path) -> None:
    project = sample / "dist" / "sample" / PROJECT
    project.write_text(_project("research"), encoding="utf-8")
    commit_all(sample)
    project.write_text(_project("robotics"), encoding="utf-8")
    (live, _) = diff(_request(sample, base="HEAD"))
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


def test_a_cluster_that_the_base_lacks_is_all_new(sample: Path, tmp_path: Path) -> None:
    (tmp_path / "README.md").touch()
    (sample / "clusters").rename(tmp_path / "later")
    (sample / "dist").rename(tmp_path / "rendered-later")
    (tmp_path / ".gitignore").write_text("*later\n", encoding="utf-8")
    commit_all(sample)
    (tmp_path / "later").rename(sample / "clusters")
    (tmp_path / "rendered-later").rename(sample / "dist")
    live, _ = diff(_request(sample, base="HEAD"))
    assert (live.old, live.new, len(live.objects.added)) == (None, "1.0.0", 2)


def test_a_cluster_that_is_gone_is_all_removed(sample: Path) -> None:
    commit_all(sample)
    (sample / "clusters" / "sample.yaml").unlink()
    live, _ = diff(_request(sample, base="HEAD"))
    assert (live.old, live.new, len(live.objects.removed)) == ("1.0.0", None, 2)


def test_what_the_base_never_rendered_is_new(sample: Path) -> None:
    (sample / "dist").rename(sample / "later")
    (sample / ".gitignore").write_text("later\n", encoding="utf-8")
    commit_all(sample)
    (sample / "later").rename(sample / "dist")
    live, rendered = diff(_request(sample, base="HEAD"))
    assert (live.old, rendered.old) == (None, None)


def test_a_field_of_one_side_only_is_absent_on_the_other(sample: Path) -> None:
    file = sample / "dist/sample/1.1.0/priority-classes/PriorityClass.notebooks.yaml"
    file.write_text(priority_class("notebooks", 1) + "description: Work.\n", encoding="utf-8")
    record_files(file.parents[1])
    (difference,) = diff(_request(sample))
    described = difference.objects.changed[-1].fields
    assert described == (FieldChange("description", Absent.ABSENT, "Work."),)


def test_a_file_that_only_reads_otherwise_is_no_change(sample: Path) -> None:
    file = sample / "dist/sample/1.1.0/priority-classes/PriorityClass.notebooks.yaml"
    file.write_text("# A remark.\n" + priority_class("notebooks", 1), encoding="utf-8")
    record_files(file.parents[1])
    (difference,) = diff(_request(sample))
    assert [changed.placed for changed in difference.objects.changed] == [BATCH]


def test_where_the_applications_of_a_version_point_is_no_change(sample: Path) -> None:
    for version in ("1.0.0", "1.1.0"):
        file = sample / "dist/sample" / version / "priority-classes/Application.team.yaml"
        file.write_text(
            "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: team}\n"
            f"spec: {{source: {{path: dist/sample/{version}/team}}}}\n",
            encoding="utf-8",
        )
        record_files(file.parents[1])
    (difference,) = diff(_request(sample))
    assert [changed.placed for changed in difference.objects.changed] == [BATCH]


def test_an_unknown_version_names_those_that_are_there(sample: Path) -> None:
    assert message_of(DistError, diff, _request(sample, old="1.0.1")) == (
        f'unknown version "1.0.1" in {sample}/dist/sample; allowed: 1.0.0, 1.1.0; nearest: 1.0.0'
    )


def test_an_unknown_cluster_names_the_nearest(sample: Path) -> None:
    message = message_of(DistError, diff, _request(sample, cluster="simple"))
    assert message == 'unknown cluster "simple"; allowed: sample; nearest: sample'


@pytest.mark.parametrize("name", ["{}/dist/sample", "../dist/sample", "sample/", ".", "", "fleet"])
@pytest.mark.parametrize("base", [None, "HEAD"])
def test_a_path_is_no_name_of_a_cluster(sample: Path, name: str, base: str | None) -> None:
    (sample / "clusters" / "fleet.yaml").write_text("version: 1.1.0\n", encoding="utf-8")
    commit_all(sample)
    path = name.replace("{}", str(sample))
    message = message_of(DistError, diff, _request(sample, path, base=base))
    assert message.removesuffix("; nearest: sample") == f'unknown cluster "{path}"; allowed: sample'


def test_an_unknown_reference_is_named(sample: Path) -> None:
    commit_all(sample)
    assert message_of(DistError, find_base, sample, "origin/main") == (
        f'unknown git reference "origin/main" in {sample}; '
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
def test_a_file_that_holds_no_object_is_named(sample: Path, text: bytes, reason: str) -> None:
    commit_all(sample)
    file = sample / "dist" / "sample" / PROJECT
    file.write_bytes(text)
    message = message_of(DistError, diff, _request(sample, base="HEAD"))
    assert message == f"{file}: not a Kubernetes object: {reason}; {_RESTORE}"


def test_a_file_that_holds_no_object_at_the_base_is_named_as_git_does(sample: Path) -> None:
    file = sample / BATCH_FILE
    file.write_text("kind: PriorityClass\n", encoding="utf-8")
    commit_all(sample)
    render(sample, "1.0.0", batch=100, notebooks=1)
    assert message_of(DistError, diff, _request(sample, base="HEAD")) == (
        f"HEAD:{BATCH_FILE}: not a Kubernetes object: apiVersion is missing; {_RESTORE}"
    )


def test_a_change_that_restores_a_version_is_compared_with_its_damage(sample: Path) -> None:
    (sample / BATCH_FILE).write_bytes(b"")
    commit_all(sample)
    render(sample, "1.0.0", batch=100, notebooks=1)
    (difference,) = diff(_request(sample, base="HEAD", old="1.0.0", new="1.0.0"))
    assert difference.objects == ObjectDifference(added=(BATCH,))


KEY = ObjectKey("", "Namespace", "", "research")
TEXT = b"apiVersion: v1\nkind: Namespace\nmetadata: {name: research}\n"


def diff_objects(old: Tree, new: Tree) -> ObjectDifference:
    return diff_documents(VersionReader().objects_of(old), VersionReader().objects_of(new))


def test_an_object_that_moves_to_another_component_is_removed_and_added() -> None:
    assert diff_objects({"a/x.yaml": TEXT}, {"b/x.yaml": TEXT}) == ObjectDifference(
        added=(PlacedObject("b", KEY),), removed=(PlacedObject("a", KEY),)
    )


def test_another_name_of_the_file_is_no_change() -> None:
    assert not diff_objects({"a/x.yaml": TEXT}, {"a/y.yaml": TEXT})


def test_another_group_is_another_object() -> None:
    other = TEXT.replace(b"v1", b"example.com/v1")
    difference = diff_objects({"a/x.yaml": TEXT}, {"a/x.yaml": other})
    groups = [placed.key.group for placed in (*difference.removed, *difference.added)]
    assert groups == ["", "example.com"]


def test_another_version_of_the_group_is_a_field() -> None:
    (changed,) = diff_objects({"a/x.yaml": TEXT}, {"a/x.yaml": TEXT.replace(b"v1", b"v2")}).changed
    assert [field.path for field in changed.fields] == ["apiVersion"]


def test_what_differs_is_counted_in_words() -> None:
    placed = (PlacedObject("a", KEY),)
    assert str(ObjectDifference(added=placed * 2, removed=placed)) == "2 added, 1 removed"
    assert str(ObjectDifference()) == "no change"


def test_a_file_that_versions_have_in_common_is_read_once() -> None:
    reader = VersionReader()
    old = {"a/x.yaml": TEXT, "a/y.yaml": TEXT.replace(b"research", b"serving")}
    new = {"b/x.yaml": TEXT, "a/y.yaml": TEXT.replace(b"research", b"search")}
    before, after = reader.objects_of(old), reader.objects_of(new)
    assert (before, after) == (VersionReader().objects_of(old), VersionReader().objects_of(new))
    assert before[PlacedObject("a", KEY)] is after[PlacedObject("b", KEY)]
