import re

import pytest

from upstream.lock import LockedFile, UpstreamError, committed_lock, locked_folder, parse_lock

DIGEST = "0" * 64
COMMIT = "1" * 40

LOCK = f"""\
- repository: owner/name
  version: v1.2.3
  commit: '{COMMIT}'
  files:
    crds/name-1.2.3/a.yaml:
      path: config/a.yaml
      sha256: '{DIGEST}'
    schemas/b.json:
      path: b.json
      sha256: '{DIGEST}'
      api_version: example.com/v1
      kind: Widget
"""


def test_a_lock_lists_the_files_of_each_source() -> None:
    origin = {"repository": "owner/name", "version": "v1.2.3", "commit": COMMIT, "sha256": DIGEST}
    assert parse_lock(LOCK, "lock.yaml") == (
        LockedFile(file="crds/name-1.2.3/a.yaml", path="config/a.yaml", **origin),
        LockedFile(
            file="schemas/b.json",
            path="b.json",
            api_version="example.com/v1",
            kind="Widget",
            **origin,
        ),
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a: b", "lock.yaml: is not a list of sources"),
        (
            "- repository: owner/name",
            "lock.yaml: owner/name: a source has the fields commit, files, repository, version",
        ),
        (
            LOCK.replace("      path: b.json\n", ""),
            (
                "lock.yaml: schemas/b.json: a file has the fields path, sha256, a JSON schema "
                "also api_version, kind, a chart also chart, chart_version and maybe app_version"
            ),
        ),
        (
            LOCK.replace(f"'{DIGEST}'", "12"),
            (
                "lock.yaml: crds/name-1.2.3/a.yaml: sha256 must be a string\n"
                "lock.yaml: schemas/b.json: sha256 must be a string"
            ),
        ),
        (LOCK.replace("v1.2.3", "1.2"), "lock.yaml: owner/name: version must be a string"),
        (
            LOCK.replace("schemas/b.json", "../b.json"),
            "lock.yaml: ../b.json: a file must be inside the mirror: no leading / and no ..",
        ),
        (
            LOCK + LOCK.replace("schemas/b", "schemas/c"),
            "lock.yaml: crds/name-1.2.3/a.yaml: is listed 2 times",
        ),
    ],
)
def test_a_wrong_lock_names_each_wrong_entry(text: str, message: str) -> None:
    with pytest.raises(UpstreamError) as caught:
        parse_lock(text, "lock.yaml")
    assert str(caught.value) == message


def test_the_committed_lock_is_sorted_by_source_and_file() -> None:
    entries = committed_lock()
    assert list(entries) == sorted(
        entries, key=lambda entry: (entry.repository, entry.version, entry.commit, entry.file)
    )


def test_each_committed_pin_is_a_full_commit_and_a_full_digest() -> None:
    assert [
        entry.file
        for entry in committed_lock()
        if not re.fullmatch("[0-9a-f]{40}", entry.commit)
        or not re.fullmatch("[0-9a-f]{64}", entry.sha256)
    ] == []


def test_a_source_and_path_is_locked_once_for_each_mirror_folder() -> None:
    keys = [
        (entry.repository, entry.commit, entry.path, entry.file.partition("/")[0])
        for entry in committed_lock()
    ]
    assert len(keys) == len(set(keys))


def test_a_folder_is_pinned_from_one_place() -> None:
    pinned = locked_folder("crds/trainer-1.9.4")
    assert (pinned.repository, pinned.version, pinned.path) == (
        "kubeflow/trainer",
        "v1.9.4",
        "manifests/base/crds",
    )
    assert {each.file.rpartition("/")[0] for each in pinned.files} == {"crds/trainer-1.9.4"}


def test_a_folder_that_nobody_pins_is_an_error() -> None:
    with pytest.raises(UpstreamError) as error:
        locked_folder("crds/none")
    assert str(error.value) == "upstream/lock.yaml: crds/none is pinned from 0 places"
