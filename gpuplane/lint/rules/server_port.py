"""A server of a language model answers at the port that its probes ask and it declares.

The name of a port, by which Services and PodMonitors find it, is that of a declared one.
"""

from collections.abc import Iterator, Mapping

from gpuplane.lint.declared_number import DeclaredNumber, DeclaredOptions, command_text
from gpuplane.lint.model_servers import is_model_server
from gpuplane.lint.rule import LintContext, LintObject, LintRule, RuleFinding
from gpuplane.lint.served_pods import served_pods
from policies.container import Container, ContainerKind
from policies.document import Json, elements, listed, members
from policies.pod import Pod

_PROBES = {
    "startupProbe": "never starts",
    "readinessProbe": "never becomes ready",
    "livenessProbe": "is ended again and again",
}
_ASKING = ("httpGet", "tcpSocket")


def check(one: LintObject, context: LintContext) -> Iterator[RuleFinding]:
    for served in served_pods(one, context):
        for container in served.pod.containers:
            if container.kind is ContainerKind.APP and is_model_server(container):
                yield from served.placed(_unanswered(container, served.pod))


def _unanswered(container: Container, pod: Pod) -> Iterator[RuleFinding]:
    server = DeclaredOptions(container).number(("port",))
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
