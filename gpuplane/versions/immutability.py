"""Released versions never change: other objects need a new version."""

from collections.abc import Iterator
from dataclasses import asdict

from semver import Version

from charts_py.platform.render_error import RenderError
from gpuplane.versions.main_branch import MainBranch
from gpuplane.versions.record import ReleaseRecord, is_prerelease
from gpuplane.versions.rendering import RenderedCluster
from gpuplane.versions.tree import Changes, compare


class ReleasedError(RenderError):
    """A released version would change; the message names the objects and the way on."""


def check_immutable(rendered: RenderedCluster, main_branch: MainBranch) -> ReleaseRecord | None:
    """Return the released record of the same objects, if there is one.

    Raises ReleasedError where the main branch has the version with other objects, or had it.
    """
    cluster, version = rendered.record.cluster, rendered.record.version
    if is_prerelease(version):
        return None
    if (released := main_branch.record(cluster, version)) is not None:
        state = f"is released ({main_branch.reference}) and cannot change"
        return _unchanged(rendered, released, state, _after(rendered))
    if (pruned := main_branch.pruned(cluster, version)) is not None:
        state = f"was released once, and deleted by {pruned.deletion}"
        remedy = f"set a version above each in dist/{cluster}"
        return _unchanged(rendered, pruned.record, state, remedy)
    return None


def _after(rendered: RenderedCluster) -> str:
    cluster, version = rendered.record.cluster, rendered.record.version
    trial = f"{Version.parse(version).bump_patch()}-rc.1"
    kept = f"; live: {version} keeps what runs" if rendered.live == version else ""
    return (
        f"gpuplane release {cluster} cuts the version that this asks for, or set version: {trial} "
        f"to look at it first{kept}"
    )


def _unchanged(
    rendered: RenderedCluster, released: ReleaseRecord, state: str, remedy: str
) -> ReleaseRecord:
    if changes := compare(released.files, rendered.record.files):
        version = rendered.record.version
        what = f"version {version} {state}, but other objects are rendered now"
        listed = (f"  {line}" for line in (*_in_words(changes), remedy))
        raise ReleasedError("\n".join([f"{rendered.source}: {what}:", *listed]))
    return released


def _in_words(changes: Changes) -> Iterator[str]:
    for word, paths in asdict(changes).items():
        yield from (f"{word} {path}" for path in paths)
