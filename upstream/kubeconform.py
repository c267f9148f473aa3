"""Validating manifests with kubeconform, offline, against the compiled schemas."""

import json
import re
import subprocess
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from upstream.error import UpstreamError
from upstream.kubeconform_binary import find_kubeconform
from upstream.kubeconform_report import Report, Result, lacks_schema, parse_result
from upstream.kubernetes_version import KubernetesVersion
from upstream.missing_schema import missing_schema
from upstream.schema_files import CRDS, committed_schemas, core_folder

_TIMEOUT_SECONDS = 600
_WORKERS = 2

_LAYOUT = "{{.Group}}/{{.ResourceKind}}_{{.ResourceAPIVersion}}.json"
"""What `schema_path` returns, as a template of kubeconform."""


def run_kubeconform(
    paths: Iterable[Path],
    kubernetes_version: str,
    schema_dirs: Sequence[Path] = (),
    ignored_names: Sequence[str] = (),
) -> Report:
    """Validate every YAML and JSON document of files and folders, strictly.

    Schemas are looked up in `schema_dirs` (laid out as `compile_crd_documents` names them), then
    in those of this package for the Kubernetes minor. Files with an ignored name are skipped.
    Raises UpstreamError for a version without schemas and where kubeconform cannot be run.
    """
    minor = _supported_minor(kubernetes_version)
    folders = [*schema_dirs, committed_schemas() / CRDS, committed_schemas() / core_folder(minor)]
    files = [str(path) for path in paths]
    if not files:
        return Report(())
    entries = _run([*_command(folders, ignored_names), *files])
    # An empty document has no status: it is not an object.
    results = [parse_result(entry) for entry in entries if entry["status"]]
    return Report(tuple(sorted(_explained(result, minor, folders) for result in results)))


def _supported_minor(version: str) -> str:
    minor = ".".join(version.removeprefix("v").split(".")[:2])
    if minor not in tuple(KubernetesVersion):
        there_are = ", ".join(KubernetesVersion)
        raise UpstreamError(f"no schemas for Kubernetes {version}; there are {there_are}")
    return minor


def _command(folders: Sequence[Path], ignored_names: Sequence[str]) -> list[str]:
    return [
        str(find_kubeconform()),
        *("-strict", "-verbose", "-output=json", f"-n={_WORKERS}"),
        *(f"-schema-location={folder.resolve()}/{_LAYOUT}" for folder in folders),
        *(f"-ignore-filename-pattern=(^|/){re.escape(name)}$" for name in ignored_names),
        "--",
    ]


def _run(command: Sequence[str]) -> list[dict[str, Any]]:
    """Return kubeconform's results. Its exit code is 1 for invalid documents as well."""
    try:
        done = subprocess.run(  # noqa: S603 # no shell
            command, capture_output=True, text=True, timeout=_TIMEOUT_SECONDS, check=False
        )
        results: list[dict[str, Any]] = json.loads(done.stdout)["resources"]
    except json.JSONDecodeError as error:
        raise UpstreamError(f"kubeconform failed: {done.stderr.strip()}") from error
    except (OSError, subprocess.TimeoutExpired) as error:
        raise UpstreamError(f"kubeconform cannot be run: {error}") from error
    return results


def _explained(result: Result, minor: str, folders: Sequence[Path]) -> Result:
    if not lacks_schema(result):
        return result
    message = missing_schema(result.api_version, result.kind, minor, folders)
    return replace(result, message=message)
