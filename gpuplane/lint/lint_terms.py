"""On which terms manifests are judged, besides the rules of clusters."""

import datetime as dt
from dataclasses import dataclass

from policies.pod import DEFAULT_NAMESPACE


@dataclass(frozen=True, slots=True)
class LintTerms:
    """What is taken for granted."""

    today: dt.date
    """Decides which exceptions have expired."""
    namespace: str | None = None
    """In place of those that objects name."""
    default_namespace: str = DEFAULT_NAMESPACE
    """Of an object that names none."""
