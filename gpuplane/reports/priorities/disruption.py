"""What ends pods, and whether it waits for PodDisruptionBudgets."""

from dataclasses import dataclass

_CONCEPTS = "https://kubernetes.io/docs/concepts"


@dataclass(frozen=True, slots=True)
class Disruption:
    """Something that ends pods which run."""

    what: str
    budgets: str
    """Whether a PodDisruptionBudget holds it back."""
    source: str


DISRUPTIONS: tuple[Disruption, ...] = (
    Disruption(
        "preemption, by the scheduler",
        "best effort: it looks for victims whose budgets allow it, and else evicts others",
        f"{_CONCEPTS}/scheduling-eviction/pod-priority-preemption/",
    ),
    Disruption(
        "kubectl drain, and all that uses the eviction API, such as autoscalers",
        "held back, for as long as an autoscaler or an upgrade waits",
        f"{_CONCEPTS}/scheduling-eviction/api-eviction/",
    ),
    Disruption(
        "a node short of memory or disk, by the kubelet",
        "not held back; pods above their requests go first, then those of low priority",
        f"{_CONCEPTS}/scheduling-eviction/node-pressure-eviction/",
    ),
    Disruption(
        "a taint with the effect NoExecute, such as that of broken GPUs",
        "not held back",
        f"{_CONCEPTS}/scheduling-eviction/taint-and-toleration/",
    ),
    Disruption(
        "a node that fails, or a spot machine that is taken back",
        "not held back, but counted",
        f"{_CONCEPTS}/workloads/pods/disruptions/",
    ),
    Disruption(
        "a rollout or a deletion, by whoever owns the pod",
        "not held back; a rollout heeds the Deployment's own strategy",
        f"{_CONCEPTS}/workloads/pods/disruptions/",
    ),
)
