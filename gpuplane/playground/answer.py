"""What a cluster makes of a manifest."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Question:
    cluster: str
    manifest: str
    namespace: str = ""
    """Takes the place of those that objects name; empty for none."""


@dataclass(frozen=True, slots=True)
class AnswerFault:
    """Why the manifest cannot be read; lines and columns count from 1."""

    line: int
    column: int
    """0 where the line says enough."""
    message: str


@dataclass(frozen=True, slots=True)
class AnswerFinding:
    """What a rule found, and what admission does about it."""

    line: int
    """Line of the field, or of what should hold it."""
    pointer: str
    """JSON Pointer from the object to the field."""
    cluster: str
    """The cluster that found it, where another one runs the pods; otherwise empty."""
    effect: str
    """`fixed`, `denied`, `warned`, `audited` or `failed`."""
    rule: str
    message: str
    remedy: str


@dataclass(frozen=True, slots=True)
class PoolAnswer:
    """Whether the nodes of a pool could hold a pod."""

    pool: str
    reason: str
    """Why they could not; empty where they could."""
    hour: float | None
    """What the pod costs there an hour; None where it cannot run there, or the price is not
    known."""
    currency: str
    unpriced: str
    """Why the price is not known; empty where it is."""


@dataclass(frozen=True, slots=True)
class PodAnswer:
    """A pod that asks for GPUs, and where it could run."""

    cluster: str
    """The cluster that runs it, where it is another one; otherwise empty."""
    namespace: str
    pointer: str
    """JSON Pointer from the object to its template; empty for a pod itself."""
    count: int | None
    """How many of it there are; None where the manifest does not say so."""
    asks: Mapping[str, float]
    """How much it asks for of each GPU resource."""
    pools: tuple[PoolAnswer, ...]
    """All pools of the cluster; none for a pod that holds claims alone."""


@dataclass(frozen=True, slots=True)
class DiffLine:
    """A line of what admission changes."""

    sign: str
    """`+`, `-`, a space, or `@` for lines that are left out, which the text counts."""
    text: str
    finding: int | None = None
    """Index of the finding whose fix adds it; None where it is no single one's."""


@dataclass(frozen=True, slots=True)
class ObjectAnswer:
    line: int
    subject: str
    """What it is called: `Job train`."""
    namespace: str
    allowed: bool
    findings: tuple[AnswerFinding, ...]
    diff: tuple[DiffLine, ...]
    """Empty where nothing is fixed."""
    pods: tuple[PodAnswer, ...]


@dataclass(frozen=True, slots=True)
class QuotaAnswer:
    """What pods that the same pools hold ask for together, and what their namespace may have."""

    cluster: str
    """The cluster that runs them, where it is another one; otherwise empty."""
    namespace: str
    resource: str
    asked: float
    """Allocations that they ask for."""
    at_least: bool
    """Whether there are pods whose number is not known; each counts once."""
    pools: Mapping[str, int]
    """The quota of the namespace on each of these pools, whatever of it is used already."""
    enforced: int
    """What its ResourceQuota allows: on all pools together, with what other namespaces lend."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a cluster makes of a manifest; without objects where there are faults."""

    faults: tuple[AnswerFault, ...] = ()
    objects: tuple[ObjectAnswer, ...] = ()
    quotas: tuple[QuotaAnswer, ...] = ()
    fixed: str = ""
    """The manifest with all fixes written into it; empty where nothing is fixed."""
    notes: tuple[str, ...] = ()
    """What to know besides."""
    unjudged: tuple[str, ...] = ()
    """Rules of the platform team's own that are not judged here, and may refuse what is allowed."""

    @property
    def allowed(self) -> bool:
        return not self.faults and all(one.allowed for one in self.objects)
