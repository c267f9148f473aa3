"""What a team may spend a month on a cluster."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Budget:
    """The budget of one team on one cluster: a team of several clusters has one on each."""

    cluster: str
    team: str
    currency: str
    month: float
    """What a month may cost, in the currency."""

    @property
    def place(self) -> str:
        """Cluster and team, as in `training/research`."""
        return f"{self.cluster}/{self.team}"
