"""Judges reviews: any bytes in, an answer out."""

from __future__ import annotations

from dataclasses import replace
from enum import StrEnum
from functools import cached_property
from http import HTTPStatus
from typing import TYPE_CHECKING

from gpus.platform_names import JUDGED
from policies.admission import CREATE, UPDATE, Admission, Effect, Review, User, today
from policies.document import pointer
from policies.engine import Engine
from policies.finding import Severity, failure_of
from policies.fix import annotate
from policies.in_cel.judged_annotation import judged_by
from policies.operation import Operation
from policies.pod import Pod
from policies.rule_name import Mode, RuleName
from policies.rules import RULES
from policies.settings import JobKind
from policies.workloads.job_priority import default_class, priority_fix
from policies.workloads.pod_replacement import JOB, replacement_fix
from webhook import admission_answer
from webhook.admission_request import UnreadReviewError, read_head, read_request, read_uid

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Callable

    from policies.settings import Settings
    from webhook.admission_answer import Answer
    from webhook.admission_request import AdmissionRequest

    Today = Callable[[], dt.date]

_PATH = pointer("metadata", "annotations", JUDGED)


class Purpose(StrEnum):
    MUTATE = "mutate"
    """Fix what the rules can, and admit everything.

    A later webhook may fix what is left, and since mutation fails open, what it fixes must not
    depend on what it would refuse.
    """
    VALIDATE = "validate"
    """Deny what is left or warn about it, and change nothing."""
    ADMIT = "admit"
    """Fix as for `MUTATE`, and say of a new pod whether anything is left.

    Without that word the API server judges the pod itself. It does not know what would be fixed
    if its rule were enforced, so that is reported here.
    """


_FIXING = tuple(rule for rule in RULES if rule.severity is Severity.FIX)
"""Rules that only refuse or warn never change a pod."""


class Reviewer:
    """Judges reviews by the settings of one cluster; custom rules are the API server's."""

    def __init__(self, settings: Settings, today: Today = today) -> None:
        self.settings = settings
        self._today = today
        self._fixing = Engine(settings, _FIXING)
        self._judging = Engine(settings, RULES, self._fixing.offer)

    @cached_property
    def _judged_by(self) -> str:
        """The hash of all rules in CEL, which only a webhook that vouches needs.

        It takes about 0.1 s of the first review after settings were loaded.
        """
        return judged_by(self.settings)

    def review(self, body: bytes | bytearray, purpose: Purpose) -> Answer:
        """Judge a review. Raises nothing, whatever the body holds.

        The engine applies a patch to the document, operation by operation, before it is sent: one
        that does not apply is never sent.
        """
        try:
            request = read_request(body)
        except UnreadReviewError as error:
            return self.turn_away(body, purpose, error.status, str(error))
        try:
            return self._answer(request, purpose)
        except Exception as error:  # our own fault must not drop the connection
            failure = failure_of(error)
            message = f"The webhook failed with {failure.error}."
            status = HTTPStatus.INTERNAL_SERVER_ERROR
            return admission_answer.refuse(request.uid, status, message, failure=failure)

    def turn_away(
        self, head: bytes | bytearray, purpose: Purpose, status: HTTPStatus, problem: str
    ) -> Answer:
        """Answer a review that was not read beyond its head.

        Validation denies the object where any rule is enforced, since nobody can say that it breaks
        none. Mutation admits it without a fix, as whatever it cannot fix. A new pod that may have
        been vouched for before it became too large is denied as well.
        """
        request = read_head(head)
        if request is None:
            return admission_answer.refuse(read_uid(head), status, problem)
        enforced = self._judging.enforces(request.namespace, self._today())
        if enforced and _concerns(request) and _is_last_word(purpose, request):
            return admission_answer.refuse(request.uid, status, problem, request=request)
        return admission_answer.allow(request)

    def _answer(self, request: AdmissionRequest, purpose: Purpose) -> Answer:
        if not _concerns(request):
            return admission_answer.patch(request, self._queued(request, purpose))
        pod = request.object
        if type(pod) is not dict:
            message = f"request.object of a {request.operation} must be an object."
            return admission_answer.refuse(request.uid, HTTPStatus.BAD_REQUEST, message)
        review = Review(
            request.namespace,
            self._today(),
            request.operation,
            request.sub_resource,
            request.old_object,
            purpose is not Purpose.VALIDATE,
            User(request.user_info.username, request.user_info.groups),
        )
        if purpose is Purpose.VALIDATE:
            return admission_answer.judge(request, self._judging.admit(pod, review))
        admission = self._fixing.admit(pod, review)
        if purpose is Purpose.MUTATE:
            return admission_answer.patch(request, _done(admission))
        return self._with_verdict(request, admission, review)

    def _queued(self, request: AdmissionRequest, purpose: Purpose) -> Admission:
        """Name the class of a job that waits in a queue, where admission gives its pods one.

        A Job replaces no pod of it that has not ended, where the queue counts as many as it states.
        """
        job, priority = request.object, self.settings.queue_priority
        kind = JobKind(request.kind.group, request.kind.kind)
        is_written = purpose is not Purpose.VALIDATE and request.operation in (CREATE, UPDATE)
        if priority is not None and kind in priority.jobs and is_written:
            namespace = request.namespace
            mode = self.settings.mode_of(RuleName.PRIORITY_CLASS, namespace, self._today())
            is_enforced = mode is Mode.ENFORCE
            fix: tuple[Operation, ...] = ()
            if default := default_class(self.settings, namespace, is_enforced=is_enforced):
                fix = priority_fix(job, request.old_object, kind, priority, default)
            if kind == JOB and self.settings.replaces_ended_only:
                fix += replacement_fix(job)
            return Admission(job, fix)
        return Admission(job)

    def _with_verdict(
        self, request: AdmissionRequest, admission: Admission, review: Review
    ) -> Answer:
        """Add the annotation of a new pod that says whether the rules find anything in it."""
        done = _done(admission, with_skipped_fixes=True)
        if review.operation != CREATE or admission.is_exempt:
            return admission_answer.patch(request, done)
        pod = Pod(admission.document, self._judging.offer.names.is_gpu)
        found = self._judging.admit(admission.document, replace(review, fixes=False)).outcomes
        verdict = None if found else self._judged_by
        annotation = judged_annotation(pod, verdict)
        done = done._replace(operations=(*done.operations, *annotation))
        return admission_answer.patch(request, done, verdict or "")


def _concerns(request: AdmissionRequest) -> bool:
    """Whether rules look at it: workload templates are for the linter, only pods are judged."""
    kind = request.kind
    return kind.kind == "Pod" and not kind.group and request.operation in (CREATE, UPDATE)


def _is_last_word(purpose: Purpose, request: AdmissionRequest) -> bool:
    """Whether nobody need judge the object afterwards."""
    is_vouched_for = purpose is Purpose.ADMIT and request.operation == CREATE
    return purpose is Purpose.VALIDATE or is_vouched_for


def _done(admission: Admission, *, with_skipped_fixes: bool = False) -> Admission:
    """Leave out what whoever validates will report."""
    done = (Effect.FIXED, Effect.FAILED)
    skipped = (Effect.WARNED, Effect.AUDITED) if with_skipped_fixes else ()
    outcomes = [
        outcome
        for outcome in admission.outcomes
        if outcome.effect in done
        or (outcome.effect in skipped and outcome.finding.severity is Severity.FIX)
    ]
    return Admission(admission.document, admission.operations, tuple(outcomes))


def judged_annotation(pod: Pod, judged_by: str | None) -> tuple[Operation, ...]:
    """Have a pod say by which rules nothing is wrong with it; None says that something is.

    Another webhook may have changed a pod since it was annotated: what it says is taken back.
    """
    if pod.annotations.get(JUDGED) == judged_by:
        return ()
    if judged_by is None:
        return (Operation("remove", _PATH),)
    return annotate(pod, JUDGED, judged_by)
