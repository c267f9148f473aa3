"""The supported minor versions of Kubernetes: the one place that lists them."""

from enum import StrEnum


class KubernetesVersion(StrEnum):
    """A supported minor version."""

    V1_33 = "1.33"
    V1_34 = "1.34"
    V1_35 = "1.35"
    V1_36 = "1.36"
    V1_37 = "1.37"

    @property
    def minor(self) -> int:
        return int(self.value.partition(".")[2])
