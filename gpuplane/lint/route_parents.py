"""Whether a route is attached to the Gateway of a cluster: by which listener, for which hostnames.

A listener for `*.a` takes all names below `a`, and its certificate is for those of one label more
(https://gateway-api.sigs.k8s.io/reference/spec/#httproutespec).
"""

from collections.abc import Iterator, Mapping, Sequence

from gpuplane.lint.finding import LintSeverity
from gpuplane.lint.lint_run import GatewayFacts, Listener
from gpuplane.lint.placeholders import is_placeholder
from gpuplane.lint.rule import LintContext, RuleFinding
from gpus.nearest import nearest, nearest_hint
from policies.document import Json, elements, listed, members, shown, text

GROUP = "gateway.networking.k8s.io"


def unattached(spec: Mapping[str, Json], context: LintContext) -> Iterator[RuleFinding]:
    """Find parents that do not take a route, and hostnames that none of their listeners is for."""
    gateway, namespace = context.facts.gateway, context.namespace
    if gateway is None or context.known_namespace is None:
        return
    admitted = [each for each in gateway.listeners if namespace in each.namespaces]
    opened, is_ours = list[Listener](), True
    for index, parent in enumerate(map(members, elements(spec.get("parentRefs")))):
        place = f"/spec/parentRefs/{index}"
        if not _is_of(parent, gateway, namespace):
            is_ours = False
            yield from _other(place, parent, gateway, context)
        elif not admitted:
            yield RuleFinding(
                place,
                f"The Gateway takes no routes of {namespace}, so that no request comes by it: "
                "only namespaces of inference have a listener.",
                "Put the route, and what it leads to, into a namespace of inference.",
            )
        else:
            section = text(parent.get("sectionName"))
            found = [each for each in admitted if section in ("", each.name)]
            opened += found
            is_ours = is_ours and not is_placeholder(section)
            if not found and not is_placeholder(section):
                yield _section(f"{place}/sectionName", section, gateway, admitted, namespace)
    if is_ours and opened:
        yield from _hostnames(elements(spec.get("hostnames")), opened)


def _is_of(parent: Mapping[str, Json], gateway: GatewayFacts, namespace: str) -> bool:
    stated = text(parent.get("namespace")) or namespace
    return _is_gateway(parent) and (stated, parent.get("name")) == (gateway.namespace, gateway.name)


def _is_gateway(parent: Mapping[str, Json]) -> bool:
    return (parent.get("group", GROUP), parent.get("kind", "Gateway")) == (GROUP, "Gateway")


def _other(
    place: str, parent: Mapping[str, Json], gateway: GatewayFacts, context: LintContext
) -> Iterator[RuleFinding]:
    """Find a Gateway that is not there, or is somebody else's."""
    name = text(parent.get("name"))
    namespace = text(parent.get("namespace")) or context.namespace
    if not _is_gateway(parent) or any(map(is_placeholder, (name, namespace))):
        return
    is_missing = namespace == gateway.namespace
    if not is_missing and context.siblings.named("Gateway", name):
        return
    whose = "There is no Gateway" if is_missing else "The cluster file has no Gateway"
    yield RuleFinding(
        place,
        f"{whose} {shown(name)} in {shown(namespace)}, so that no request comes by it.",
        f"Name {gateway.name} in {gateway.namespace}"
        f"{'' if is_missing else '; ignore it if somebody else makes that Gateway'}.",
        severity=None if is_missing else LintSeverity.WARNING,
    )


def _section(
    place: str, section: str, gateway: GatewayFacts, admitted: Sequence[Listener], namespace: str
) -> RuleFinding:
    names = [each.name for each in admitted]
    what = f"no listener {shown(section)}{nearest_hint(nearest(section, names)[:1])}"
    if section in {each.name for each in gateway.listeners}:
        what = f"a listener {shown(section)} that takes no routes of {namespace}"
    return RuleFinding(
        place,
        f"The Gateway has {what}, so that this route is attached to nothing.",
        f"Set it to {listed(names)}.",
    )


def _hostnames(hostnames: Sequence[Json], opened: Sequence[Listener]) -> Iterator[RuleFinding]:
    names = listed([*dict.fromkeys(each.hostname for each in opened)])
    for index, hostname in enumerate(map(text, hostnames)):
        if not hostname or is_placeholder(hostname):
            continue
        wide = [each.hostname for each in opened if _meets(each.hostname, hostname)]
        if not wide:
            yield RuleFinding(
                f"/spec/hostnames/{index}",
                f"No listener that takes this route is for {shown(hostname)}, so that no request "
                "for it comes here.",
                f"Use a name of {names}.",
            )
        elif not hostname.startswith("*.") and not any(_is_signed(each, hostname) for each in wide):
            yield RuleFinding(
                f"/spec/hostnames/{index}",
                f"The certificate of the listener is for {names}, and not for {shown(hostname)}, "
                "which has a label more, so that clients refuse it.",
                "Use a name with one label before that domain.",
            )


def _meets(listener: str, hostname: str) -> bool:
    """Whether some name is of both."""
    wide, narrow = listener.removeprefix("*"), hostname.removeprefix("*")
    below = listener != wide and narrow.endswith(wide)
    above = hostname != narrow and wide.endswith(narrow)
    return listener == hostname or below or above


def _is_signed(certified: str, hostname: str) -> bool:
    return certified in (hostname, f"*.{hostname.partition('.')[2]}")
