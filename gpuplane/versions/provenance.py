"""`provenance.json`: who cut a version, from which commit and which files.

An in-toto statement (https://github.com/in-toto/attestation/blob/v1.1.0/spec/v1/statement.md) about
`release.json`, which has the digest of every file of the version.
"""

import json
from collections.abc import Mapping
from pathlib import Path

from gpuplane.versions.main_branch import MainBranch
from gpuplane.versions.record import RECORD_FILE, digest, is_prerelease
from gpuplane.versions.tree import Tree

PROVENANCE_FILE = "provenance.json"
"""Name of the statement in a version's folder; rendering does not write it."""

STATEMENT_TYPE = "https://in-toto.io/Statement/v1"


def subject(name: str, content: bytes) -> dict[str, object]:
    """Return what identifies the content of a file in a statement."""
    return {"name": name, "digest": {"sha256": digest(content)}}


def is_about(statement: bytes, record: bytes) -> bool:
    """Return whether a statement is about the version of a record, as it is."""
    try:
        subjects = json.loads(statement)["subject"]
        return any(each["digest"]["sha256"] == digest(record) for each in subjects)
    except (ValueError, KeyError, TypeError):
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
        statement = statement if statement and is_about(statement, record) else None
    return {} if statement is None else {PROVENANCE_FILE: statement}


def is_of_another(tree: Tree) -> bool:
    """Return whether a version's folder has a statement about other objects than its own."""
    statement = tree.get(PROVENANCE_FILE)
    return statement is not None and not is_about(statement, tree.get(RECORD_FILE, b""))
