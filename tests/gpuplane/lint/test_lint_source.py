import os
from pathlib import Path

import pytest

from gpuplane.file_content import MAX_FILE_BYTES
from gpuplane.lint.lint_source import LintSource, lint_sources
from tests.gpuplane.messages import message_of

POD = b"{apiVersion: v1, kind: Pod}"


@pytest.fixture(autouse=True)
def _in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("folder").mkdir()


def test_what_is_named_and_what_is_found_is_read_once() -> None:
    Path("folder/a.yaml").write_bytes(POD)
    Path("folder/b.yml").write_bytes(POD)
    Path("folder/c.txt").write_bytes(b"c")
    assert lint_sources(["folder/c.txt", "./folder", "folder/a.yaml", "-"], lambda _: b"-") == (
        LintSource("folder/c.txt", b"c"),
        LintSource("folder/a.yaml", POD, is_named=False),
        LintSource("folder/b.yml", POD, is_named=False),
        LintSource("-", b"-", is_file=False),
    )


def test_files_beside_a_kustomization_may_get_a_namespace_from_it() -> None:
    Path("folder/base").mkdir()
    for file in ("folder/a.yaml", "folder/base/b.yaml", "folder/base/kustomization.yaml"):
        Path(file).write_bytes(POD)
    later = {each.shown_as: each.is_placed_later for each in lint_sources(["folder"], bytes)}
    assert later == {
        "folder/a.yaml": False,
        "folder/base/b.yaml": True,
        "folder/base/kustomization.yaml": True,
    }
    assert [each.is_placed_later for each in lint_sources(["folder/base/b.yaml"], bytes)] == [False]


def test_what_cannot_be_read_does_not_stop_the_rest() -> None:
    Path("folder/a.yaml").symlink_to("nowhere")
    Path("folder/b.yaml").write_bytes(POD)
    assert lint_sources(["folder"], bytes) == (
        LintSource(
            "folder/a.yaml",
            b"",
            is_named=False,
            unread="The file cannot be read: No such file or directory",
        ),
        LintSource("folder/b.yaml", POD, is_named=False),
    )


def test_what_may_never_end_is_not_read_but_the_pipe_of_a_shell_is() -> None:
    os.mkfifo("folder/a.yaml")
    reader, writer = os.pipe()
    with os.fdopen(writer, "wb") as pipe:
        pipe.write(b"b")
    what = "is not a regular file; allowed: regular files, folders, and - for stdin"
    assert lint_sources(["folder", "/dev/zero", f"/dev/fd/{reader}"], bytes) == (
        LintSource(
            "folder/a.yaml",
            b"",
            is_named=False,
            unread=f"The file cannot be read: folder/a.yaml: {what}",
        ),
        LintSource("/dev/zero", b"", unread=f"The file cannot be read: /dev/zero: {what}"),
        LintSource(f"/dev/fd/{reader}", b"b"),
    )
    os.close(reader)


def test_a_link_out_of_a_folder_is_told_from_one_within_it() -> None:
    Path("outside.yaml").write_bytes(POD)
    Path("folder/within.yaml").write_bytes(POD)
    Path("folder/a.yaml").symlink_to("../outside.yaml")
    Path("folder/b.yaml").symlink_to("within.yaml")
    assert lint_sources(["folder"], bytes) == (
        LintSource("folder/a.yaml", POD, is_named=False, leads_out=True),
        LintSource("folder/b.yaml", POD, is_named=False),
    )


def test_what_is_for_others_in_a_folder_is_not_held() -> None:
    utf_16 = "a: b".encode("utf-16")
    Path("folder/a.yaml").write_bytes(b"kind: " + b"#" * 100)
    Path("folder/b.yaml").write_bytes(utf_16)
    Path("folder/kustomization.yaml").write_bytes(b"resources: []")
    assert [each.content for each in lint_sources(["folder"], bytes)] == [
        b"",
        utf_16,
        b"resources: []",
    ]
    assert lint_sources(["folder/a.yaml"], bytes)[0].content == b"kind: " + b"#" * 100


def test_a_path_that_is_not_there_is_told_with_the_nearest() -> None:
    Path("pods.yaml").write_bytes(b"")
    message = message_of(FileNotFoundError, lint_sources, ["pod.yaml"], bytes)
    assert message == "pod.yaml: there is no such file or folder; nearest: pods.yaml"


def test_the_nearest_path_is_written_with_its_folder() -> None:
    Path("jobs").mkdir()
    Path("jobs/pods.yaml").write_bytes(b"")
    with pytest.raises(FileNotFoundError, match=r"; nearest: jobs/pods\.yaml$"):
        lint_sources(["jobs/pod.yaml"], bytes)


def test_what_is_too_large_to_judge_is_not_read() -> None:
    Path("large.yaml").write_bytes(b"#" * (MAX_FILE_BYTES + 1))
    unread = "The file cannot be read: large.yaml: is larger than 8 MiB; split it"
    assert lint_sources(["large.yaml"], bytes) == (LintSource("large.yaml", b"", unread=unread),)
    with pytest.raises(OSError, match="-: is larger than 8 MiB; split it"):
        lint_sources(["-"], lambda most: b"#" * most)
