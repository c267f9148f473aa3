"""A warning of a cluster file, and the days on which it holds."""

import datetime as dt
from dataclasses import dataclass

from charts_py.cluster_file.fault import Fault


@dataclass(frozen=True, slots=True)
class ClusterWarning:
    """A warning; the cluster is rendered nevertheless, and always the same."""

    fault: Fault
    """What to warn of, with its line."""
    after: dt.date | None = None
    """The last day without it; None where it holds on every day."""

    def holds(self, today: dt.date | None) -> bool:
        """Return whether it is to be shown; None is before every day."""
        return self.after is None or (today is not None and today > self.after)
