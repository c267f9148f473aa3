"""Validating manifests with kubeconform, offline, against the compiled schemas."""

import json
import os
import re
import shutil
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from enum import StrEnum
from pathlib import Path
from typing import Any

from upstream.go_toolchain import GoError, GoProgram
from upstream.kubernetes_version import KubernetesVersion
from upstream.lock import UpstreamError
from upstream.schema import schema_path
from upstream.schema_files import CRDS, committed_schemas, core_folder

_FAULT = re.compile(r"\s*- at '((?:[^'\\]|\\.)*)': ")
"""The prefix of each fault: where it is in the document."""
_GROUPING = frozenset({"validation failed", "allOf failed"})
"""Faults that only gather others."""
_NO_SCHEMA = "could not find schema for"


class Status(StrEnum):
    """The verdict of kubeconform on one document."""

    VALID = "valid"
    INVALID = "invalid"
    ERROR = "error"
    SKIPPED = "skipped"


@dataclass(frozen=True, slots=True, order=True)
class Result:
    """One document: who it is and what is wrong with it."""

    file: str
    api_version: str
    kind: str
    name: str
    status: Status
    message: str
    """Each fault as `/path: what is wrong`, joined by "; "; empty where the document is valid."""

    def __str__(self) -> str:
        """Return the result as a line: file, kind and name, fault."""
        who = f"{self.kind}/{self.name}" if self.kind else "document"
        return f"{self.file}: {who}: {self.message or self.status}"


@dataclass(frozen=True, slots=True)
class Report:
    """The documents of one run, sorted by file."""

    results: tuple[Result, ...]

    @property
    def failures(self) -> tuple[Result, ...]:
        """The documents that are not valid; a skipped one is a failure."""
        return tuple(result for result in self.results if result.status is not Status.VALID)


VERSION = (0, 7, 0)
"""The pinned version of kubeconform; a newer one on PATH works as well."""
_TAG = "v" + ".".join(map(str, VERSION))
RELEASES = "https://github.com/yannh/kubeconform/releases"
MODULE = "github.com/yannh/kubeconform/cmd/kubeconform"
_TIMEOUT_SECONDS = 600
_WORKERS = 2
_LAYOUT = "{{.Group}}/{{.ResourceKind}}_{{.ResourceAPIVersion}}.json"
"""The path that `schema_path` returns, as a template of kubeconform."""


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
    for index, each in enumerate(results):
        if each.status is Status.ERROR and each.message.startswith(_NO_SCHEMA):
            message = missing_schema(each.api_version, each.kind, minor, folders)
            results[index] = replace(each, message=message)
    return Report(tuple(sorted(results)))


def _supported_minor(version: str) -> str:
    minor = ".".join(version.removeprefix("v").split(".")[:2])
    if minor not in tuple(KubernetesVersion):
        there_are = ", ".join(KubernetesVersion)
        raise UpstreamError(f"no schemas for Kubernetes {version}; there are {there_are}")
    return minor


def _command(folders: Sequence[Path], ignored_names: Sequence[str]) -> list[str]:
    return [
        str(find_kubeconform()),
        "-strict",
        "-verbose",
        "-output=json",
        f"-n={_WORKERS}",
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


def parse_result(entry: Mapping[str, Any]) -> Result:
    return Result(
        file=entry["filename"],
        api_version=entry["version"],
        kind=entry["kind"],
        name=entry["name"],
        status=Status(entry["status"].removeprefix("status").lower()),
        message=_message(entry["msg"]),
    )


def _message(text: str) -> str:
    """Return the faults of a message, sorted: kubeconform walks maps in random order."""
    _, *parts = _FAULT.split(text)
    pairs = zip(parts[::2], parts[1::2], strict=True)
    faults = {f"{path or '/'}: {fault.strip()}" for path, fault in pairs if fault not in _GROUPING}
    return "; ".join(sorted(faults)) or " ".join(text.split())


def missing_schema(api_version: str, kind: str, minor: str, folders: Sequence[Path]) -> str:
    """Say that a kind has no schema in these folders, and what to do about it.

    It is a kind of another Kubernetes minor, or misspelled, or one that nobody has pinned.
    """
    path = schema_path(api_version, kind)
    fault = f"no schema for kind {kind} of {api_version}"
    schemas = committed_schemas()
    if others := [v for v in KubernetesVersion if (schemas / core_folder(v) / path).is_file()]:
        return f"{fault}: Kubernetes {minor} does not have it; {', '.join(others)} do"
    near = _nearest(path, folders)
    return (
        f"{fault}{near}; put its CustomResourceDefinition into the cluster's manifests folder, "
        "or pin it in upstream/lock.yaml"
    )


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


def find_kubeconform() -> Path:
    """Return a kubeconform of the pinned version or newer; raise UpstreamError.

    The one on PATH is used where it reports its version (one built by `go install` reports none).
    Otherwise it is the one in `$XDG_CACHE_HOME/gpuplane/bin`, and is built there first, in about
    half a minute.
    """
    if (found := _on_path()) is not None:
        return found
    kept = _kept()
    return kept if kept.is_file() else _build(kept)


def parse_version(text: str) -> tuple[int, ...] | None:
    """Return the version that `kubeconform -v` prints; None for a build without one."""
    match = re.fullmatch(r"v?(\d+)\.(\d+)\.(\d+)\S*", text.strip())
    return tuple(int(part) for part in match.groups()) if match else None


def _on_path() -> Path | None:
    found = shutil.which("kubeconform")
    if found is None:
        return None
    try:
        output = subprocess.run(  # noqa: S603 # no shell; the program that PATH names
            [found, "-v"], capture_output=True, text=True, timeout=30, check=False
        ).stdout
    except (OSError, subprocess.TimeoutExpired):
        return None
    version = parse_version(output)
    return Path(found) if version is not None and version >= VERSION else None


def _kept() -> Path:
    """Return where a build is kept: nothing that a repository holds is run."""
    cache = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(cache) / "gpuplane" / "bin" / f"kubeconform-{_TAG}"


def _build(target: Path) -> Path:
    announcement = (
        f"building kubeconform {_TAG}, which is not on PATH: its sources are downloaded from Go's "
        "module proxy (about half a minute)"
    )
    try:
        GoProgram(f"{MODULE}@{_TAG}", announcement).build(target)
    except GoError as error:
        raise UpstreamError(
            f"kubeconform {_TAG} or newer is not on PATH, and cannot be built:\n{error}\n"
            "A build needs Go and its module proxy, the public one unless GOPROXY names another. "
            f"Without them, put a kubeconform of {RELEASES} on PATH."
        ) from error
    return target
