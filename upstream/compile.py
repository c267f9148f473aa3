"""Compiling every schema that the package carries."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

from upstream.compile_core import compile_core_kinds, compile_metadata
from upstream.compile_crds import compile_crd_documents
from upstream.compile_immutable import compile_immutable_fields
from upstream.compile_json_schemas import compile_json_schema
from upstream.core_definitions import load_definitions
from upstream.error import UpstreamError
from upstream.fetch import Mirror, read_locked
from upstream.immutable_fields import ImmutableField, to_json as immutable_json
from upstream.kubernetes_version import KubernetesVersion
from upstream.lock import LockedFile, committed_lock
from upstream.schema import Schema, schema_path, to_json
from upstream.schema_files import CRDS, IMMUTABLE_FILE, KINDS_FILE, METADATA_FILE, core_folder
from upstream.served_kinds import kinds_of, to_json as kinds_json


class _Loader(yaml.CSafeLoader):
    """Reads a plain `=` as a string, as YAML 1.2 and Go do; YAML 1.1 gives it its own type."""


_Loader.add_constructor("tag:yaml.org,2002:value", lambda _, node: node.value)


def compile_all(source_dir: Path) -> dict[str, bytes]:
    """Compile every schema, from a mirror folder and the wheel; return each file's bytes.

    Raises UpstreamError naming every locked file that is missing or has another digest.
    """
    core = compile_core()
    custom = compile_custom_resources(source_dir, json.loads(core[METADATA_FILE]))
    compiled = {**core, **custom}
    return {**compiled, KINDS_FILE: kinds_json(kinds_of(_with_all_versions(compiled)))}


def compile_core() -> dict[str, bytes]:
    """Compile the metadata of a named object, and the core kinds of every supported minor."""
    kinds = {
        f"{core_folder(minor)}/{path}": to_json(schema)
        for minor in KubernetesVersion
        for path, schema in compile_core_kinds(load_definitions(minor)).items()
    }
    return {
        METADATA_FILE: to_json(compile_metadata(load_definitions(tuple(KubernetesVersion)[-1]))),
        **kinds,
    }


def compile_custom_resources(source_dir: Path, metadata: Schema) -> dict[str, bytes]:
    """Compile the locked definitions and JSON schemas of a mirror folder."""
    compiled: dict[str, bytes] = {}
    immutable: set[ImmutableField] = set()
    faults: list[str] = []
    for locked in committed_lock():
        try:
            schemas, fields = _compile_file(locked, source_dir, metadata)
        except UpstreamError as error:
            faults.append(str(error))
            continue
        immutable |= fields
        for path, schema in schemas.items():
            if f"{CRDS}/{path}" in compiled:
                faults.append(f"{locked.file}: {path} is already compiled from another file")
            compiled[f"{CRDS}/{path}"] = to_json(schema)
    if faults:
        raise UpstreamError("\n".join(faults))
    return {**compiled, IMMUTABLE_FILE: immutable_json(immutable)}


def load_documents(content: bytes) -> list[dict[str, Any]]:
    """Return the documents of a YAML file, empty ones left out."""
    return [document for document in yaml.load_all(content, Loader=_Loader) if document]


def _with_all_versions(compiled: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return the schemas of the kinds of which each version that is served has one."""
    alone = {
        f"{CRDS}/{schema_path(locked.api_version, locked.kind)}"
        for locked in committed_lock()
        if locked.api_version and locked.kind
    }
    beside = {METADATA_FILE, IMMUTABLE_FILE}
    return {path: content for path, content in compiled.items() if path not in alone | beside}


def _compile_file(
    locked: LockedFile, source_dir: Path, metadata: Schema
) -> tuple[dict[str, Schema], set[ImmutableField]]:
    """Return the schemas that a file defines, and the immutable fields of its kinds."""
    if locked.api_version and locked.kind:
        document = json.loads(read_locked(locked, Mirror(source_dir)))
        schema = compile_json_schema(locked.api_version, locked.kind, document, metadata)
        return {schema_path(locked.api_version, locked.kind): schema}, set()
    if locked.file.startswith(f"{CRDS}/"):
        documents = load_documents(read_locked(locked, Mirror(source_dir)))
        return compile_crd_documents(documents, metadata), compile_immutable_fields(documents)
    return {}, set()
