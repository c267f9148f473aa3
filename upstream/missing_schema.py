"""What to say of a kind that has no schema."""

import json
from collections.abc import Sequence
from difflib import get_close_matches
from pathlib import Path

from upstream.kubernetes_version import KubernetesVersion
from upstream.schema import schema_path
from upstream.schema_files import committed_schemas, core_folder


def missing_schema(api_version: str, kind: str, minor: str, folders: Sequence[Path]) -> str:
    """Say that a kind has no schema in these folders, and what to do about it.

    It is a kind of another Kubernetes minor, or misspelled, or one that nobody has pinned.
    """
    path = schema_path(api_version, kind)
    fault = f"no schema for kind {kind} of {api_version}"
    if others := [other for other in KubernetesVersion if _core_file(other, path).is_file()]:
        return f"{fault}: Kubernetes {minor} does not have it; {', '.join(others)} do"
    near = _nearest(path, folders)
    return (
        f"{fault}{near}; put its CustomResourceDefinition into the cluster's manifests folder, "
        "or pin it in upstream/lock.yaml"
    )


def _core_file(minor: str, path: str) -> Path:
    return committed_schemas() / core_folder(minor) / path


def _nearest(path: str, folders: Sequence[Path]) -> str:
    files = {
        file.relative_to(folder).as_posix(): file
        for folder in folders
        for file in folder.glob("*/*.json")
    }
    for match in get_close_matches(path, sorted(files), n=1, cutoff=0.8):
        properties = json.loads(files[match].read_bytes())["properties"]
        (api_version,) = properties["apiVersion"]["enum"]
        (kind,) = properties["kind"]["enum"]
        return f" (nearest: {kind} of {api_version})"
    return ""
