"""Who cut a version, from what: the content of `provenance.json`."""

import datetime as dt
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from gpuplane.versions.provenance import STATEMENT_TYPE, subject
from gpuplane.versions.record import digest

PREDICATE_TYPE = "https://slsa.dev/provenance/v1"
"""https://slsa.dev/spec/v1.0/provenance"""

BUILD_TYPE = "https://gpuplane.io/release/v1"


@dataclass(frozen=True, slots=True)
class Author:
    """Who cut a version, as git knows them."""

    name: str
    mail: str


@dataclass(frozen=True, slots=True)
class Origin:
    """What a version was cut from."""

    cluster: str
    version: str
    previous: str | None
    repository: str
    """URL of the platform repository."""
    commit: str
    """The commit that was checked out; the files below may differ from it."""
    files: Mapping[str, bytes]
    """The cluster file and the fleet's, by path, as they were rendered."""
    tool_version: str
    tool_digest: Mapping[str, str]
    author: Author
    now: dt.datetime


def statement(origin: Origin, record_name: str, record: bytes) -> bytes:
    """Return the statement about a version, whose record has the digest of each of its files."""
    fields = {
        "_type": STATEMENT_TYPE,
        "subject": [subject(record_name, record)],
        "predicateType": PREDICATE_TYPE,
        "predicate": {
            "buildDefinition": {
                "buildType": BUILD_TYPE,
                "externalParameters": {
                    "cluster": origin.cluster,
                    "version": origin.version,
                    "previous": origin.previous,
                },
                "internalParameters": {"author": f"{origin.author.name} <{origin.author.mail}>"},
                "resolvedDependencies": [*_dependencies(origin)],
            },
            "runDetails": {
                "builder": {"id": f"mailto:{origin.author.mail}"},
                "metadata": {"startedOn": origin.now.strftime("%Y-%m-%dT%H:%M:%SZ")},
            },
        },
    }
    return (json.dumps(fields, indent=2, ensure_ascii=False) + "\n").encode()


def _dependencies(origin: Origin) -> list[dict[str, Any]]:
    tool: dict[str, Any] = {"uri": f"pkg:pypi/gpuplane@{origin.tool_version}"}
    if origin.tool_digest:
        tool["digest"] = dict(origin.tool_digest)
    return [
        {"uri": f"git+{origin.repository}", "digest": {"gitCommit": origin.commit}},
        *(
            {"uri": name, "digest": {"sha256": digest(content)}}
            for name, content in origin.files.items()
        ),
        tool,
    ]
