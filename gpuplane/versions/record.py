"""`release.json`: what a rendered version consists of, and whether its folder still holds that."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from semver import Version

from charts_py.argocd.project import Destination, Permissions
from charts_py.objects.document import EmittedKind
from charts_py.rendering.rendering import PinnedChart
from gpuplane.versions.tree import Changes, DistError, Tree, compare, is_manifest

RECORD_FILE = "release.json"
"""Name of the record in a version's folder."""
PROVENANCE_FILE = "provenance.json"
"""Name of the statement in a version's folder that says who cut it; rendering does not write it."""
BESIDE = (RECORD_FILE, PROVENANCE_FILE)
"""Files of a version that a record does not list."""
RESTORE = "restore it from git, or render it again where it is not released"
"""What to do about a file that is not as it was rendered."""


@dataclass(frozen=True, slots=True)
class PinnedCrds:
    """Custom resource definitions that objects of this version were validated against."""

    group: str
    source: str
    """Repository and version, as `kubernetes-sigs/karpenter v1.14.1`."""


@dataclass(frozen=True, slots=True)
class ReleaseRecord:
    """What a rendered version consists of."""

    cluster: str
    version: str
    kubernetes: str
    tool_version: str
    spec_digest: str
    charts: tuple[PinnedChart, ...]
    crds: tuple[PinnedCrds, ...]
    permissions: Permissions | None
    """What Argo CD must be allowed; None where the version has an AppProject of its own."""
    files: Mapping[str, str]
    """SHA-256 of each file by its path below the version's folder."""
    shared: Mapping[str, str] | None = None
    """SHA-256 of each field that clusters share; None where an earlier gpuplane has rendered."""

    def has_objects_of(self, other: "ReleaseRecord | None") -> bool:
        """Whether it is the same version of the same objects, whichever gpuplane rendered it."""
        return other is not None and (self.version, self.files) == (other.version, other.files)

    def to_json(self) -> bytes:
        fields = {
            "cluster": self.cluster,
            "version": self.version,
            "kubernetes": self.kubernetes,
            "toolVersion": self.tool_version,
            "specDigest": self.spec_digest,
            "charts": [asdict(chart) for chart in self.charts],
            "crds": [asdict(crds) for crds in self.crds],
            **({} if self.permissions is None else {"permissions": _written(self.permissions)}),
            **({} if self.shared is None else {"shared": dict(sorted(self.shared.items()))}),
            "files": dict(sorted(self.files.items())),
        }
        return (json.dumps(fields, indent=2) + "\n").encode()


def read_record(text: bytes) -> ReleaseRecord:
    try:
        fields = json.loads(text)
        if not isinstance(fields, dict):
            raise TypeError("no JSON object")  # noqa: TRY301 # a fault like the others
        return ReleaseRecord(
            cluster=fields["cluster"],
            version=fields["version"],
            kubernetes=fields["kubernetes"],
            tool_version=fields["toolVersion"],
            spec_digest=fields["specDigest"],
            charts=tuple(PinnedChart(**chart) for chart in fields["charts"]),
            crds=tuple(PinnedCrds(**crds) for crds in fields["crds"]),
            permissions=_permissions(fields.get("permissions")),
            files=fields["files"],
            shared=fields.get("shared"),
        )
    except RecursionError as error:
        raise ValueError("not a release record: it is nested too deeply") from error
    except KeyError as error:
        raise ValueError(f"not a release record: {error.args[0]} is missing") from error
    except TypeError as error:
        raise ValueError(f"not a release record: {error}") from error


def record_files(dist: Path, cluster: str) -> dict[str, Path]:
    return {file.parent.name: file for file in sorted((dist / cluster).glob(f"*/{RECORD_FILE}"))}


def read_record_file(file: Path) -> ReleaseRecord:
    return record_in(file.read_bytes(), file)


def record_in(text: bytes, file: Path) -> ReleaseRecord:
    try:
        return read_record(text)
    except ValueError as error:
        raise DistError(
            f"{file}: {error}; render it again, or restore it from the main branch"
        ) from error


def readable_record(text: bytes | None) -> ReleaseRecord | None:
    """Return a record; None without one, and where this gpuplane does not understand it."""
    try:
        return None if text is None else read_record(text)
    except ValueError:
        return None


def check_whole(folder: Path, tree: Tree) -> None:
    """Raise DistError where a version's manifests are not those of its release.json."""
    if RECORD_FILE not in tree:
        raise DistError(f"{folder}: {RECORD_FILE} is missing; {RESTORE}")
    changes = changes_since(record_in(tree[RECORD_FILE], folder / RECORD_FILE).files, tree)
    wrong = {
        **dict.fromkeys(
            filter(is_manifest, changes.added), f"is not in its {RECORD_FILE}; remove it"
        ),
        **dict.fromkeys(changes.changed, f"differs from its {RECORD_FILE}; {RESTORE}"),
        **dict.fromkeys(changes.removed, f"is missing, though {RECORD_FILE} lists it; {RESTORE}"),
    }
    if wrong:
        raise DistError("\n".join(f"{folder / path}: {wrong[path]}" for path in sorted(wrong)))


def changes_since(recorded: Mapping[str, str], tree: Tree) -> Changes:
    files = {path: digest(content) for path, content in tree.items() if path not in BESIDE}
    return compare(recorded, files)


def is_prerelease(version: str) -> bool:
    """Return whether a version may be rendered again."""
    return Version.parse(version).prerelease is not None


def digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _written(permissions: Permissions) -> dict[str, Any]:
    return {
        "repositories": sorted(permissions.repositories),
        "destinations": [asdict(each) for each in sorted(permissions.destinations)],
        "clusterKinds": [
            {"group": each.group, "kind": each.kind} for each in sorted(permissions.cluster_kinds)
        ],
    }


def _permissions(fields: Mapping[str, Any] | None) -> Permissions | None:
    if fields is None:
        return None
    kinds = [_strings([each["group"], each["kind"]]) for each in fields["clusterKinds"]]
    return Permissions(
        repositories=frozenset(_strings(fields["repositories"])),
        destinations=frozenset(
            Destination(*_strings([each["server"], each["namespace"]]))
            for each in fields["destinations"]
        ),
        cluster_kinds=frozenset(
            EmittedKind(group, kind, namespaced=False) for group, kind in kinds
        ),
    )


def _strings(values: object) -> list[str]:
    """Return a list of strings; anything else would become a rule that nobody wrote."""
    if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
        raise TypeError(f"{values!r} is not a list of strings")
    return values
