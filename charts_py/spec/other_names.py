"""What the clouds and other tools call values and fields of a cluster file."""

from collections.abc import Collection, Mapping

from gpus.nearest import nearest

_OTHER_NAMES: Mapping[str, str] = {
    "aws": "eks",
    "amazon": "eks",
    "gcp": "gke",
    "google": "gke",
    "azure": "aks",
    "bare-metal": "onprem",
    "baremetal": "onprem",
    "preemptible": "spot",
    "low-priority": "spot",
    "odcr": "reserved",
    "committed": "reserved",
    "serving": "inference",
    "interactive": "notebooks",
    "jupyter": "notebooks",
    "deny": "enforce",
    "block": "enforce",
    "strict": "enforce",
    "dry-run": "audit",
    "dryrun": "audit",
    "disabled": "off",
    "oss": "open",
    "vmsize": "instanceType",
    "mincount": "min",
    "minsize": "min",
    "maxcount": "max",
    "maxsize": "max",
    "repourl": "repository",
    "url": "repository",
    "branch": "revision",
    "targetrevision": "revision",
    "zone": "location",
}
"""By their names in lower case; each counts where the name that it stands for is allowed."""


def nearest_name(name: str, allowed: Collection[str]) -> tuple[str, ...]:
    """Return the name that another one stands for, or else those that are spelled alike."""
    meant = _OTHER_NAMES.get(name.lower())
    return (meant,) if meant in allowed and meant is not None else nearest(name, allowed)
