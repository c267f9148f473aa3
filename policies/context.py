"""What a rule knows besides the pod."""

from policies.admission import CREATE, User
from policies.offer import Offer
from policies.pod import Pod
from policies.reach import Reach
from policies.settings import NamespaceSettings, Settings


class Context:
    """What a rule knows besides the pod: the cluster, the namespace, and who asks.

    It keeps what it found of the pod that was last asked about, so each admission has its own.
    """

    __slots__ = (
        "_found",
        "creator",
        "namespace",
        "namespace_name",
        "offer",
        "operation",
        "settings",
    )

    _found: tuple[Pod, int, Reach] | None

    def __init__(
        self,
        settings: Settings,
        offer: Offer,
        namespace_name: str,
        namespace: NamespaceSettings | None,
        creator: User | None = None,
        operation: str = CREATE,
    ) -> None:
        self.settings = settings
        self.offer = offer
        self.namespace_name = namespace_name
        self.namespace = namespace
        """None where the namespace belongs to no team."""
        self.creator = creator
        """Who creates the pod; None where it is there already."""
        self.operation = operation
        """`CREATE` or `UPDATE`."""
        self._found = None

    def reach(self, pod: Pod) -> Reach:
        """Return the pools that a pod can run on; they are found once until it changes."""
        found = self._found
        if found is None or found[0] is not pod or found[1] != pod.changes:
            found = self._found = (pod, pod.changes, self.offer.reach(pod))
        return found[2]

    def for_another_pod(self, creator: User | None = None) -> "Context":
        """Return one that knows the same, and of a pod only who creates it."""
        return Context(
            self.settings,
            self.offer,
            self.namespace_name,
            self.namespace,
            creator,
            self.operation,
        )
