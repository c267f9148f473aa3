"""A service on GPUs that ends has time for the requests that it has.

The grace period begins with the preStop hook, not after it
(https://kubernetes.io/docs/concepts/workloads/pods/pod-lifecycle/#pod-termination). The API server
takes no hook that sleeps longer: `validateSleepAction` in
https://github.com/kubernetes/kubernetes/blob/v1.37.1/pkg/apis/core/validation/validation.go
"""

import re
from collections.abc import Iterator

from gpuplane.lint.declared_number import DeclaredOptions
from gpuplane.lint.finding import LintSeverity
from gpuplane.lint.rule import LintContext, LintObject, LintRule, RuleFinding
from gpuplane.lint.served_pods import served_pods
from gpuplane.workloads.serving.engine import engines
from policies.container import Container, ContainerKind
from policies.document import Json, elements, members, text, value_at

_USUAL = 30
"""Seconds of grace where none are stated."""
_SLEEP = re.compile(r"(?:^|[\s;&/])sleep\s+(\d{1,6})s?(?=$|[\s;&])")


def check(one: LintObject, context: LintContext) -> Iterator[RuleFinding]:
    for served in served_pods(one, context):
        grace = served.pod.spec.get("terminationGracePeriodSeconds", _USUAL)
        for container in served.pod.containers:
            if container.kind is ContainerKind.APP and type(grace) is int:
                yield from served.placed(_undrained(container, grace))


def _undrained(container: Container, grace: int) -> Iterator[RuleFinding]:
    hook = members(value_at(container.raw, ("lifecycle", "preStop")))
    asleep = members(hook.get("sleep")).get("seconds")
    seconds = asleep if type(asleep) is int else _slept(members(hook.get("exec")).get("command"))
    if seconds is None or seconds < grace:
        yield from _killed(container, seconds or 0, grace)
        return
    is_refused = type(asleep) is int and seconds > grace
    effect = "the API server refuses it" if is_refused else "its requests are cut off"
    yield RuleFinding(
        f"{container.pointer}/lifecycle/preStop",
        f"The preStop hook of {container.culprit} takes {seconds} seconds of the {grace} in which "
        f"the pod has to end, so that {effect}.",
        f"Set terminationGracePeriodSeconds to {seconds} and what its longest request takes.",
        severity=LintSeverity.ERROR if is_refused else None,
    )


def _killed(container: Container, hook: int, grace: int) -> Iterator[RuleFinding]:
    """Find an engine that is told to finish requests for longer than is left after the hook."""
    told = DeclaredOptions(container).number(_options())
    if told is not None and told.value > grace - hook:
        yield told.finding(
            f"but the pod is killed {grace - hook} seconds after SIGTERM",
            f"Set terminationGracePeriodSeconds to more than {hook + told.value}.",
        )


def _options() -> tuple[str, ...]:
    stated = (each.options.get("drain", "") for each in engines().values())
    return tuple(option.removeprefix("--") for option in stated if option)


def _slept(command: Json) -> int | None:
    """Return the seconds that a command sleeps, where it does so once."""
    found = _SLEEP.findall(" ".join(map(text, elements(command))))
    return int(found[0]) if len(found) == 1 else None


RULE = LintRule(
    "drain-time", "A service on GPUs that ends has time for the requests that it has.", check
)
