"""The rules of promotion, as cluster files state them in some state of the repository."""

import json
from pathlib import Path

from pydantic import ValidationError

from charts_py.release.diff.snapshot import Snapshot
from charts_py.release.dist_error import DistError
from charts_py.spec.cluster_files import FLEET_FILE
from charts_py.spec.folder_entry import SUFFIX
from charts_py.spec.merge import lay_over
from charts_py.spec.promotion import Promotion
from charts_py.spec.source import Source, source_of


def stated_rules(snapshot: Snapshot, clusters: Path, cluster: str) -> Promotion:
    """Return the rules for a cluster, in its file over what the fleet shares; raise DistError."""
    own = _read(snapshot, clusters / f"{cluster}{SUFFIX}")
    content = lay_over(_read(snapshot, clusters / FLEET_FILE), own).content
    try:
        stated = {} if content is None else content.get("promotion", {})
        return Promotion.model_validate_json(json.dumps(stated), strict=True)
    except ValidationError as error:
        file = snapshot.name(clusters / f"{cluster}{SUFFIX}")
        raise DistError(f"{file}: promotion is not understood; gpuplane synth tells why") from error


def _read(snapshot: Snapshot, file: Path) -> Source:
    content = snapshot.read(file)
    return Source({}, {}) if content is None else source_of(content, snapshot.name(file))
