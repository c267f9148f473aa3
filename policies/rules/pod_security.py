"""GPU pods state what their namespace demands of them.

The API server enforces the level of a namespace itself, after pods are mutated, and then the pod of
a Job is refused where nobody looks. What is missing is added where the cluster file says so. It is
refused only before a manifest is applied, by `policies.pod_security`, whose table has the rest.
https://kubernetes.io/docs/concepts/security/pod-security-admission/
"""

from collections.abc import Iterable

from policies.admission import CREATE
from policies.cel.patch import add, append_in_cel, object_literal, of_containers
from policies.cel.pod import INIT_CONTAINERS, is_in
from policies.cel.text import quote
from policies.cel.variables import Variables
from policies.document import members
from policies.finding import Finding, Severity
from policies.operation import Operation, copied
from policies.pod import Pod
from policies.pod_security.missing import ALL, SYS_ADMIN, WINDOWS, missing
from policies.rule import Context, InCel, Message, Rule
from policies.rule_name import RuleName
from policies.settings import PodSecurity, Settings

_LACKING = Message(
    "The pod lacks what its namespace requires, which enforces restricted: {controls}.",
    "Set each field that gpuplane lint names.",
)


def concerns(context: Context) -> bool:
    user, known = context.settings.pod_security_user, context.namespace
    if user is None or known is None or known.pod_security is None:
        return False
    return known.pod_security.level is PodSecurity.RESTRICTED


def evaluate(pod: Pod, context: Context) -> Iterable[Finding]:
    """Add to a new pod what it lacks; what it states itself stays."""
    known = context.namespace
    if known is None or known.pod_security is None or context.operation != CREATE:
        return ()
    if members(pod.spec.get("os")).get("name") == WINDOWS:
        return ()
    fix: list[Operation] = []
    controls: dict[str, str] = {}
    copy = Pod(copied(pod.document), context.offer.names.is_gpu)
    for one in missing(copy, known.pod_security, context.settings.pod_security_user):
        if one.fix:
            fix += one.fix
            controls.setdefault(one.control, one.path)
    if not fix:
        return ()
    path, listed = next(iter(controls.values())), ", ".join(controls)
    return (RULE.finding(_LACKING, path=path, fix=tuple(fix), controls=listed),)


_STARTING = f"({INIT_CONTAINERS} + object.spec.containers)"
_OF_POD = "object.spec.?securityContext"
_OWN = "container.?securityContext"
_IS_WINDOWS = f"object.spec.?os.?name.orValue({quote('')}) == {quote(WINDOWS)}"
# Policies that mutate are of Kubernetes 1.36, in which a user namespace frees from these.
_IN_ITS_OWN = "!object.spec.?hostUsers.orValue(true)"
_LACKS_USER = f"{_OWN}.?runAsUser.or({_OF_POD}.?runAsUser).orValue(-1) == -1"
_IS_ROOT = f"{_OWN}.?runAsUser.or({_OF_POD}.?runAsUser).orValue(-1) == 0"
_UNSAID = "variables.pod_security_unsaid"
_NON_ROOT = f"(size({_UNSAID}) > 0 && !{_UNSAID}.exists(container, {_IS_ROOT}))"
_VARIABLES: Variables = {
    "pod_security_unsaid": f"{_IN_ITS_OWN} || {_OF_POD}.?runAsNonRoot.hasValue() ? []"
    f" : {_STARTING}.filter(container, !{_OWN}.?runAsNonRoot.hasValue())",
    "pod_security_profile": f"!{_OF_POD}.?seccompProfile.hasValue()"
    f" && {_STARTING}.exists(container, !{_OWN}.?seccompProfile.hasValue())",
    "pod_security_non_root": _NON_ROOT,
}
_GETS_USER = (
    f"(variables.pod_security_non_root && !{_OWN}.?runAsNonRoot.hasValue() && {_LACKS_USER})"
)
_ESCALATES = (
    f"({_OWN}.?allowPrivilegeEscalation.hasValue() || {_OWN}.?privileged.orValue(false)"
    f" || {quote(SYS_ADMIN)} in {_OWN}.?capabilities.?add.orValue([]))"
)
_CAPABILITIES = "container.securityContext.capabilities"
_DROP = f"placed[0] + {quote('/securityContext/capabilities/drop')}"
_NONE_DROPPED = object_literal({"drop": f"[{quote(ALL)}]"})


def _of_container(user: int) -> str:
    """Return the operations on a `container`, which may have no security context."""
    all_of_it = {"allowPrivilegeEscalation": "false", "capabilities": _NONE_DROPPED}
    with_user = object_literal({**all_of_it, "runAsUser": str(user)})
    made = _put("", f"{_GETS_USER} ? {with_user} : {object_literal(all_of_it)}")
    dropped = append_in_cel(f"has({_CAPABILITIES}.drop)", _DROP, f"[{quote(ALL)}]")
    return (
        f"!has(container.securityContext) ? [{made}]"
        f" : ({_ESCALATES} ? [] : [{_put('/allowPrivilegeEscalation', 'false')}])"
        f" + ({quote(ALL)} in {_OWN}.?capabilities.?drop.orValue([]) ? []"
        f" : !has({_CAPABILITIES}) ? [{_put('/capabilities', _NONE_DROPPED)}]"
        f" : {dropped})"
        f" + ({_GETS_USER} ? [{_put('/runAsUser', str(user))}] : [])"
    )


def _put(below: str, value: str) -> str:
    """Return the operation that sets a field of the security context of the `placed` container."""
    return add(f"placed[0] + {quote(f'/securityContext{below}')}", value)


def _of_pod() -> str:
    at = "/spec/securityContext"
    profile = object_literal({"type": quote("RuntimeDefault")})
    added = {
        "variables.pod_security_profile": add(quote(f"{at}/seccompProfile"), profile),
        "variables.pod_security_non_root": add(quote(f"{at}/runAsNonRoot"), "true"),
    }
    is_there = f"has(object.spec.securityContext) || !({' || '.join(added)})"
    each = [f"({condition} ? [{operation}] : [])" for condition, operation in added.items()]
    return " + ".join([f"({is_there} ? [] : [{add(quote(at), '{}')}])", *each])


def _variables(settings: Settings) -> Variables:
    return _VARIABLES if settings.pod_security_user is not None else {}


def _fixes(settings: Settings) -> str:
    user = settings.pod_security_user
    restricted = [
        name
        for name, each in settings.namespaces.items()
        if each.pod_security and each.pod_security.level is PodSecurity.RESTRICTED
    ]
    if user is None or not restricted:
        return ""
    fixes = f"{of_containers('true', _of_container(user))} + {_of_pod()}"
    return f"{is_in(restricted)} && !({_IS_WINDOWS}) ? ({fixes}) : []"


RULE: Rule = Rule(
    RuleName.POD_SECURITY,
    summary="A GPU pod states what the Pod Security level of its namespace demands.",
    severity=Severity.FIX,
    evaluate=evaluate,
    concerns=concerns,
    in_cel=InCel(fixes=_fixes, variables=_variables),
)
