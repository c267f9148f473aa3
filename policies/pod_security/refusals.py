"""Why a namespace refuses a pod, as findings."""

from collections.abc import Iterator

from policies.document import printable
from policies.finding import Finding, Severity
from policies.pod import Pod
from policies.pod_security.forbidden import forbidden
from policies.pod_security.missing import missing
from policies.pod_security.violation import POD, Violation
from policies.rule_name import RuleName
from policies.settings import EnforcedSecurity, PodSecurity


def violations(
    pod: Pod, enforced: EnforcedSecurity, *, states_all: bool = True
) -> Iterator[Violation]:
    """Yield everything for which a pod is refused at a level, and change it as that is mended.

    What it lacks counts only where it `states_all` that it will have.
    """
    if enforced.level is not PodSecurity.PRIVILEGED:
        yield from forbidden(pod, enforced)
        if states_all:
            yield from missing(pod, enforced)


def refusals(
    pod: Pod, namespace: str, enforced: EnforcedSecurity, *, states_all: bool
) -> Iterator[Finding]:
    """Yield the findings of a pod that its namespace would refuse; `violations` says the rest."""
    why = f"so the namespace {namespace}, which enforces {enforced.level}, refuses the pod"
    for one in violations(pod, enforced, states_all=states_all):
        subject = "The pod" if one.culprit == POD else f"The {one.culprit}"
        yield Finding(
            RuleName.POD_SECURITY,
            Severity.REFUSE,
            one.path,
            printable(one.culprit),
            printable(f"{subject} {one.problem}, {why} ({one.control})."),
            printable(one.remedy),
            one.fix,
        )
