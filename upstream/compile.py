"""Compiling every schema that the package carries."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

from upstream.compile_core import compile_core_kinds, compile_metadata, load_definitions
from upstream.compile_crds import compile_crd_documents, compile_kind, strict_schema
from upstream.fetch import Mirror, read_locked
from upstream.immutable_fields import (
    ImmutableField,
    compile_immutable_fields,
    to_json as immutable_json,
)
from upstream.kubernetes_version import KubernetesVersion
from upstream.lock import LockedFile, UpstreamError, committed_lock
from upstream.schema import Schema, framed, schema_path, share_subtrees, to_json
from upstream.schema_files import (
    CRDS,
    IMMUTABLE_FILE,
    KINDS_FILE,
    METADATA_FILE,
    core_folder,
    kinds_json,
    kinds_of,
)


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
    """Return the schemas of the kinds that have one for each served version."""
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
    if locked.api_version and locked.kind:
        document = json.loads(read_locked(locked, Mirror(source_dir)))
        schema = compile_json_schema(locked.api_version, locked.kind, document, metadata)
        return {schema_path(locked.api_version, locked.kind): schema}, set()
    if locked.file.startswith(f"{CRDS}/"):
        documents = load_documents(read_locked(locked, Mirror(source_dir)))
        return compile_crd_documents(documents, metadata), compile_immutable_fields(documents)
    return {}, set()


def compile_json_schema(
    api_version: str, kind: str, document: Mapping[str, Any], metadata: Schema
) -> Schema:
    """Return the strict schema of the kind that a JSON schema describes.

    A schema with definitions of its own describes the file of a tool, and its metadata as well: in
    eksctl's ClusterConfig, `region` is metadata. One without was made from a custom resource.
    """
    if "definitions" not in document:
        return share_subtrees(compile_kind(api_version, kind, document, metadata))
    body = strict_schema(_inlined(document, document["definitions"]))
    return share_subtrees(framed(api_version, kind, body, body["properties"]["metadata"]))


def _inlined(node: Any, definitions: Mapping[str, Any]) -> Any:
    """Return a node with its local references inlined; none of them is recursive."""
    if isinstance(node, list):
        return [_inlined(child, definitions) for child in node]
    if not isinstance(node, Mapping):
        return node
    reference = node.get("$ref")
    if isinstance(reference, str):
        target = definitions[reference.removeprefix("#/definitions/")]
        return _inlined(target, definitions)
    rest = {key: child for key, child in node.items() if key != "definitions"}
    # The fields of a variant are in its branch, so the object around the branches stays open.
    is_open = {"additionalProperties": True} if "oneOf" in node else {}
    return {**is_open, **{key: _inlined(child, definitions) for key, child in rest.items()}}
