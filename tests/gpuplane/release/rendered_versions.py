"""Small versions of clusters, written by hand."""

import json
from pathlib import Path

from gpuplane.release.dist import read_tree
from gpuplane.release.release_record import RECORD_FILE, digest

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
