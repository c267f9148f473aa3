"""An HTTPRoute is attached to the Gateway of the cluster, and leads to what can answer.

https://gateway-api.sigs.k8s.io/reference/spec/#httproute. That it leads to its own namespace is a
policy of the API server, since agentgateway heeds no ReferenceGrant.
"""

from collections.abc import Iterator, Mapping

from gpuplane.lint.finding import LintSeverity
from gpuplane.lint.placeholders import is_placeholder
from gpuplane.lint.route_parents import GROUP, unattached
from gpuplane.lint.rule import LintContext, LintObject, LintRule, RuleFinding
from gpuplane.lint.told import LEADER_WORKER_SET, POOL, SERVICE
from gpus.nearest import nearest, nearest_hint
from policies.document import Json, elements, listed, members, shown, text
from policies.settings import JobKind

_POOLS = "serving.inferencePools"


def check(one: LintObject, context: LintContext) -> Iterator[RuleFinding]:
    if one.kind != JobKind(GROUP, "HTTPRoute"):
        return
    spec = members(one.document.get("spec"))
    yield from unattached(spec, context)
    for index, rule in enumerate(map(members, elements(spec.get("rules")))):
        place, backends = f"/spec/rules/{index}/backendRefs", elements(rule.get("backendRefs"))
        yield from _weightless(place, [members(each).get("weight", 1) for each in backends])
        for number, backend in enumerate(map(members, backends)):
            yield from _unanswered(f"{place}/{number}", backend, context)


def _weightless(place: str, weights: list[Json]) -> Iterator[RuleFinding]:
    if weights and not any(weights) and all(type(each) is int for each in weights):
        yield RuleFinding(
            place,
            "No backend of this rule has a weight above 0, so that each request of it is answered "
            "with the status 500.",
            "Give one of them a weight.",
        )


def _unanswered(
    place: str, backend: Mapping[str, Json], context: LintContext
) -> Iterator[RuleFinding]:
    kind = JobKind(text(backend.get("group")), text(backend.get("kind", SERVICE.kind)))
    if text(backend.get("namespace")) in ("", context.namespace):
        if kind == SERVICE:
            yield from _service(place, backend, context)
        elif kind.kind == POOL.kind:
            yield from _pool(place, kind, context)
            if kind == POOL:
                yield from _missing(place, POOL, text(backend.get("name")), context)


def _service(
    place: str, backend: Mapping[str, Json], context: LintContext
) -> Iterator[RuleFinding]:
    name, port = text(backend.get("name")), backend.get("port")
    if port is None:
        yield RuleFinding(
            place,
            f"It states no port of the Service {shown(name)}, so that the API server refuses it.",
            "State a port of the Service, not of its pods.",
        )
        return
    told = context.siblings.named_beside(SERVICE.kind, name)
    if told is None:
        yield from _missing(place, SERVICE, name, context)
    elif told.ports and type(port) is int and port not in told.ports:
        yield RuleFinding(
            f"{place}/port",
            f"The Service {shown(name)} has no port {port}, so that no request is answered.",
            f"Use one that it has: {listed([*map(str, told.ports)])}.",
        )


def _missing(place: str, kind: JobKind, name: str, context: LintContext) -> Iterator[RuleFinding]:
    """Find what is none of its kind beside the route, where there are some."""
    siblings = context.siblings
    if not name or is_placeholder(name) or siblings.named(kind.kind, name):
        return
    beside = [each.name for each in siblings.beside((kind.kind,))]
    if kind == SERVICE and siblings.named_beside(LEADER_WORKER_SET.kind, name):
        leaders = f"{name}-leader"
        known = f", such as {leaders}" if leaders in beside else ""
        yield RuleFinding(
            f"{place}/name",
            f"The Service {shown(name)} is the one that LeaderWorkerSet makes for its pods, which "
            "has no ports, so that no request is answered.",
            f"Lead to a Service of its leaders{known}.",
            severity=LintSeverity.WARNING,
        )
    elif beside:
        close = nearest_hint(nearest(name, beside)[:1])
        yield RuleFinding(
            f"{place}/name",
            f"No {kind.kind} beside it is called {shown(name)}{close}, so that no request is "
            "answered.",
            f"Name the {kind.kind} that is meant; ignore it if that is in another folder.",
            severity=LintSeverity.WARNING,
        )


def _pool(place: str, kind: JobKind, context: LintContext) -> Iterator[RuleFinding]:
    facts = context.facts
    if facts.gateway is None or context.known_namespace is None:
        return
    if kind != POOL and not is_placeholder(kind.group):
        yield RuleFinding(
            f"{place}/group",
            f"The Gateway knows no InferencePool of the group {shown(kind.group)}, so that no "
            "request is answered.",
            f"Set it to {POOL.group}.",
        )
    elif _POOLS in facts.lacks and f"{POOL.kind}.{POOL.group}" not in facts.brings:
        yield RuleFinding(
            f"{place}/kind",
            "The Gateway of the cluster asks no pickers, so that no request to an InferencePool is "
            "answered.",
            f"Lead to the Service, or have the platform team set {_POOLS}.",
        )


RULE = LintRule(
    "http-route",
    "An HTTPRoute is attached to the Gateway, and leads to what can answer.",
    check,
    LintSeverity.ERROR,
)
