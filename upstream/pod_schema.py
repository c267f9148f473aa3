"""The schema of a pod as the API server shows it to admission: with what it writes itself."""

import json
from functools import cache

from upstream.compile_core import WRITTEN_BY_SERVER
from upstream.schema import Schema, schema_path
from upstream.schema_files import committed_schemas, core_folder

_UNREAD = "managedFields"
"""What field managers say is not part of a pod to admission."""


@cache
def load_pod_schema(minor: str) -> Schema:
    """Return the schema of a pod in a minor version, such as `1.35`; its status is any object."""
    file = committed_schemas() / core_folder(minor) / schema_path("v1", "Pod")
    schema: Schema = json.loads(file.read_bytes())
    properties = schema["properties"]
    metadata = properties["metadata"]
    fields = {**metadata["properties"], **{name: {} for name in WRITTEN_BY_SERVER - {_UNREAD}}}
    stated = {**properties, "metadata": {**metadata, "properties": fields}, "status": {}}
    return {**schema, "properties": stated}
