"""`provenance.json`: who cut a version, from which commit and which files.

An in-toto statement (https://github.com/in-toto/attestation/blob/v1.1.0/spec/v1/statement.md) about
`release.json`, which has the digest of every file of the version.
"""

import datetime as dt
import json
from collections.abc import Mapping
from importlib.metadata import Distribution
from pathlib import Path

from gpuplane.versions.git import Author
from gpuplane.versions.main_branch import MainBranch
from gpuplane.versions.record import PROVENANCE_FILE, RECORD_FILE, digest, is_prerelease
from gpuplane.versions.tree import Tree

_STATEMENT_TYPE = "https://in-toto.io/Statement/v1"
_PREDICATE_TYPE = "https://slsa.dev/provenance/v1"
"""https://slsa.dev/spec/v1.0/provenance"""
_BUILD_TYPE = "https://gpuplane.io/release/v1"


def _is_about(statement: bytes, record: bytes) -> bool:
    try:
        subjects = json.loads(statement)["subject"]
        return any(each["digest"]["sha256"] == digest(record) for each in subjects)
    except (ValueError, KeyError, TypeError, RecursionError):
        return False


def kept_provenance(
    folder: Path, version: str, record: bytes, main_branch: MainBranch
) -> Mapping[str, bytes]:
    """Return the statement that stays beside a record that is rendered; nothing where none does.

    That of a released version is the main branch's. Before that, one about other objects goes:
    the version has to be cut again.
    """
    file = folder / PROVENANCE_FILE
    if not is_prerelease(version) and main_branch.read(folder / RECORD_FILE) is not None:
        statement = main_branch.read(file)
    else:
        statement = file.read_bytes() if file.is_file() else None
        statement = statement if statement and _is_about(statement, record) else None
    return {} if statement is None else {PROVENANCE_FILE: statement}


def is_of_another(tree: Tree) -> bool:
    """Return whether a version's folder has a statement about other objects than its own."""
    statement = tree.get(PROVENANCE_FILE)
    return statement is not None and not _is_about(statement, tree.get(RECORD_FILE, b""))


def statement(
    subject: Mapping[str, Mapping[str, str]],
    version: Mapping[str, str | None],
    sources: Mapping[str, Mapping[str, str]],
    author: Author,
    now: dt.datetime,
) -> bytes:
    """Return the statement about a version, whose record has the digest of each of its files.

    `subject` is the digest of the record by its name, `version` says what was asked for, and
    `sources` are what it was cut from: digests by URI, empty where there is none.
    """
    digests = [{"uri": uri, "digest": of_uri} for uri, of_uri in sources.items()]
    fields = {
        "_type": _STATEMENT_TYPE,
        "subject": [{"name": name, "digest": of_record} for name, of_record in subject.items()],
        "predicateType": _PREDICATE_TYPE,
        "predicate": {
            "buildDefinition": {
                "buildType": _BUILD_TYPE,
                "externalParameters": version,
                "internalParameters": {"author": f"{author.name} <{author.mail}>"},
                "resolvedDependencies": [
                    each if each["digest"] else {"uri": each["uri"]} for each in digests
                ],
            },
            "runDetails": {
                "builder": {"id": f"mailto:{author.mail}"},
                "metadata": {"startedOn": now.strftime("%Y-%m-%dT%H:%M:%SZ")},
            },
        },
    }
    return (json.dumps(fields, indent=2, ensure_ascii=False) + "\n").encode()


def tool_digest(installed: Distribution) -> Mapping[str, str]:
    """Return what identifies a build: its commit, its archive, or the list of its files.

    Empty for an editable install, whose files may change at any time
    (https://packaging.python.org/en/latest/specifications/direct-url/).
    """
    match json.loads(installed.read_text("direct_url.json") or "{}"):
        case {"vcs_info": {"vcs": "git", "commit_id": str(commit)}}:
            return {"gitCommit": commit}
        case {"archive_info": {"hashes": {"sha256": str(sha256)}}}:
            return {"sha256": sha256}
        case {"dir_info": {"editable": True}}:
            return {}
    files = installed.read_text("RECORD")
    return {} if files is None else {"sha256": digest(files.encode())}
