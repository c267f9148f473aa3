"""release.json."""

import json

import pytest

from charts_py.release.release_record import PinnedCrds, ReleaseRecord, digest, read_record
from charts_py.rendering import PinnedChart

RECORD = ReleaseRecord(
    cluster="training",
    version="1.0.0",
    kubernetes="1.35",
    tool_version="0.1.0",
    spec_digest="abc",
    charts=(PinnedChart("gpu-operator", "v26.7.0", "https://example.com/charts"),),
    crds=(PinnedCrds("karpenter.sh", "kubernetes-sigs/karpenter v1.14.1"),),
    files={"b.yaml": "2", "a.yaml": "1"},
)


def test_a_record_reads_as_it_was_written() -> None:
    assert read_record(RECORD.to_json()) == RECORD


def test_a_record_is_json_with_sorted_files() -> None:
    assert json.loads(RECORD.to_json()) == {
        "cluster": "training",
        "version": "1.0.0",
        "kubernetes": "1.35",
        "toolVersion": "0.1.0",
        "specDigest": "abc",
        "charts": [
            {
                "name": "gpu-operator",
                "version": "v26.7.0",
                "repository": "https://example.com/charts",
            }
        ],
        "crds": [{"group": "karpenter.sh", "source": "kubernetes-sigs/karpenter v1.14.1"}],
        "files": {"a.yaml": "1", "b.yaml": "2"},
    }
    assert RECORD.to_json().index(b"a.yaml") < RECORD.to_json().index(b"b.yaml")


def test_what_is_no_record_is_refused() -> None:
    with pytest.raises(ValueError, match="no release record: 'cluster'"):
        read_record(b"{}")


def test_a_digest_is_sha256() -> None:
    assert digest(b"") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
