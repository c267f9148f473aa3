"""`release.json`: what a rendered version consists of."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from charts_py.rendering import PinnedChart

RECORD_FILE = "release.json"
"""Name of the record in a version's folder."""


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
    files: Mapping[str, str]
    """SHA-256 of each file by its path below the version's folder."""

    def to_json(self) -> bytes:
        """Return the record as it is written."""
        fields = {
            "cluster": self.cluster,
            "version": self.version,
            "kubernetes": self.kubernetes,
            "toolVersion": self.tool_version,
            "specDigest": self.spec_digest,
            "charts": [asdict(chart) for chart in self.charts],
            "crds": [asdict(crds) for crds in self.crds],
            "files": dict(sorted(self.files.items())),
        }
        return (json.dumps(fields, indent=2) + "\n").encode()


def read_record(text: bytes) -> ReleaseRecord:
    """Return the record that `to_json` wrote; raise ValueError where it is none."""
    try:
        fields: dict[str, Any] = json.loads(text)
        return ReleaseRecord(
            cluster=fields["cluster"],
            version=fields["version"],
            kubernetes=fields["kubernetes"],
            tool_version=fields["toolVersion"],
            spec_digest=fields["specDigest"],
            charts=tuple(PinnedChart(**chart) for chart in fields["charts"]),
            crds=tuple(PinnedCrds(**crds) for crds in fields["crds"]),
            files=fields["files"],
        )
    except (KeyError, TypeError) as error:
        raise ValueError(f"no release record: {error}") from error


def digest(content: bytes) -> str:
    """Return the SHA-256 of a file's content."""
    return hashlib.sha256(content).hexdigest()
