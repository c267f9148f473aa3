"""The pinned definitions of the custom kinds among emitted objects."""

from collections.abc import Iterable
from pathlib import PurePosixPath

from charts_py.objects.document import Document, key_of
from gpuplane.versions.record import PinnedCrds
from upstream.lock import LockedFile, committed_lock


def pinned_crds(folders: Iterable[Iterable[Document]]) -> tuple[PinnedCrds, ...]:
    """Return, for each group of custom kinds that is pinned, where its definitions come from."""
    groups = {key_of(document).group for documents in folders for document in documents}
    found = {
        PinnedCrds(group, f"{locked.repository} {locked.version}")
        for locked in committed_lock()
        if (group := _group_of(locked)) in groups
    }
    return tuple(sorted(found, key=lambda crds: (crds.group, crds.source)))


def _group_of(locked: LockedFile) -> str | None:
    """Return the group whose kinds a file defines, if it defines any.

    Definitions are named `crds/<project>/<group>_<plural>.yaml`; a JSON schema says itself what it
    describes.
    """
    if locked.api_version is not None:
        return locked.api_version.partition("/")[0]
    file = PurePosixPath(locked.file)
    return file.name.partition("_")[0] if file.parts[0] == "crds" else None
