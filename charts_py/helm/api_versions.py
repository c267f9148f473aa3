"""The kinds that a cluster serves, as a chart may ask for them: `.Capabilities.APIVersions`."""

import json
import re
from collections.abc import Iterator
from functools import cache

from upstream.schema_files import committed_schemas, core_folder

_STABLE = re.compile(r"v\d+")
"""Of the others an API server serves only what it is told to.
https://kubernetes.io/docs/reference/using-api/#api-versioning"""


@cache
def api_versions(kubernetes: str) -> tuple[str, ...]:
    """Return the stable API versions of a Kubernetes minor and the kinds in each.

    Helm takes them in addition to the API versions that it knows; it knows no kinds itself.
    Argo CD passes it both forms of all that the cluster serves:
    https://github.com/argoproj/argo-cd/blob/v3.5.7/util/argo/argo.go (APIResourcesToStrings).
    """
    return tuple(sorted({name for pair in _kinds(kubernetes) for name in pair}))


def _kinds(kubernetes: str) -> Iterator[tuple[str, str]]:
    for file in (committed_schemas() / core_folder(kubernetes)).rglob("*.json"):
        if _STABLE.fullmatch(file.stem.rpartition("_")[2]):
            frame = json.loads(file.read_bytes())["properties"]
            (version,), (kind,) = frame["apiVersion"]["enum"], frame["kind"]["enum"]
            yield version, f"{version}/{kind}"
