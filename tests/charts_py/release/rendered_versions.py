"""Small versions of clusters, written by hand."""

import json
from pathlib import Path

NAMESPACE = "apiVersion: v1\nkind: Namespace\nmetadata:\n  name: research\n"


def write_version(dist: Path, version: str, kubernetes: str = "1.34", **files: str) -> Path:
    """Write a version such as `sample/1.0.0`; return its folder."""
    folder = dist / version
    (folder / "part").mkdir(parents=True)
    cluster, _, number = version.partition("/")
    names = ("toolVersion", "specDigest")
    record = {
        **dict.fromkeys(names, ""),
        "cluster": cluster,
        "version": number,
        "kubernetes": kubernetes,
        "charts": [],
        "crds": [],
        "files": {},
    }
    (folder / "release.json").write_text(json.dumps(record), encoding="utf-8")
    for name, text in files.items():
        (folder / "part" / f"{name}.yaml").write_text(text, encoding="utf-8")
    return folder
