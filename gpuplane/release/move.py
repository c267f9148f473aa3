"""A version that goes live in the place of another."""

from dataclasses import dataclass

from semver import Version

from gpuplane.release.part import Parts, changed_parts, parts_of
from gpuplane.versions.record import ReleaseRecord


@dataclass(frozen=True, slots=True)
class Move:
    """A version that goes live on a cluster."""

    cluster: str
    old: ReleaseRecord | None
    """What is live on the main branch; None where nothing is, or its record is gone."""
    old_version: str | None
    """The same; None where nothing is."""
    new: ReleaseRecord
    was_live: bool = False
    """Whether the main branch had the same objects live before; asked for a lower number alone."""

    @property
    def is_any(self) -> bool:
        """Whether anything changes; a version with a suffix may be rendered anew."""
        return not self.new.has_objects_of(self.old)

    @property
    def has_lower_number(self) -> bool:
        """Whether the version is lower than the one that is live."""
        if self.old_version is None:
            return False
        return Version.parse(self.new.version) < Version.parse(self.old_version)

    @property
    def is_rollback(self) -> bool:
        """Whether an earlier version goes live again."""
        return self.has_lower_number and self.was_live

    @property
    def change(self) -> Parts:
        """What differs of what the cluster shares with others."""
        return changed_parts(parts_of(self.old), parts_of(self.new))

    def __str__(self) -> str:
        return f"{self.cluster}: {self.old_version or 'nothing'} -> {self.new.version}"
