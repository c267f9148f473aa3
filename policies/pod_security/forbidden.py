"""The values that a level forbids: the rows of `forbidden.toml`, and an annotation."""

import json
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files

from policies.document import Json, cut, field_path, pointer, shown, text
from policies.pod import Pod
from policies.pod_security.violation import POD, Violation, is_free
from policies.settings import EnforcedSecurity, PodSecurity
from policies.workloads.place import at

_MAX_VALUE_LENGTH = 60
_NESTED = (dict, list)
_APP_ARMOR = "container.apparmor.security.beta.kubernetes.io/"
_APP_ARMOR_ALLOWED = ("", "runtime/default")
_APP_ARMOR_LOCAL = "localhost/"


@dataclass(frozen=True, slots=True)
class _Control:
    """A row of the table; a place leads on from the spec of a pod, or from each container."""

    name: str
    level: str
    pod: Sequence[str] = ()
    container: Sequence[str] = ()
    both: Sequence[str] = ()
    replaced: bool = False
    """Whether a stricter row stands for it at the level `restricted`."""
    free_in_user_namespace: str = ""
    since: int = 0
    allowed: Sequence[Json] = ()
    """What may stand there, if nothing is stated that may not."""
    forbidden: Sequence[Json] = ()
    also: Mapping[str, Sequence[Json]] = field(default_factory=dict)
    """What may stand there besides, from a minor of Kubernetes on."""
    remedy: str = ""

    def holds(self, host_users: Json, enforced: EnforcedSecurity) -> bool:
        is_of_level = self.level in (PodSecurity.BASELINE, enforced.level)
        is_replaced = self.replaced and enforced.level is PodSecurity.RESTRICTED
        is_known = enforced.minor >= self.since
        free = is_free(host_users, self.free_in_user_namespace, enforced)
        return is_of_level and is_known and not is_replaced and not free

    def allowed_in(self, minor: int) -> Sequence[Json] | None:
        if self.forbidden:
            return None
        also = [one for since, more in self.also.items() if minor >= int(since) for one in more]
        return [*self.allowed, *also]


def forbidden(pod: Pod, enforced: EnforcedSecurity) -> Iterator[Violation]:
    """Yield what the pod states and its namespace forbids; none of it can be mended for certain."""
    host_users = pod.spec.get("hostUsers")
    for control in _controls():
        if control.holds(host_users, enforced):
            for place in (*control.both, *control.pod):
                for below, value in at(pod.spec, f"/{place}"):
                    yield from _judged(control, enforced, POD, f"/spec{below}", value)
            for container in pod.containers:
                for place in (*control.both, *control.container):
                    for below, value in at(container.raw, f"/{place}"):
                        path = f"{container.pointer}{below}"
                        yield from _judged(control, enforced, container.culprit, path, value)
    yield from _app_armor(pod)


def _judged(
    control: _Control, enforced: EnforcedSecurity, culprit: str, path: str, value: Json
) -> Iterator[Violation]:
    allowed = control.allowed_in(enforced.minor)
    is_allowed = value not in control.forbidden if allowed is None else value in allowed
    if value is not None and not is_allowed:
        to = "" if type(value) in _NESTED else f" to {_value(value)}"
        remedy = control.remedy or _remedy([one for one in allowed or () if one])
        yield Violation(control.name, path, culprit, f"sets {field_path(path)}{to}", remedy)


def _remedy(allowed: Sequence[Json]) -> str:
    names = ", ".join([str(one) for one in allowed])
    return f"Leave it out; allowed: {names}." if names else "Leave it out."


def _value(value: Json) -> str:
    return cut(json.dumps(value), _MAX_VALUE_LENGTH)


def _app_armor(pod: Pod) -> Iterator[Violation]:
    for name, value in pod.annotations.items():
        profile = text(value)
        is_allowed = profile in _APP_ARMOR_ALLOWED or profile.startswith(_APP_ARMOR_LOCAL)
        if name.startswith(_APP_ARMOR) and not is_allowed:
            yield Violation(
                "forbidden AppArmor profile",
                f"/metadata/annotations{pointer(name)}",
                POD,
                f"sets the annotation {shown(name)} to {_value(profile)}",
                f"Leave it out; allowed: runtime/default, {_APP_ARMOR_LOCAL}*.",
            )


@cache
def _controls() -> tuple[_Control, ...]:
    text = (files("policies.pod_security") / "forbidden.toml").read_text(encoding="utf-8")
    return tuple([_Control(**row) for row in tomllib.loads(text)["control"]])
