"""What keeps a version from being cut."""

from pathlib import Path

from gpuplane.release.release_error import ReleaseError
from gpuplane.versions.git import Checkout, find_checkout
from gpuplane.versions.main_branch import MainBranch

_MOST_FILES = 3


def checkout_of(dist: Path) -> Checkout:
    """Return the checkout that versions are cut in; raise ReleaseError without commits."""
    checkout = find_checkout(dist)
    if checkout is None or not checkout.has_commits():
        raise ReleaseError(
            f"{dist}: there is no commit to cut a version from; commit clusters/ and dist/ first"
        )
    return checkout


def check_clean(checkout: Checkout, dist: Path, cluster: str) -> None:
    """Raise ReleaseError where `dist` has of a cluster what is not committed."""
    if changed := checkout.changed_files(dist / cluster):
        shown = ", ".join(changed[:_MOST_FILES])
        rest = len(changed) - _MOST_FILES
        more = f", and {rest} more" if rest > 0 else ""
        raise ReleaseError(
            f"{cluster}: {dist / cluster} differs from the last commit: {shown}{more}; "
            "commit it, or restore it"
        )


def check_free(cluster: str, version: str, main_branch: MainBranch) -> None:
    """Raise ReleaseError where a version is released, or was."""
    higher = "--bump minor or --bump major goes beyond it"
    if main_branch.record(cluster, version) is not None:
        reference = main_branch.reference
        raise ReleaseError(f"{cluster}: {version} is released already ({reference}); {higher}")
    if (pruned := main_branch.pruned(cluster, version)) is not None:
        raise ReleaseError(
            f"{cluster}: {version} was released once, and deleted by {pruned.deletion}; {higher}"
        )


def check_unused(dist: Path, cluster: str, version: str) -> None:
    """Raise ReleaseError where the folder of a version is there, which another one names."""
    folder = dist / cluster / version
    if folder.exists():
        raise ReleaseError(
            f"{cluster}: the name {version} is taken: {folder} is there, and not released; "
            f"set version: {version} to cut that, or delete the folder"
        )
