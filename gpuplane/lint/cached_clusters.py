"""What the linter must know of clusters, read from their files once."""

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TypeAlias

from gpuplane.lint.cache_store import CacheStore
from gpuplane.lint.cluster_facts import ClusterFacts
from gpuplane.lint.digest import digest
from gpuplane.lint.input_digests import folder_digest

Load: TypeAlias = Callable[[Path, Sequence[str]], tuple[ClusterFacts, ...]]
"""Reads the cluster files of a folder, of these names or all."""


def cached_clusters(
    store: CacheStore, folder: Path, names: Sequence[str], load: Load
) -> tuple[ClusterFacts, ...]:
    """Return what `load` does; raises what it raises, which is not kept."""
    try:
        key = digest("clusters", folder_digest(folder), *names)
    except OSError:  # which loading reports in words
        return load(folder, names)
    kept = store.read(key)
    if kept is not None:
        return tuple(ClusterFacts(**each) for each in json.loads(kept))
    loaded = load(folder, names)
    store.write(key, json.dumps([asdict(each) for each in loaded]))
    return loaded
