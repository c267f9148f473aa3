"""Passes a pod through the rules: each sees what those before it have fixed."""

import datetime as dt
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import filterfalse, islice

from policies.admission import CREATE, Admission, Effect, Outcome, Review, User
from policies.custom.rules import NOT_APPLIED, NOT_FIXED, custom_rules, not_applied, not_fixed
from policies.custom_rule import CustomName
from policies.document import Document
from policies.excess import (
    MAX_OPERATIONS,
    MAX_PATCH_LENGTH,
    excess_of,
    length_of,
    too_much,
    was_there,
)
from policies.exemption import AddedContainers, is_exempt, is_exempt_namespace
from policies.finding import Finding, Severity, failure_of, of_rule
from policies.fix import name_in_annotation
from policies.operation import Operation, PatchError, Undo, apply, copied, restore
from policies.pod import DEFAULT_NAMESPACE, Pod
from policies.reach import Offer
from policies.rule import Audience, Context, NotEvaluatedError, Rule
from policies.rule_name import Mode
from policies.rules import RULES
from policies.settings import Settings

_ENFORCE, _FIXED, _ALL_PODS = Mode.ENFORCE, Effect.FIXED, Audience.ALL_PODS
_MODES = (Mode.ENFORCE, Mode.WARN, Mode.AUDIT)
"""In Python 3.11 looking up an enum member takes as long as a rule that finds nothing."""

MAX_FINDINGS = 256
"""Findings of one rule in one pod. Only a hostile pod has more, and it would keep a worker busy: it
is refused where the next finding would have to be fixed."""

_MAX_PLANS = 4096
"""Plans that are cached, one for each namespace that the settings name, and one for all others."""

_EPHEMERAL = "ephemeralcontainers"
"""The subresource by which ephemeral containers are added to a pod that runs."""

_CHANGED_ON_UPDATE = ("/metadata/labels", "/metadata/annotations", "/spec/tolerations")
"""The fields that rules fix and an update may change; tolerations can only be added. Source:
`ValidatePodUpdate` in
https://github.com/kubernetes/kubernetes/blob/master/pkg/apis/core/validation/validation.go"""


@dataclass(frozen=True, slots=True)
class _Plan:
    """The rules that can find something in a namespace, in order, each with its mode.

    All that differs between namespaces that the settings do not name is their name, which no rule
    asks whether it is concerned.
    """

    gpu_pods: tuple[tuple[Rule, Mode], ...]
    other_pods: tuple[tuple[Rule, Mode], ...]


class Engine:
    """The rules with the settings of one cluster."""

    def __init__(
        self, settings: Settings, rules: Sequence[Rule] | None = None, offer: Offer | None = None
    ) -> None:
        self.settings = settings
        self.offer = offer or Offer(settings.pools, settings.absent_labels)
        """What its pools offer; engines with the same settings can share it, with its cache."""
        self._rules = (*RULES, *custom_rules(settings)) if rules is None else rules
        self._known = frozenset(settings.namespaces).union(
            exception.namespace for exception in settings.exceptions
        )
        self._plan = lru_cache(maxsize=_MAX_PLANS)(self._make_plan)

    def admit(self, document: Document, review: Review) -> Admission:
        """Judge the pod and fix what the rules can.

        The document is changed in place. Raises nothing, whatever JSON it is.
        """
        pod = Pod(document, self.offer.names.is_gpu)
        namespace = review.namespace or pod.namespace(DEFAULT_NAMESPACE)
        if is_exempt(pod, namespace, review, self.settings):
            return Admission(document, is_exempt=True)
        plan = self._plan_of(namespace, review.today)
        context = self._context(namespace, review.creator, review.operation)
        return _Run(pod, plan, review, context).run()

    def _context(
        self, namespace: str, creator: User | None = None, operation: str = CREATE
    ) -> Context:
        known = self.settings.namespaces.get(namespace)
        return Context(self.settings, self.offer, namespace, known, creator, operation)

    def enforces(self, namespace: str, today: dt.date) -> bool:
        if is_exempt_namespace(namespace, self.settings):
            return False
        return any(mode is _ENFORCE for _, mode in self._plan_of(namespace, today).gpu_pods)

    def _plan_of(self, namespace: str, today: dt.date) -> _Plan:
        # A review may name any namespace, so that those that are not known share a plan.
        return self._plan(namespace if namespace in self._known else "", today)

    def _make_plan(self, namespace: str, today: dt.date) -> _Plan:
        context = self._context(namespace)
        modes = [
            (rule, self.settings.mode_of(rule.name, namespace, today))
            for rule in self._rules
            if rule.applies(self.settings) and rule.concerns(context)
        ]
        steps = tuple((rule, mode) for rule, mode in modes if mode is not Mode.OFF)
        others = tuple(step for step in steps if step[0].audience is Audience.ALL_PODS)
        return _Plan(steps, others)


class _Run:
    """One pod on its way through the rules.

    It is no dataclass, as mypyc does not compile how these are made.
    """

    def __init__(self, pod: Pod, plan: _Plan, review: Review, context: Context) -> None:
        self.pod = pod
        self.plan = plan
        self.review = review
        self.context = context
        adds = review.subresource == _EPHEMERAL
        self.added = AddedContainers(pod, review) if adds else None
        self.operations: list[Operation] = []
        self.outcomes: list[Outcome] = []
        self.undo: list[Undo] = []
        self.length = 0
        self.lacks_fixes = False
        self.excess: Outcome | None = None
        """Why nothing is fixed: it would be too much; None where it is not."""

    def run(self) -> Admission:
        pod, context = self.pod, self.context
        steps = self.plan.gpu_pods if pod.asks_for_gpu else self.plan.other_pods
        excess = excess_of(pod)
        if excess is not None and not self._had_excess():
            return self._leave_unread(excess, {mode for _, mode in steps})
        for rule, mode in steps:
            try:
                findings = rule.evaluate(pod, context)
                if not findings:
                    continue
                findings = list(islice(self._to_judge(findings), MAX_FINDINGS + 1))
            except NotEvaluatedError as unknown:
                effect = self._effect(mode, unknown.finding, refuses_unfixed=False)
                self.outcomes.append(Outcome(unknown.finding, mode, effect))
                continue
            except Exception as error:  # a rule that fails must not stop a pod
                self._fail(rule, mode, error)
                continue
            self._take(rule, mode, findings)
            if self.excess is not None:
                restore(self.undo)  # so that validation sees all that is wrong
                return Admission(pod.document, (), (self.excess,))
        if self.lacks_fixes:
            self._refuse_excess()
        self._annotate()
        return Admission(pod.document, tuple(self.operations), tuple(self.outcomes))

    def _to_judge(self, findings: Iterable[Finding]) -> Iterable[Finding]:
        if self.added is None:
            return findings
        return filterfalse(self.added.stood_before, findings)

    def _pod(self, document: Document) -> Pod:
        return Pod(document, self.context.offer.names.is_gpu)

    def _had_excess(self) -> bool:
        before = self.review.before
        return before is not None and was_there(self.pod, self._pod(before))

    def _leave_unread(self, excess: Finding, modes: set[Mode]) -> Admission:
        """Refuse the pod where any rule is enforced: what rules do not read, they do not refuse."""
        for mode in _MODES:
            if mode in modes:
                effect = self._effect(mode, excess, refuses_unfixed=False)
                return Admission(self.pod.document, (), (Outcome(excess, mode, effect),))
        return Admission(self.pod.document)

    def _refuse_excess(self) -> None:
        """Refuse what mutation has left unfixed because it would have been too much.

        It is fixed once more, on a copy: what later rules fix depends on what those before have.
        """
        context = self.context.for_another_pod(self.review.creator)
        review = replace(self.review, fixes=True)
        trial = _Run(self._pod(copied(self.pod.document)), self.plan, review, context)
        trial.run()
        if trial.excess is not None:
            # First, since it is why the others are left; together they can be too long to be read.
            self.outcomes.insert(0, trial.excess)

    def _take(self, rule: Rule, mode: Mode, findings: list[Finding]) -> None:
        known: set[tuple[str, str]] | None = None
        before = len(self.operations)
        if len(findings) > MAX_FINDINGS:
            unread = findings.pop()
            if mode is _ENFORCE and self._may_fix(unread):
                self._exceed(rule, mode)
                return
        for finding in findings:
            if mode is _ENFORCE and self._may_fix(finding):
                self._fix(rule, mode, finding)
                if self.excess is not None:
                    return
                continue
            if known is None:
                known = self._known(rule)
            if (finding.path, finding.message) not in known:
                effect = self._effect(mode, finding, refuses_unfixed=rule.refuses_unfixed)
                self.outcomes.append(Outcome(finding, mode, effect))
            if finding.fix and mode is _ENFORCE:
                self.lacks_fixes = self._is_validated_creation()
        # Once for each rule, since its findings do not depend on each other's fixes.
        if len(self.operations) > before:
            self.pod.changed(self.operations[before:])
            self._check_fix(rule, mode)

    def _check_fix(self, rule: Rule, mode: Mode) -> None:
        """Report a custom rule that still finds something in a pod; tests show that ours do not.

        Where it cannot be evaluated, validation says so.
        """
        name = rule.name
        if not isinstance(name, CustomName):
            return
        try:
            is_fixed = not rule.evaluate(self.pod, self.context)
        except NotEvaluatedError:
            return
        if not is_fixed:
            self.outcomes.append(Outcome(not_fixed(name), mode, Effect.FAILED, NOT_FIXED))

    def _may_fix(self, finding: Finding) -> bool:
        review = self.review
        if not finding.fix or not review.fixes:
            return False
        if review.subresource:
            return self.added is not None and self.added.concern(finding)
        return review.operation == CREATE or all(
            operation.op == "add" and operation.path.startswith(_CHANGED_ON_UPDATE)
            for operation in finding.fix
        )

    def _is_validated_creation(self) -> bool:
        review = self.review
        return review.operation == CREATE and not review.fixes and not review.subresource

    def _exceed(self, rule: Rule, mode: Mode) -> None:
        self.excess = Outcome(too_much(rule.name), mode, Effect.DENIED)

    def _fix(self, rule: Rule, mode: Mode, finding: Finding) -> None:
        self.length += length_of(finding.fix)
        count = len(self.operations) + len(finding.fix)
        if count > MAX_OPERATIONS or self.length > MAX_PATCH_LENGTH:
            self._exceed(rule, mode)
            return
        try:
            self.undo.extend(apply(self.pod.document, finding.fix))
        except PatchError as error:
            if isinstance(rule.name, CustomName):
                finding = not_applied(rule.name, str(error))
                self.outcomes.append(Outcome(finding, mode, Effect.FAILED, NOT_APPLIED))
            else:
                self._fail(rule, mode, error)
            return
        self.operations.extend(finding.fix)
        self.outcomes.append(Outcome(finding, mode, _FIXED))

    def _known(self, rule: Rule) -> set[tuple[str, str]]:
        """Return what the rule finds in the pod before an update.

        An update is not refused for what it leaves unchanged: controllers must be able to label or
        release a pod that was admitted before the rule existed. What could not be evaluated is no
        finding, and is refused on updates too.
        """
        before = self.review.before
        if before is None:
            return set()
        try:
            found = rule.evaluate(self._pod(before), self.context.for_another_pod())
            return {(finding.path, finding.message) for finding in found}
        except Exception:  # as in run
            return set()

    def _effect(self, mode: Mode, finding: Finding, *, refuses_unfixed: bool) -> Effect:
        if mode is Mode.AUDIT:
            return Effect.AUDITED
        if mode is Mode.WARN or finding.severity is Severity.WARN:
            return Effect.WARNED
        if finding.severity is Severity.REFUSE:
            return Effect.DENIED
        denied = refuses_unfixed and not self.review.fixes and self._is_new(finding)
        return Effect.DENIED if denied else Effect.AUDITED

    def _is_new(self, finding: Finding) -> bool:
        if self.added is not None:
            return self.added.concern(finding)
        return self.review.operation == CREATE

    def _fail(self, rule: Rule, mode: Mode, error: Exception) -> None:
        failure = failure_of(error)
        message = f"The rule failed with {failure.error}, so it was skipped."
        finding = of_rule(rule.name, message, "Report the fault, with the pod.")
        self.outcomes.append(Outcome(finding, mode, Effect.FAILED, failure))

    def _annotate(self) -> None:
        # The names are strings themselves; looking up their value is slow in Python 3.11.
        fixed = [str(o.finding.rule) for o in self.outcomes if o.effect is _FIXED]
        # With ephemeral containers the API server takes nothing else.
        if not fixed or self.review.subresource:
            return
        operations = name_in_annotation(self.pod, fixed)
        apply(self.pod.document, operations)
        self.operations.extend(operations)
