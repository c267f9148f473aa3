"""What is decided about one pod, by each of the ways."""

from collections.abc import Mapping, Set
from dataclasses import dataclass
from enum import StrEnum

from policies.admission import Admission
from tests.e2e.in_tree.decision import Decision
from tests.e2e.in_tree.sent_pods import SentPod


class Way(StrEnum):
    """Who decides."""

    ADMIT = "gpuplane admit"
    WEBHOOK = "webhook"
    API_SERVER = "API server"
    BACKSTOP = "backstop"


OTHERS = (Way.WEBHOOK, Way.API_SERVER, Way.BACKSTOP)
"""Which `gpuplane admit` is compared with."""


@dataclass(frozen=True, slots=True)
class Decided:
    """What is decided about one pod."""

    sent: SentPod
    admitted: Admission
    """By `gpuplane admit`."""
    defaulted: Decision
    """What the API server makes of the pod that admit makes, while nobody else looks at it."""
    by: Mapping[Way, Decision]
    """By the API server, in those of the other ways that were asked."""
    judged: Set[str | None] = frozenset({None})
    """By what the webhook may vouch for it in backstop; None: not at all."""
    again: Decision | None = None
    """By the policies alone about the pod that admit makes, which needs nothing more; None where
    they were not asked."""
