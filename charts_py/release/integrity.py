"""Whether versions that are not rendered any more are still what they were."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from charts_py.release.dist import compare, read_tree
from charts_py.release.release_record import RECORD_FILE, digest, read_record
from charts_py.release.rendered_cluster import RenderedCluster


def tampered_files(dist: Path, rendered: Iterable[RenderedCluster]) -> Iterator[str]:
    """Yield the files of these clusters' other versions that differ from their release.json."""
    for cluster in rendered:
        folder = dist / cluster.record.cluster
        for record in sorted(folder.glob(f"*/{RECORD_FILE}")):
            if record.parent.name != cluster.record.version:
                yield from _tampered(dist, record)


def _tampered(dist: Path, record: Path) -> Iterator[str]:
    tree = read_tree(record.parent)
    recorded = read_record(tree.pop(RECORD_FILE)).files
    changes = compare(recorded, {path: digest(content) for path, content in tree.items()})
    for path in sorted((*changes.added, *changes.changed, *changes.removed)):
        yield (record.parent / path).relative_to(dist).as_posix()
