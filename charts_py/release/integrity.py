"""Whether versions that are no longer rendered are unchanged."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from charts_py.release.dist import compare, read_tree
from charts_py.release.release_record import RECORD_FILE, digest, read_record_file, record_files
from charts_py.release.rendered_cluster import RenderedCluster


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
