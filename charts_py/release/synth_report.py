"""What became of clusters in a synth."""

from dataclasses import dataclass

from charts_py.release.dist import Changes


@dataclass(frozen=True, slots=True)
class SynthesizedCluster:
    """What became of one cluster."""

    name: str
    version: str
    live: str
    objects: int
    changes: Changes
    """Paths below `dist`."""


@dataclass(frozen=True, slots=True)
class SynthReport:
    """What became of all of them."""

    clusters: tuple[SynthesizedCluster, ...]
    fleet: Changes
    left_over: tuple[str, ...]
    """Folders of clusters that no file describes any more."""
    tampered: tuple[str, ...]
    """Files of other versions that are not what their release.json says."""
    main_branch_is_missing: bool
    """Whether nobody can tell if the rendered versions are released: this is a checkout, but none
    of its branches is known to be the main one."""

    @property
    def is_current(self) -> bool:
        """Whether `dist` was what the sources render, in both directions."""
        unchanged = not any(cluster.changes for cluster in self.clusters) and not self.fleet
        return unchanged and not self.left_over and not self.tampered
