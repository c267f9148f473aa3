"""What clusters share, field by field, as records have it."""

import json
from collections.abc import Mapping

from charts_py.cluster_file.source import Source
from gpuplane.versions.record import digest

_OF_NO_VERSION = "promotion"
"""States when versions go live, and changes none."""


def shared_fields(fleet: Source) -> Mapping[str, str]:
    """Return the SHA-256 of each field of `fleet.yaml`; comments and order do not count."""
    return {
        name: digest(json.dumps(value, sort_keys=True).encode())
        for name, value in (fleet.content or {}).items()
        if name != _OF_NO_VERSION
    }
