"""The result of a synth."""

from dataclasses import dataclass

from charts_py.release.dist import Changes


@dataclass(frozen=True, slots=True)
class SynthesizedCluster:
    """The result for one cluster."""

    name: str
    version: str
    live: str | None
    """None where nothing of it is."""
    objects: int
    changes: Changes
    """Paths below `dist`."""
    warnings: tuple[str, ...]
    """What renders, but is likely not meant, each with file and line."""


@dataclass(frozen=True, slots=True)
class SynthReport:
    """The result of a synth."""

    clusters: tuple[SynthesizedCluster, ...]
    fleet: Changes
    tampered: tuple[str, ...]
    """Files of other versions that are not as they were rendered."""
    main_branch_is_missing: bool
    """Whether it is unknown which versions are released, since git knows no main branch here."""

    @property
    def is_current(self) -> bool:
        """Whether `dist` was what the sources render, in both directions."""
        unchanged = not any(cluster.changes for cluster in self.clusters) and not self.fleet
        return unchanged and not self.tampered
