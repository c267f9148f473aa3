from pathlib import Path

import pytest

from charts_py.cluster_file.fault import SpecError
from gpuplane.admission.manifest_sources import MAX_EXPORT_BYTES
from gpuplane.adoption.export_files import read_exports
from gpuplane.adoption.found_object import AdoptionError
from gpuplane.file_content import MAX_FILE_BYTES
from tests.gpuplane.messages import message_of

NODE = "{apiVersion: v1, kind: Node, metadata: {name: a}}"


def test_lists_and_documents_and_json_are_taken_apart(tmp_path: Path) -> None:
    (tmp_path / "deeper").mkdir()
    (tmp_path / "a.yaml").write_text(f"{NODE}\n---\n{NODE.replace('name: a', 'name: b')}\n")
    (tmp_path / "b.yml").write_text("apiVersion: v1\nkind: List\nitems:\n- " + NODE + "\n")
    typed = '{"apiVersion": "v1", "kind": "NodeList", "items": [{"metadata": {"name": "c"}}]}'
    (tmp_path / "deeper" / "c.json").write_text(typed)
    (tmp_path / "package.json").write_text("{}")
    found = read_exports([tmp_path])
    assert [(str(one), one.source.removeprefix(f"{tmp_path}/")) for one in found.objects] == [
        ("Node a", "a.yaml:1"),
        ("Node b", "a.yaml:3"),
        ("Node a", "b.yml:1"),
        ("Node c", "deeper/c.json:1"),
    ]
    assert [note.partition(": ")[0] for note in found.notes] == [f"{tmp_path}/package.json"]


def test_what_is_larger_than_the_exports_of_large_clusters_is_not_read(tmp_path: Path) -> None:
    file = tmp_path / "pods.yaml"
    file.write_bytes(NODE.encode() + b"\n" * MAX_FILE_BYTES)
    assert len(read_exports([file]).objects) == 1
    file.write_bytes(b"#" * (MAX_EXPORT_BYTES + 1))
    assert message_of(OSError, read_exports, [file]) == f"{file}: is larger than 32 MiB; split it"


FAULTS = {
    "not Kubernetes": ("a: 1", "1: not an object; allowed: a mapping with apiVersion and kind"),
    "a duplicate key": (
        f"{NODE[:-1]}, kind: Pod}}",
        '1: "kind" is a duplicate key; first on line 1',
    ),
}


@pytest.mark.parametrize(("text", "said"), FAULTS.values(), ids=FAULTS.keys())
def test_what_cannot_be_read_is_told_with_its_line(text: str, said: str, tmp_path: Path) -> None:
    file = tmp_path / "a.yaml"
    file.write_text(text)
    assert message_of(SpecError, read_exports, [tmp_path]) == f"{file}:{said}"


def test_half_a_file_is_told_with_its_name(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text("apiVersion: v1\nkind: {b")
    with pytest.raises(SpecError, match="invalid YAML") as caught:
        read_exports([tmp_path])
    assert [fault.mark.file for fault in caught.value.faults] == [str(tmp_path / "a.yaml")]


def test_every_fault_of_every_file_is_told_at_once(tmp_path: Path) -> None:
    for name in ("a.yaml", "b.yaml"):
        (tmp_path / name).write_text("a: 1")
    with pytest.raises(SpecError) as caught:
        read_exports([tmp_path])
    assert len(caught.value.faults) == 2


def test_an_empty_list_says_how_to_export(tmp_path: Path) -> None:
    file = tmp_path / "a.yaml"
    file.write_text("{apiVersion: v1, kind: List, items: []}")
    message = message_of(AdoptionError, read_exports, [file])
    what = "no Kubernetes object; export some with kubectl get KIND -A -o yaml"
    assert message == f"{file}: {what}"


def test_a_path_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="no such file or folder"):
        read_exports([tmp_path / "nowhere"])


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device of Linux")
def test_a_device_is_not_read_since_it_may_never_end() -> None:
    with pytest.raises(OSError, match="/dev/full: is not a regular file; allowed: "):
        read_exports([Path("/dev/full")])
