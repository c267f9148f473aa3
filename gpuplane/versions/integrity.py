"""Whether versions are as they were rendered."""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from gpuplane.versions.dist_error import DistError
from gpuplane.versions.main_branch import MainBranch
from gpuplane.versions.provenance import PROVENANCE_FILE, is_of_another
from gpuplane.versions.record import RECORD_FILE, digest, read_record_file, record_files, record_in
from gpuplane.versions.rendering import RenderedCluster
from gpuplane.versions.tree import Changes, Tree, compare, is_manifest, read_tree

RESTORE = "restore it from git, or render it again where it is not released"
"""What to do about a file that is not as it was rendered."""


BESIDE = (RECORD_FILE, PROVENANCE_FILE)
"""Files of a version that a record does not list: itself, and who made it."""


def tampered_files(
    dist: Path, rendered: Iterable[RenderedCluster], main_branch: MainBranch
) -> Iterator[str]:
    """Yield the files of these clusters' other versions that are not as they were rendered.

    Those differ from their release.json, or that one from what was released.
    """
    altered = main_branch.altered_records()
    for cluster in rendered:
        for version, record in record_files(dist, cluster.record.cluster).items():
            if version != cluster.record.version:
                yield from (each for each in altered if dist / each == record)
                yield from _tampered(dist, record)


def _tampered(dist: Path, record: Path) -> Iterator[str]:
    tree = read_tree(record.parent)
    changes = _changes(read_record_file(record).files, tree)
    forged = (PROVENANCE_FILE,) if is_of_another(tree) else ()
    for path in sorted((*changes.added, *changes.changed, *changes.removed, *forged)):
        yield (record.parent / path).relative_to(dist).as_posix()


def check_whole(folder: Path, tree: Tree) -> None:
    """Raise DistError where a version's manifests are not those of its release.json."""
    if RECORD_FILE not in tree:
        raise DistError(f"{folder}: {RECORD_FILE} is missing; {RESTORE}")
    changes = _changes(record_in(tree[RECORD_FILE], folder / RECORD_FILE).files, tree)
    wrong = {
        **dict.fromkeys(
            filter(is_manifest, changes.added), f"is not in its {RECORD_FILE}; remove it"
        ),
        **dict.fromkeys(changes.changed, f"differs from its {RECORD_FILE}; {RESTORE}"),
        **dict.fromkeys(changes.removed, f"is missing, though {RECORD_FILE} lists it; {RESTORE}"),
    }
    if wrong:
        raise DistError("\n".join(f"{folder / path}: {wrong[path]}" for path in sorted(wrong)))


def _changes(recorded: Mapping[str, str], tree: Tree) -> Changes:
    """Return how the files of a version's folder differ from those of its record."""
    files = {path: digest(content) for path, content in tree.items() if path not in BESIDE}
    return compare(recorded, files)
