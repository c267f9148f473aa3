"""Whether versions are as they were rendered."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from charts_py.release.dist import Tree, compare, read_tree
from charts_py.release.dist_error import DistError
from charts_py.release.release_record import (
    RECORD_FILE,
    digest,
    read_record_file,
    record_files,
    record_in,
)
from charts_py.release.rendered_cluster import RenderedCluster

_RESTORE = "restore it from git, or render it again where it is not released"


def tampered_files(dist: Path, rendered: Iterable[RenderedCluster]) -> Iterator[str]:
    """Yield the files of these clusters' other versions that differ from their release.json."""
    for cluster in rendered:
        for version, record in record_files(dist, cluster.record.cluster).items():
            if version != cluster.record.version:
                yield from _tampered(dist, record)


def _tampered(dist: Path, record: Path) -> Iterator[str]:
    tree = read_tree(record.parent)
    del tree[RECORD_FILE]
    recorded = read_record_file(record).files
    changes = compare(recorded, {path: digest(content) for path, content in tree.items()})
    for path in sorted((*changes.added, *changes.changed, *changes.removed)):
        yield (record.parent / path).relative_to(dist).as_posix()


def check_whole(folder: Path, tree: Tree) -> None:
    """Raise DistError where a version's folder lacks a file of its release.json, or that itself."""
    if RECORD_FILE not in tree:
        raise DistError(f"{folder}: {RECORD_FILE} is missing; {_RESTORE}")
    recorded = record_in(tree[RECORD_FILE], folder / RECORD_FILE).files
    if missing := sorted(recorded.keys() - tree.keys()):
        what = f"is missing, though {RECORD_FILE} lists it; {_RESTORE}"
        raise DistError("\n".join(f"{folder / path}: {what}" for path in missing))
