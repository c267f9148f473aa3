"""Which version is cut."""

from collections.abc import Iterable

from semver import Version

from gpuplane.versions.record import is_prerelease


def previous_release(stated: str, released: Iterable[str]) -> str | None:
    """Return the latest released version up to that of a cluster file; None before the first."""
    limit = Version.parse(stated)
    earlier = (each for each in map(Version.parse, released) if each <= limit)
    return max(map(str, earlier), key=Version.parse, default=None)


def release_of(stated: str, previous: str | None, needed: str | None) -> str:
    """Return the version to cut from that of a cluster file.

    A pre-release loses its suffix, and a released one is raised to what is needed after it. What a
    pre-release promises too little is raised to what is needed as well.
    """
    offered = str(Version.parse(stated).finalize_version())
    if previous is None or needed is None:
        return offered
    if stated == previous:
        return needed
    return max(offered, needed, key=Version.parse)


def released_versions(names: Iterable[str]) -> tuple[str, ...]:
    """Return which of the folders of a cluster on the main branch are of released versions."""
    return tuple(name for name in names if Version.is_valid(name) and not is_prerelease(name))
