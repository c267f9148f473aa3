"""A rule on GPU pods."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from string import Formatter
from typing import TypeAlias, TypeVar

from policies.admission import CREATE, User
from policies.cel.gpus import CULPRIT
from policies.cel.pod import FIELD_PATH
from policies.cel.text import quote, shown_in_cel
from policies.cel.variables import Variables, prefix_of
from policies.container import Container
from policies.custom_rule import CustomName
from policies.document import printable
from policies.finding import Finding, Severity
from policies.operation import Operation
from policies.pod import Pod
from policies.reach import Offer, Reach
from policies.rule_name import RuleName
from policies.settings import NamespaceSettings, Settings


class Context:
    """What a rule knows besides the pod: the cluster, the namespace, and who asks.

    It keeps what it found of the pod that was last asked about, so each admission has its own. It
    is no dataclass, as mypyc does not compile how these are made.
    """

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
        """None where it belongs to no team."""
        self.creator = creator
        """Who creates the pod; None where it already exists."""
        self.operation = operation
        self._found: tuple[Pod, int, Reach] | None = None

    def reach(self, pod: Pod) -> Reach:
        """Return the pools that a pod can run on; they are found once until it changes."""
        found = self._found
        if found is None or found[0] is not pod or found[1] != pod.changes:
            found = self._found = (pod, pod.changes, self.offer.reach(pod))
        return found[2]

    def is_of_agent(self, pod: Pod) -> bool:
        """Whether a DaemonSet outside the teams' namespaces makes it: agents run on every node."""
        return self.namespace is None and pod.owner_kind == "DaemonSet"

    def for_another_pod(self, creator: User | None = None) -> "Context":
        """Return one that knows the same, and of a pod only who creates it."""
        # In full: dataclasses.replace takes as long as some rules.
        settings, offer, operation = self.settings, self.offer, self.operation
        return Context(settings, offer, self.namespace_name, self.namespace, creator, operation)


Evaluate: TypeAlias = Callable[[Pod, Context], Iterable[Finding]]
"""A pure function that returns what is wrong with a pod.

Almost always that is nothing, and an empty tuple is four times as fast as a generator. There can be
as many findings as the pod is long, so they are yielded and need not be read to the end: by a
function that yields, since mypyc makes a list of a generator expression."""
Concerns: TypeAlias = Callable[[Context], bool]
"""Whether a rule can find anything in a namespace; a rule is not evaluated where it cannot."""

Value = TypeVar("Value")


def always(value: Value) -> Callable[[object], Value]:
    """Return what yields the same, whatever the settings are."""
    return lambda _: value


class Audience(Enum):
    """Which pods a rule looks at."""

    GPU_PODS = "pods that ask for a GPU"
    ALL_PODS = "all pods"


_IN_CEL: Mapping[str, str] = {
    "culprit": CULPRIT,
    "field": FIELD_PATH,
    "namespace": "request.namespace",
    "resource": shown_in_cel("resource"),
}
"""What messages say of a `container`, of a `resource` that it asks for, and of the namespace."""


@dataclass(frozen=True, slots=True)
class Message:
    """What a rule says of a pod, in Python and in CEL; `{name}` stands for a value."""

    problem: str
    """A full sentence: culprit, field and reason."""
    remedy: str
    """A full sentence: what the author can do."""

    def filled(self, **values: object) -> "Message":
        """Return the message with values that are known when it is written, others left open."""
        known = {name: str(value) for name, value in values.items()}
        return Message(_filled(self.problem, known), _filled(self.remedy, known))

    def in_cel(self, **values: str) -> str:
        """Return CEL for both sentences; the values are CEL, too, and most rules' by default."""
        parts: list[str] = []
        for written, name, _, _ in Formatter().parse(f"{self.problem} {self.remedy}"):
            if written:
                parts.append(quote(written))
            if name is not None:
                parts.append(values[name] if name in values else _IN_CEL[name])
        return " + ".join(parts)


def _filled(template: str, values: Mapping[str, str]) -> str:
    for name, value in values.items():
        template = template.replace(f"{{{name}}}", value)
    return template


nothing = always("")
_NO_VARIABLES: Callable[[Settings], Variables] = always({})
_ALWAYS = always(True)


@dataclass(frozen=True, slots=True)
class InCel:
    """A rule as the API server evaluates it.

    What it finds is CEL that returns a list of strings, for each finding its message and its
    remedy. It may read `object` and `request`, but not `oldObject`: evaluating it twice tells apart
    what an update leaves as it was.

    Where the API server refuses a pod, it is valid and has its defaults: names, equal requests and
    limits of GPUs, and quantities are as validation leaves them, and need no second look.
    """

    refusals: Callable[[Settings], str] = nothing
    """What is refused; empty where that is nothing on the cluster. A fix that validation insists on
    is refused where it is missing."""
    warnings: Callable[[Settings], str] = nothing
    """What the author is warned about; empty where that is nothing on the cluster."""
    fixes: Callable[[Settings], str] = nothing
    """What is fixed: CEL that returns operations of a JSON Patch, each `[op, path, value]`; empty
    where that is nothing on the cluster. Once it is fixed there is nothing more to fix: the API
    server evaluates it twice."""
    fixes_updates: bool = False
    """Whether it fixes what an update changes, too; most of what is fixed no update can change."""
    fixes_ephemeral: bool = False
    """Whether it fixes the ephemeral containers that are added to a pod, too."""
    variables: Callable[[Settings], Variables] = _NO_VARIABLES
    """What only this rule reads, besides the variables of all; their names begin with its
    prefix."""


NOT_IN_CEL = InCel()


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule on GPU pods."""

    name: RuleName | CustomName
    summary: str
    """A full sentence: what is true of a pod that passes."""
    evaluate: Evaluate
    severity: Severity = Severity.REFUSE
    """The severity of its findings; a rule that fixes refuses what it cannot fix."""
    audience: Audience = Audience.GPU_PODS
    refuses_unfixed: bool = False
    """Whether validation refuses a pod that lacks the fix, as when mutation failed open."""
    applies: Callable[[Settings], bool] = _ALWAYS
    """Whether it can find anything on a cluster: it is neither evaluated nor written elsewhere."""
    concerns: Concerns = _ALWAYS
    in_cel: InCel = NOT_IN_CEL

    @property
    def prefix(self) -> str:
        return prefix_of(self.name)

    def finding(
        self,
        message: Message,
        *,
        path: str,
        culprit: str = "the pod",
        of: Container | None = None,
        fix: tuple[Operation, ...] = (),
        severity: Severity | None = None,
        values: Mapping[str, object] | None = None,
        **more: object,
    ) -> Finding:
        """Return a finding of this rule, with its severity unless another is given.

        What a rule that fixes has no fix for is refused. Of a container it names that as the
        culprit; the path leads on from there, and `{field}` in a message is its place. What it says
        is printable, whatever the pod holds, since a terminal shows it.
        """
        if severity is None:
            is_unfixed = self.severity is Severity.FIX and not fix
            severity = Severity.REFUSE if is_unfixed else self.severity
        if values is not None:
            more = {**values, **more}
        if of is not None:
            path, culprit = f"{of.pointer}{path}", of.culprit
            more.setdefault("field", of.field_path)
        more.setdefault("culprit", culprit)
        return Finding(
            self.name,
            severity,
            path,
            printable(culprit),
            printable(message.problem.format_map(more)),
            printable(message.remedy.format_map(more)),
            fix,
        )


class NotEvaluatedError(Exception):
    """A custom rule says neither that a pod passes nor that it does not.

    As the API server does with `failurePolicy: Fail`, admission treats the pod as one that does not
    pass; on an update, too, whatever the rule found before.
    """

    def __init__(self, finding: Finding) -> None:
        super().__init__(finding.message)
        self.finding = finding
