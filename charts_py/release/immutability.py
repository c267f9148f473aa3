"""Released versions never change: other objects need a new version."""

import semver

from charts_py.platform.render_error import RenderError
from charts_py.release.dist import Changes, compare
from charts_py.release.main_branch import MainBranch
from charts_py.release.release_record import ReleaseRecord, is_prerelease
from charts_py.release.rendered_cluster import RenderedCluster


class ReleasedError(RenderError):
    """A released version would change; the message names the objects and the next version."""


def check_immutable(rendered: RenderedCluster, main_branch: MainBranch) -> ReleaseRecord | None:
    """Return the released record of the same objects, if there is one.

    Raises ReleasedError where the main branch has the version with other objects.
    """
    version = rendered.record.version
    if is_prerelease(version):
        return None
    released = main_branch.record(rendered.record.cluster, version)
    if released is None:
        return None
    changes = compare(released.files, rendered.record.files)
    if changes:
        raise ReleasedError(_message(rendered, changes, str(main_branch.reference)))
    return released


def next_version(version: str, changes: Changes) -> str:
    """Return the next version: a major one for removed objects, a minor one for added ones."""
    current = semver.Version.parse(version)
    if changes.removed:
        return str(current.bump_major())
    return str(current.bump_minor() if changes.added else current.bump_patch())


def _message(rendered: RenderedCluster, changes: Changes, reference: str) -> str:
    record = rendered.record
    listed = [
        f"  {word} {path}"
        for word, paths in (
            ("added", changes.added),
            ("changed", changes.changed),
            ("removed", changes.removed),
        )
        for path in paths
    ]
    wanted = next_version(record.version, changes)
    what = f"version {record.version} is released ({reference}) and cannot change"
    remedy = f"  set version: {wanted} or higher; live: {record.version} keeps what runs"
    first = f"{rendered.source}: {what}, but other objects are rendered now:"
    return "\n".join([first, *listed, remedy])
