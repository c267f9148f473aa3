"""What the linter must know of a cluster, as plain data."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ClusterFacts:
    """A cluster in which manifests may be applied."""

    name: str
    kubernetes: str
    """Minor version, such as `1.36`."""
    settings: str
    """Those of its admission, as JSON."""
    workers: Mapping[str, str]
    """Those of the clusters that run jobs for it, by name."""
    own_rules: Sequence[str]
    """Names of the rules of its platform team's own."""
    taken: Sequence[str]
    """Namespaces whose jobs these run."""
