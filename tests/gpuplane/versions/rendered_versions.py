"""Small versions of clusters, written by hand."""

import json
from pathlib import Path

from charts_py.load import load_platform
from charts_py.rendering.rendering import spec_digest
from gpuplane.versions.record import RECORD_FILE, ReleaseRecord, digest
from gpuplane.versions.tree import read_tree

_NO_FILES: dict[str, object] = {"files": {}, "charts": [], "crds": []}
_TEXTS = ("cluster", "version", "kubernetes", "toolVersion", "specDigest")
"""Of a release.json, what is a string."""

RECORD = ReleaseRecord(
    cluster="training",
    version="1.0.0",
    kubernetes="1.36",
    tool_version="0.1.0",
    spec_digest="",
    charts=(),
    crds=(),
    permissions=None,
    files={},
)
"""Of a version without files."""

NAMESPACE = "apiVersion: v1\nkind: Namespace\nmetadata:\n  name: research\n"


def write_version(
    dist: Path, version: str, kubernetes: str = "1.34", spec_digest: str = "", **files: str
) -> Path:
    """Write a version such as `sample/1.0.0`; return its folder."""
    folder = dist / version
    (folder / "part").mkdir(parents=True)
    cluster, _, number = version.partition("/")
    record = {
        "toolVersion": "",
        "specDigest": spec_digest,
        "cluster": cluster,
        "version": number,
        "kubernetes": kubernetes,
        "charts": [],
        "crds": [],
        "files": {},
    }
    (folder / RECORD_FILE).write_text(json.dumps(record), encoding="utf-8")
    for name, text in files.items():
        (folder / "part" / f"{name}.yaml").write_text(text, encoding="utf-8")
    record_files(folder)
    return folder


def record_files(folder: Path) -> None:
    """Write the files that a version's folder holds into its release.json, as rendering does."""
    record = json.loads((folder / RECORD_FILE).read_bytes())
    files = {path: digest(text) for path, text in read_tree(folder).items() if path != RECORD_FILE}
    (folder / RECORD_FILE).write_text(json.dumps(record | {"files": files}), encoding="utf-8")


def record_source(folder: Path, cluster_file: Path, fleet: Path | None = None) -> None:
    """Write into the release.json of a version that this file rendered it."""
    record = json.loads((folder / RECORD_FILE).read_bytes())
    stated = {"specDigest": spec_digest(load_platform(cluster_file, fleet))}
    (folder / RECORD_FILE).write_text(json.dumps(record | stated), encoding="utf-8")


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
