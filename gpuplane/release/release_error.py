"""Why no version is cut."""

from gpuplane.versions.dist_error import DistError


class ReleaseError(DistError):
    """Why a version cannot be cut; the message names the cluster, the reason and the remedy."""
