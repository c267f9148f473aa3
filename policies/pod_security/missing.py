"""What the level `restricted` demands, and a pod does not say.

What is mended is what every program bears that may not be root anyway.
"""

from collections.abc import Iterator

from policies.container import Container, culprits
from policies.document import elements, members
from policies.fix import append, put
from policies.operation import Operation, apply
from policies.pod import Pod
from policies.pod_security.violation import POD, Violation, is_free
from policies.settings import EnforcedSecurity, PodSecurity

ALL = "ALL"
SYS_ADMIN = "SYS_ADMIN"
WINDOWS = "windows"
"""The operating system of pods that have none of these settings, as `spec.os.name` states it."""


def missing(pod: Pod, enforced: EnforcedSecurity, user: int | None = None) -> Iterator[Violation]:
    """Yield what is missing, and change the pod as each mends it: the next relies on that.

    Containers without a user that is known are mended where `user` says who runs them. Otherwise an
    image whose user is root, or a name, would not start.
    """
    if enforced.level is not PodSecurity.RESTRICTED:
        return
    if members(pod.spec.get("os")).get("name") != WINDOWS:
        for container in pod.containers:
            yield from _mended(pod, _escalation(container))
            yield from _mended(pod, _drop(container))
        yield from _mended(pod, _seccomp(pod))
    if not is_free(pod.spec.get("hostUsers"), PodSecurity.RESTRICTED, enforced):
        yield from _mended(pod, _non_root(pod, user))


def _mended(pod: Pod, found: Violation | None) -> Iterator[Violation]:
    if found is not None:
        yield found
        apply(pod.document, found.fix)


def _escalation(container: Container) -> Violation | None:
    context = members(container.raw.get("securityContext"))
    if context.get("allowPrivilegeEscalation") is not None:
        return None
    names = ("securityContext", "allowPrivilegeEscalation")
    # Beside these the API server refuses the field: `ValidateSecurityContext` in
    # https://github.com/kubernetes/kubernetes/blob/v1.37.1/pkg/apis/core/validation/validation.go
    added = elements(members(context.get("capabilities")).get("add"))
    needs_it = context.get("privileged") is True or SYS_ADMIN in added
    return Violation(
        "allowPrivilegeEscalation != false",
        f"{container.pointer}/securityContext/allowPrivilegeEscalation",
        container.culprit,
        "does not set securityContext.allowPrivilegeEscalation to false",
        f"Set {container.field_path}.securityContext.allowPrivilegeEscalation to false.",
        () if needs_it else put(container.raw, container.pointer, names, value=False),
    )


def _drop(container: Container) -> Violation | None:
    capabilities = members(members(container.raw.get("securityContext")).get("capabilities"))
    if ALL in elements(capabilities.get("drop")):
        return None
    names = ("securityContext", "capabilities", "drop")
    return Violation(
        "unrestricted capabilities",
        f"{container.pointer}/securityContext/capabilities/drop",
        container.culprit,
        "does not drop all capabilities",
        f"Set {container.field_path}.securityContext.capabilities.drop to [ALL].",
        append(container.raw, container.pointer, names, [ALL]),
    )


def _seccomp(pod: Pod) -> Violation | None:
    lacking = _without(pod, "seccompProfile")
    if not lacking:
        return None
    names = ("spec", "securityContext", "seccompProfile")
    return Violation(
        "seccompProfile",
        "/spec/securityContext/seccompProfile",
        POD,
        f"sets no seccompProfile for {culprits(lacking)}",
        "Set spec.securityContext.seccompProfile.type to RuntimeDefault.",
        put(pod.document, "", names, {"type": "RuntimeDefault"}),
    )


def _non_root(pod: Pod, user: int | None) -> Violation | None:
    lacking = _without(pod, "runAsNonRoot")
    if not lacking:
        return None
    unknown = [container for container in lacking if _user_of(pod, container) is None]
    by_root = [container for container in lacking if _user_of(pod, container) == 0]
    fix: list[Operation] = []
    if not by_root and (user is not None or not unknown):
        for container in unknown:
            names = ("securityContext", "runAsUser")
            fix += put(container.raw, container.pointer, names, user)
        fix += put(pod.document, "", ("spec", "securityContext", "runAsNonRoot"), value=True)
    return Violation(
        "runAsNonRoot != true",
        "/spec/securityContext/runAsNonRoot",
        POD,
        f"does not set runAsNonRoot to true for {culprits(lacking)}",
        _non_root_remedy(unknown),
        tuple(fix),
    )


def _non_root_remedy(unknown: list[Container]) -> str:
    remedy = "Set spec.securityContext.runAsNonRoot to true"
    if not unknown:
        return f"{remedy}."
    return (
        f"{remedy}, and spec.securityContext.runAsUser to a user that can run the image of"
        f" {culprits(unknown)}, such as 1000; an image whose USER is a number other than 0 needs"
        " none."
    )


def _without(pod: Pod, field: str) -> list[Container]:
    if members(pod.spec.get("securityContext")).get(field) is not None:
        return []
    return [
        container
        for container in pod.containers
        if members(container.raw.get("securityContext")).get(field) is None
    ]


def _user_of(pod: Pod, container: Container) -> object:
    """Return who runs a container; None where its image decides."""
    own = members(container.raw.get("securityContext")).get("runAsUser")
    return members(pod.spec.get("securityContext")).get("runAsUser") if own is None else own
