"""The rules of promotion, as cluster files state them in some state of the repository."""

import json
from pathlib import Path

from pydantic import ValidationError

from charts_py.cluster_file.cluster_files import FLEET_FILE, find_cluster_files
from charts_py.cluster_file.folder_entry import SUFFIX
from charts_py.cluster_file.merge import lay_over
from charts_py.cluster_file.promotion import Promotion
from charts_py.cluster_file.source import Source, source_of
from charts_py.load import load_platform
from gpuplane.versions.dist_error import DistError
from gpuplane.versions.snapshot import Snapshot, WorkTree


def stated_rules(snapshot: Snapshot, clusters: Path, cluster: str) -> Promotion:
    """Return the rules for a cluster, in its file over what the fleet shares.

    Raises SpecError for what is wrong with them in the work tree, and DistError in a commit.
    """
    own = _read(snapshot, clusters / f"{cluster}{SUFFIX}")
    content = lay_over(_read(snapshot, clusters / FLEET_FILE), own).content
    try:
        stated = {} if content is None else content.get("promotion", {})
        return Promotion.model_validate_json(json.dumps(stated), strict=True)
    except ValidationError as error:
        file = clusters / f"{cluster}{SUFFIX}"
        if isinstance(snapshot, WorkTree):
            # It says what is wrong, and where.
            load_platform(file, find_cluster_files(clusters).fleet)
        raise DistError(f"{snapshot.name(file)}: promotion is not understood") from error


def _read(snapshot: Snapshot, file: Path) -> Source:
    content = snapshot.read(file)
    if content is None:
        return Source({}, {})
    source = source_of(content, snapshot.name(file))
    # What is wrong on the main branch may be what a change mends.
    if source.content is None and isinstance(snapshot, WorkTree):
        raise DistError("\n".join(map(str, source.faults)))
    return source
