"""A platform repository with two versions of a cluster."""

import json
from pathlib import Path

import pytest

from tests.gpuplane.release.rendered_versions import record_files

_NO_FILES: dict[str, object] = {"files": {}, "charts": [], "crds": []}
_TEXTS = ("cluster", "version", "kubernetes", "toolVersion", "specDigest")
"""Of a release.json, what is a string."""


def record_of(version: str) -> str:
    """Return a release.json that lists no file."""
    return json.dumps(_NO_FILES | dict.fromkeys(_TEXTS, version))


def priority_class(name: str, value: int) -> str:
    return f"""\
apiVersion: scheduling.k8s.io/v1
kind: PriorityClass
metadata:
  name: {name}
value: {value}
"""


def render(repository: Path, version: str, **classes: int) -> None:
    folder = repository / "dist" / "sample" / version
    (folder / "priority-classes").mkdir(parents=True, exist_ok=True)
    (folder / "release.json").write_text(record_of(version), encoding="utf-8")
    for name, value in classes.items():
        file = folder / "priority-classes" / f"PriorityClass.{name}.yaml"
        file.write_text(priority_class(name, value), encoding="utf-8")
    record_files(folder)


def declare(repository: Path, **fields: str) -> None:
    (repository / "clusters").mkdir(exist_ok=True)
    text = "".join(f"{name}: {value}\n" for name, value in fields.items())
    (repository / "clusters" / "sample.yaml").write_text(text, encoding="utf-8")


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    declare(tmp_path, version="1.1.0", live="1.0.0")
    render(tmp_path, "1.0.0", batch=100, notebooks=1)
    render(tmp_path, "1.1.0", batch=200, gold=5, notebooks=1)
    return tmp_path
