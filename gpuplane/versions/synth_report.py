"""The result of a synth."""

from dataclasses import dataclass

from gpuplane.versions.tree import Changes


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
    strays: tuple[str, ...]
    """Manifests in the folders of clusters, and folders of some, that are of no version."""
    main_branch_is_missing: bool
    """Whether it is unknown which versions are released, since git knows no main branch here."""

    @property
    def is_changed(self) -> bool:
        """Whether the sources render anything else than what stood in its place."""
        return bool(self.fleet) or any(cluster.changes for cluster in self.clusters)

    @property
    def is_current(self) -> bool:
        """Whether `dist` was what the sources render, in both directions."""
        return not (self.is_changed or self.tampered or self.strays)
