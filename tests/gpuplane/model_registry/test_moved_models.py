"""What moves in a manifest with the version of its model, and what does not."""

from pathlib import Path

import pytest

from gpuplane.model_registry.moved_models import MovedModels, move_models
from gpuplane.workloads.model_version import ModelReference, ModelVersion

DIGEST, OTHER = (f"sha256:{letter * 64}" for letter in "ab")
IMAGE = f"oci://registry.example.com/weights/chat@{OTHER}"


def _manifest(source: str, argument: str, follows: str = "models:/chat@champion") -> str:
    return f"""\
# What the team says of it.
kind: Rollout
spec:
  template:
    metadata:
      annotations:
        gpuplane.io/model: {follows}
        gpuplane.io/model-version: "1"  # moved by CI
        gpuplane.io/model-source: "{source}"
    spec:
      containers:
        - args:
            - serve
            - "{argument}"  # not {source}
"""


def _moved(folder: Path, text: str, new: str) -> tuple[str, MovedModels]:
    def version(reference: ModelReference) -> ModelVersion:
        return ModelVersion(reference, "2", new)

    file = folder / "chat.yaml"
    file.write_text(text, encoding="utf-8")
    moved = move_models(folder, [Path("chat.yaml")], version)
    moved.write(folder)
    return file.read_text(encoding="utf-8"), moved


@pytest.mark.parametrize(
    ("source", "argument", "new", "new_argument"),
    [
        ("s3://models/a", "s3://models/a", "s3://models/b", "s3://models/b"),
        ("s3://models/a", "--model=s3://models/a/w", "gs://other/b", "--model=gs://other/b/w"),
        (
            "https://models.blob.core.windows.net/chat/a",
            "az://chat/a",
            "https://models.blob.core.windows.net/chat/b",
            "az://chat/b",
        ),
        (
            f"oci://registry.example.com/weights/chat@{DIGEST}",
            f"mirror.example.com/weights/chat@{DIGEST}",
            IMAGE,
            f"mirror.example.com/weights/chat@{OTHER}",
        ),
    ],
)
def test_number_source_and_what_names_the_source_move_and_comments_stay(
    tmp_path: Path, source: str, argument: str, new: str, new_argument: str
) -> None:
    text, moved = _moved(tmp_path, _manifest(source, argument), new)
    expected = (
        _manifest(new, new_argument)
        .replace('"1"', '"2"')
        .replace(f"# not {new}", f"# not {source}")
    )
    assert text == expected
    assert list(map(str, moved.moves)) == [f"chat.yaml: models:/chat@champion: 1 -> 2, {new}"]
    assert moved.left == []


@pytest.mark.parametrize("source", ["s3://models/a", "s3://models/b"])
def test_a_version_by_its_number_stays(tmp_path: Path, source: str) -> None:
    text = _manifest("s3://models/a", "s3://models/a", "models:/chat/1")
    assert _moved(tmp_path, text, source) == (text, MovedModels())


def test_a_version_with_the_same_files_changes_its_number_alone(tmp_path: Path) -> None:
    text = _manifest("s3://models/a", "s3://models/a")
    assert _moved(tmp_path, text, "s3://models/a")[0] == text.replace('"1"', '"2"')


@pytest.mark.parametrize(
    ("text", "new", "why"),
    [
        (
            _manifest("s3://models/a", "s3://models/ab"),
            "s3://models/b",
            "models:/chat@champion: nothing but its annotations names s3://models/a",
        ),
        (
            _manifest("s3://models/a", "s3://models/a"),
            IMAGE,
            f"models:/chat@champion: s3://models/a cannot become {IMAGE}: write the manifest anew",
        ),
        (
            _manifest("s3://models/a", "s3://models/a", "chat"),
            "s3://models/b",
            "chat: names no model; allowed: models:/NAME@ALIAS or models:/NAME/VERSION",
        ),
        ("gpuplane.io/model: [", "s3://models/b", "cannot be read as YAML"),
    ],
)
def test_what_cannot_move_is_left_alone_and_said(
    tmp_path: Path, text: str, new: str, why: str
) -> None:
    assert _moved(tmp_path, text, new) == (text, MovedModels(left=[f"chat.yaml: {why}"]))
