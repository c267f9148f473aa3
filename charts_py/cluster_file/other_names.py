"""What the clouds and other tools call values and fields of a cluster file."""

from collections.abc import Collection, Mapping, Sequence

from gpus.nearest import nearest

_OTHER_NAMES: Mapping[str, Sequence[str]] = {
    "amazon": ("eks",),
    "aws": ("eks",),
    "azure": ("aks",),
    "bare-metal": ("onprem",),
    "baremetal": ("onprem",),
    "block": (
        "enforce",
        "refuse",
    ),
    "branch": ("revision",),
    "committed": ("reserved",),
    "deny": (
        "enforce",
        "refuse",
    ),
    "disabled": ("off",),
    "dry-run": ("audit",),
    "dryrun": ("audit",),
    "error": (
        "refuse",
        "enforce",
    ),
    "expr": ("expression",),
    "gcp": ("gke",),
    "google": ("gke",),
    "interactive": ("notebooks",),
    "jupyter": ("notebooks",),
    "low-priority": ("spot",),
    "maxcount": ("max",),
    "maxsize": ("max",),
    "mincount": ("min",),
    "minsize": ("min",),
    "model": ("gpu",),
    "odcr": ("reserved",),
    "oss": ("open",),
    "preemptible": ("spot",),
    "pytorch": ("torch",),
    "repourl": ("repository",),
    "serving": ("inference",),
    "strict": (
        "enforce",
        "restricted",
    ),
    "targetrevision": ("revision",),
    "url": ("repository",),
    "vmsize": ("instanceType",),
    "weight": ("value",),
    "zone": ("location",),
}
"""By their names in lower case; of several, the first one counts that is allowed."""


def nearest_name(name: str, allowed: Collection[str]) -> tuple[str, ...]:
    """Return the name that another one stands for, or else those that are spelled alike."""
    meant = [each for each in _OTHER_NAMES.get(name.lower(), ()) if each in allowed]
    return tuple(meant[:1]) or nearest(name, allowed)
