import json
from dataclasses import replace
from pathlib import Path

import pytest

from charts_py.argocd.project import Destination, Permissions
from charts_py.objects.document import EmittedKind
from charts_py.rendering.rendering import PinnedChart
from gpuplane.versions.record import (
    RECORD_FILE,
    PinnedCrds,
    ReleaseRecord,
    digest,
    is_prerelease,
    read_record,
    read_record_file,
    record_files,
)
from gpuplane.versions.tree import DistError
from tests.gpuplane.conftest import fields
from tests.gpuplane.messages import message_of

RECORD = ReleaseRecord(
    cluster="training",
    version="1.0.0",
    kubernetes="1.35",
    tool_version="0.1.0",
    spec_digest="abc",
    charts=(PinnedChart("gpu-operator", "v26.7.0", "https://example.com/charts"),),
    crds=(PinnedCrds("karpenter.sh", "kubernetes-sigs/karpenter v1.14.1"),),
    permissions=Permissions(
        repositories=frozenset({"https://example.com/charts"}),
        destinations=frozenset(
            Destination("https://lab.example.com", each) for each in ("research", "default")
        ),
        cluster_kinds=frozenset({EmittedKind("", "Namespace", namespaced=False)}),
    ),
    files={"b.yaml": "2", "a.yaml": "1"},
)


def test_a_record_reads_as_it_was_written() -> None:
    assert read_record(RECORD.to_json()) == RECORD


def test_a_version_with_an_app_project_of_its_own_says_nothing_of_permissions() -> None:
    record = replace(RECORD, permissions=None)
    assert "permissions" not in json.loads(record.to_json())
    assert read_record(record.to_json()) == record


def test_a_record_is_json_with_sorted_files() -> None:
    assert json.loads(RECORD.to_json()) == fields("""
        cluster: training, version: 1.0.0, kubernetes: "1.35", toolVersion: 0.1.0, specDigest: abc,
        charts: [
            {name: gpu-operator, version: v26.7.0, repository: "https://example.com/charts"}
        ],
        crds: [{group: karpenter.sh, source: kubernetes-sigs/karpenter v1.14.1}],
        permissions: {
            repositories: ["https://example.com/charts"],
            destinations: [
                {server: "https://lab.example.com", namespace: default},
                {server: "https://lab.example.com", namespace: research}
            ],
            clusterKinds: [{group: "", kind: Namespace}]
        },
        files: {a.yaml: "1", b.yaml: "2"}
    """)
    assert RECORD.to_json().index(b"a.yaml") < RECORD.to_json().index(b"b.yaml")


def test_what_is_no_record_is_refused() -> None:
    with pytest.raises(ValueError, match="not a release record: cluster is missing"):
        read_record(b"{}")


def test_a_digest_is_sha256() -> None:
    assert digest(b"") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"


@pytest.mark.parametrize(
    "permissions",
    [
        {"repositories": [1], "destinations": [], "clusterKinds": []},
        {"repositories": "text", "destinations": [], "clusterKinds": []},
        {"repositories": [], "destinations": ["research"], "clusterKinds": []},
        {"repositories": [], "destinations": [], "clusterKinds": [{"group": None, "kind": "A"}]},
        {"repositories": []},
        ["research"],
    ],
)
def test_permissions_that_nobody_rendered_are_refused(permissions: object) -> None:
    text = json.dumps(json.loads(RECORD.to_json()) | {"permissions": permissions})
    with pytest.raises(ValueError, match="not a release record: "):
        read_record(text.encode())


@pytest.mark.parametrize(
    ("text", "why"), [("[]", "no JSON object"), ("[" * 300_000, "it is nested too deeply")]
)
def test_a_file_that_holds_no_record_is_named(tmp_path: Path, text: str, why: str) -> None:
    file = tmp_path / RECORD_FILE
    file.write_text(text)
    assert message_of(DistError, read_record_file, file) == (
        f"{file}: not a release record: {why}; render it again, or restore it from the main branch"
    )


def test_records_are_found_by_version(tmp_path: Path) -> None:
    files = {name: tmp_path / "lab" / name / RECORD_FILE for name in ("1.0.0", "1.1.0")}
    for file in (*files.values(), tmp_path / "other" / "2.0.0" / RECORD_FILE):
        file.parent.mkdir(parents=True)
        file.touch()
    (tmp_path / "lab" / "live-application.yaml").touch()
    assert record_files(tmp_path, "lab") == files


def test_a_suffix_makes_a_prerelease() -> None:
    assert is_prerelease("1.3.0-rc.1")
    assert not is_prerelease("1.3.0")


def test_what_clusters_share_is_recorded_and_earlier_records_lack_it() -> None:
    record = replace(RECORD, shared={"policies": "1", "gitops": "2"})
    assert json.loads(record.to_json())["shared"] == {"gitops": "2", "policies": "1"}
    assert read_record(record.to_json()) == record
    assert "shared" not in json.loads(RECORD.to_json())
