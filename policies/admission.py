"""What is asked about a pod, and the decision on it."""

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from policies.document import Document, Json, cut
from policies.finding import Failure, Finding
from policies.operation import Operation
from policies.rule_name import Mode

NODES = "system:nodes"
"""The group of every kubelet
(https://kubernetes.io/docs/reference/access-authn-authz/node/)."""
SERVICE_ACCOUNT = "system:serviceaccount:"
"""What the name of each service account begins with, before that of its namespace."""


class User(NamedTuple):
    """Who asks, as the API server knows them."""

    name: str = ""
    groups: tuple[str, ...] = ()

    @property
    def is_kubelet(self) -> bool:
        return NODES in self.groups

    def is_service_account_of(self, namespace: str) -> bool:
        """Whether it is a service account in that namespace.

        https://kubernetes.io/docs/reference/access-authn-authz/authentication/#service-account-tokens
        """
        return self.name.startswith(f"{SERVICE_ACCOUNT}{namespace}:")


NOBODY = User()
MAX_WARNING_LENGTH = 119
"""Characters; kubectl cuts longer ones, and the API server asks for fewer than 120
(https://kubernetes.io/docs/reference/access-authn-authz/extensible-admission-controllers/#response)."""
MAX_ANNOTATION_LENGTH = 1024
"""Characters of one audit annotation."""
CREATE = "CREATE"
UPDATE = "UPDATE"


@dataclass(frozen=True, slots=True)
class Review:
    """What is known of the request besides the pod."""

    namespace: str
    """Namespace of the request; the pod itself need not name it."""
    today: dt.date
    """Decides which exceptions have expired."""
    operation: str = CREATE
    """`CREATE`, `UPDATE`, `DELETE` or `CONNECT`."""
    subresource: str = ""
    """A subresource such as `resize`; empty for the pod itself."""
    old: Json = None
    """The pod before an update."""
    fixes: bool = True
    """Whether the pod may be changed; False when it is validated."""
    user: User = NOBODY

    @property
    def before(self) -> Document | None:
        """The pod before an update; None where this is none, or there is no object."""
        return self.old if self.operation == UPDATE and type(self.old) is dict else None

    @property
    def creator(self) -> User | None:
        """Who creates the pod; None where it already exists."""
        return self.user if self.operation == CREATE else None


class Effect(StrEnum):
    """What was done about a finding."""

    FIXED = "fixed"
    DENIED = "denied"
    WARNED = "warned"
    AUDITED = "audited"
    FAILED = "failed"
    """The rule, or its fix, failed; the pod passes."""


class Outcome(NamedTuple):
    finding: Finding
    mode: Mode
    effect: Effect
    failure: Failure | None = None
    """Where the rule failed; only with `Effect.FAILED`."""

    def __str__(self) -> str:
        frames = self.failure.frames if self.failure else ()
        where = f" It failed at {', '.join(frames)}." if frames else ""
        return f"{self.effect} {self.finding}{where}"


class Admission(NamedTuple):
    document: Document
    operations: tuple[Operation, ...] = ()
    """The JSON Patch that turns the original pod into it."""
    outcomes: tuple[Outcome, ...] = ()
    """Outcomes in the order of the rules."""
    is_exempt: bool = False
    """Whether no rule looked at the pod."""

    @property
    def allowed(self) -> bool:
        return not any(outcome.effect is Effect.DENIED for outcome in self.outcomes)

    def with_effect(self, effect: Effect) -> tuple[Finding, ...]:
        return tuple(outcome.finding for outcome in self.outcomes if outcome.effect is effect)

    @property
    def denials(self) -> tuple[Finding, ...]:
        return self.with_effect(Effect.DENIED)

    @property
    def warnings(self) -> tuple[str, ...]:
        """What is said to its author, without repeats, each within `MAX_WARNING_LENGTH`."""
        found = self.with_effect(Effect.WARNED)
        return tuple(dict.fromkeys(_line(str(finding), MAX_WARNING_LENGTH) for finding in found))

    @property
    def audit_annotations(self) -> Mapping[str, str]:
        """What each rule found, by the rule's name: `fixed: The pod does not ...`."""
        lines: dict[str, list[str]] = {}
        for outcome in self.outcomes:
            said = f"{outcome.effect}: {outcome.finding.message}"
            lines.setdefault(str(outcome.finding.rule), []).append(said)
        return {rule: _line(" ".join(said), MAX_ANNOTATION_LENGTH) for rule, said in lines.items()}


def _line(sentence: str, max_length: int) -> str:
    if not sentence.isprintable():
        sentence = "".join(letter if letter.isprintable() else " " for letter in sentence)
    return cut(sentence, max_length)


def today() -> dt.date:
    """Return the date in UTC, the same on every replica and machine."""
    return dt.datetime.now(dt.UTC).date()
