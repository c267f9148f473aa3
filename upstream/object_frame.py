"""The frame that every compiled kind has: apiVersion, kind, metadata, and no status."""

import json

from upstream.schema import DIALECT, Schema
from upstream.schema_files import METADATA_FILE, committed_schemas


def load_metadata() -> Schema:
    """Return the schema of a named object's metadata, as committed."""
    metadata: Schema = json.loads((committed_schemas() / METADATA_FILE).read_bytes())
    return metadata


def framed(api_version: str, kind: str, body: Schema, metadata: Schema) -> Schema:
    """Return the schema of one kind: its body, with the three fields that every object must have.

    A repository holds the desired state; `status` is the observed state, so it is refused.
    """
    properties = {
        name: child for name, child in body.get("properties", {}).items() if name != "status"
    }
    required = {name for name in body.get("required", ()) if name != "status"}
    frame = {
        "apiVersion": {"type": "string", "enum": [api_version]},
        "kind": {"type": "string", "enum": [kind]},
        "metadata": metadata,
    }
    return {
        **body,
        "$schema": DIALECT,
        "properties": {**properties, **frame},
        "required": sorted(required | frame.keys()),
    }
