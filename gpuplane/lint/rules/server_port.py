"""A server of a language model answers at the port that its probes ask and it declares.

The name of a port, by which Services and PodMonitors find it, is that of a declared one.
"""

import re
from collections.abc import Iterator, Mapping

from gpuplane.lint.declared_number import DeclaredNumber, DeclaredOptions, command_text
from gpuplane.lint.model_servers import is_model_server
from gpuplane.lint.placeholders import is_placeholder
from gpuplane.lint.rule import LintContext, LintObject, LintRule, RuleFinding
from gpuplane.lint.served_pods import served_pods
from gpuplane.lint.told import SERVICE
from gpuplane.workloads.serving.engine import engines
from gpus.nearest import nearest, nearest_hint
from policies.container import Container, ContainerKind
from policies.document import Json, elements, listed, members, shown, text
from policies.pod import Pod

_PROBES = {
    "startupProbe": "never starts",
    "readinessProbe": "never becomes ready",
    "livenessProbe": "is ended again and again",
}
_TRITON = re.compile(r"\btritonserver\b")
_ASKING = ("httpGet", "tcpSocket")


def check(one: LintObject, context: LintContext) -> Iterator[RuleFinding]:
    if one.kind == SERVICE:
        yield from _unnamed(members(one.document.get("spec")), context)
    for served in served_pods(one, context):
        for container in served.pod.containers:
            option = _option(container)
            if container.kind is ContainerKind.APP and option:
                yield from served.placed(_unanswered(container, option, served.pod))


def _unnamed(spec: Mapping[str, Json], context: LintContext) -> Iterator[RuleFinding]:
    """Find a port by a name that no pod has which a Service selects."""
    if not spec.get("selector"):
        return
    kept = context.siblings.answering({"matchLabels": members(spec.get("selector"))})
    names = sorted({name for each in kept for name in each.port_names})
    for index, port in enumerate(map(members, elements(spec.get("ports")))):
        target = text(port.get("targetPort"))
        is_name = target and not target.isdecimal() and not is_placeholder(target)
        if is_name and target not in names and any(each.is_computing for each in kept):
            pods = listed([f"{each.kind} {shown(each.name)}" for each in kept])
            declared = f"declared: {listed(names)}" if names else "none is declared"
            yield RuleFinding(
                f"/spec/ports/{index}/targetPort",
                f"No container of {pods} declares a port {shown(target)}"
                f"{nearest_hint(nearest(target, names)[:1])}, so that no connection is answered.",
                f"Name a port of its pods; {declared}.",
            )


def _option(container: Container) -> str | None:
    """Return the option by which a server is told its port; None where it is not known."""
    if _TRITON.search(f"{container.image} {command_text(container)}"):
        return engines()["triton"].port_options["http"].removeprefix("--")
    return "port" if is_model_server(container) else None


def _unanswered(container: Container, option: str, pod: Pod) -> Iterator[RuleFinding]:
    server = DeclaredOptions(container).number((option,))
    # Beside another program, it is not known here which of them answers.
    if server is None or "&" in command_text(container):
        return
    others = (each for each in pod.containers if each is not container)
    elsewhere = {port for each in others for port in _declared(each).values()}
    declared = _declared(container)
    if declared and server.value not in declared.values():
        stated = listed([*map(str, declared.values())])
        wrong = f"but the {container.culprit} declares port {stated} alone, by which it is found"
        yield server.finding(wrong, "Declare the port at which it answers.")
    for probe, effect in _PROBES.items():
        for asking in _ASKING:
            port = members(members(container.raw.get(probe)).get(asking)).get("port")
            asked = declared.get(port) if type(port) is str else port
            if type(asked) is int and asked not in (server.value, *elsewhere):
                yield _asked(container, server, f"{probe}/{asking}/port", asked, effect)


def _asked(
    container: Container, server: DeclaredNumber, place: str, port: int, effect: str
) -> RuleFinding:
    return RuleFinding(
        f"{container.pointer}/{place}",
        f"The {place.partition('/')[0]} of {container.culprit} asks port {port}, while "
        f"{server.name} is {server.value}, so that it {effect}.",
        f"Let it ask port {server.value}.",
    )


def _declared(container: Container) -> Mapping[Json, int]:
    """Return the ports that a container declares by their names, or else by themselves."""
    ports = map(members, elements(container.raw.get("ports")))
    numbers = ((each.get("name"), each.get("containerPort")) for each in ports)
    return {
        name if type(name) is str else number: number
        for name, number in numbers
        if type(number) is int
    }


RULE = LintRule(
    "server-port",
    "A server of a language model answers at the port that its probes ask and it declares.",
    check,
)
