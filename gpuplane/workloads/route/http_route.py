"""An HTTPRoute, by which the Gateway of a cluster leads requests to services of a team.

https://gateway-api.sigs.k8s.io/reference/spec/#httproute
"""

import re
from collections.abc import Iterator

from charts_py.cluster_file.fault import Problem, RenderError
from charts_py.cluster_file.other_names import unknown_name
from charts_py.cluster_file.serving import Gateway
from charts_py.platform.gateway import (
    GATEWAY,
    GATEWAY_NAMESPACE,
    POOL_GROUP,
    serving_namespaces,
    team_domain,
)
from charts_py.platform.interceptor import INTERCEPTOR_PORT, INTERCEPTOR_SERVICE, KEDA_HTTP_ADD_ON
from charts_py.platform.platform import Platform, TeamNamespace, team_labels
from gpuplane.workloads.asked import AskedError, wrong
from gpuplane.workloads.place import chosen_team
from gpuplane.workloads.reason import Because, Tree, explained
from gpuplane.workloads.route.asked import NAME, AskedRoute, Backend, backends_of, route_problems
from gpuplane.workloads.workload import Workload

_GROUP = "gateway.networking.k8s.io"
_INTERCEPTOR: Tree = {
    "group": "",
    "kind": "Service",
    "name": Because(INTERCEPTOR_SERVICE, "it holds requests until a replica is ready"),
    "namespace": KEDA_HTTP_ADD_ON,
    "port": INTERCEPTOR_PORT,
}
_ALONE = "the Gateway takes routes of namespaces of inference alone"


def new_route(asked: AskedRoute, platform: Platform) -> Workload:
    """Return the route that is asked for.

    Raises AskedError with what is wrong with what is asked, and RenderError without a Gateway.
    """
    gateway = platform.cluster.serving.gateway
    if gateway is None:
        what = f"the file of {platform.name} has no Gateway"
        raise RenderError(f"{what}; allowed: a cluster with serving.gateway")
    namespace = _namespace(asked, platform)
    problems = [
        *route_problems(asked),
        *_hostname_problems(asked, gateway, namespace),
        *_pool_problems(asked, platform),
        *_sleep_problems(asked, platform),
    ]
    if problems:
        raise AskedError(problems)
    return Workload((explained(_tree(asked, gateway, namespace)),), tuple(_notes(asked, platform)))


def _namespace(asked: AskedRoute, platform: Platform) -> TeamNamespace:
    serving = {each.name: each for each in serving_namespaces(platform)}
    if asked.team is not None or asked.namespace is None:
        team = chosen_team(asked.team, platform)
        teams = ", ".join(sorted({each.team_name for each in serving.values()}))
        serving = {name: each for name, each in serving.items() if each.team_name == team}
        if not serving:
            raise wrong("--team", f"{team} has no namespace of inference, and {_ALONE}", teams)
    if asked.namespace is None:
        return next(iter(serving.values()))
    if asked.namespace not in serving:
        unknown = unknown_name("namespace of inference", asked.namespace, serving)
        raise wrong("--namespace", f"{unknown}; {_ALONE}")
    return serving[asked.namespace]


def _hostname(asked: AskedRoute, gateway: Gateway, namespace: TeamNamespace) -> str:
    return asked.hostname or f"{asked.name}.{team_domain(gateway, namespace.team_name)}"


def _hostname_problems(
    asked: AskedRoute, gateway: Gateway, namespace: TeamNamespace
) -> Iterator[Problem]:
    """Yield that no listener of the team, or no certificate, is for a hostname."""
    if asked.hostname is None:
        return
    domain = team_domain(gateway, namespace.team_name)
    label, _, rest = asked.hostname.partition(".")
    if rest != domain or not re.fullmatch(NAME.pattern, label):
        what = f'"{asked.hostname}" is no name of team {namespace.team_name}'
        yield Problem(("--hostname",), what, f"one such as {asked.name}.{domain}")


def _pool_problems(asked: AskedRoute, platform: Platform) -> Iterator[Problem]:
    has_pools = platform.cluster.serving.inference_pools is not None
    if not has_pools and any(each.port is None for each in backends_of(asked)):
        what = f"the file of {platform.name} has no InferencePools"
        yield Problem(("--to",), what, "a Service, or a cluster with serving.inferencePools")


def _sleep_problems(asked: AskedRoute, platform: Platform) -> Iterator[Problem]:
    if asked.cold_start is None:
        return
    if platform.cluster.serving.keda_http_add_on is None:
        what = f"the file of {platform.name} has no serving.kedaHttpAddOn: nothing sleeps there"
        yield Problem(("--cold-start",), what, "a cluster with serving.kedaHttpAddOn")
    stated = {"--to": asked.backends, "--hostname": asked.hostname}
    for option in (option for option, value in stated.items() if value):
        what = "the interceptor knows a server by its hostname, NAME.TEAM.DOMAIN, alone"
        yield Problem((option,), what, "without it, or without --cold-start")


def _tree(asked: AskedRoute, gateway: Gateway, namespace: TeamNamespace) -> Tree:
    team, backends = namespace.team_name, backends_of(asked)
    parent = {
        "group": _GROUP,
        "kind": "Gateway",
        "name": GATEWAY,
        "namespace": GATEWAY_NAMESPACE,
        "sectionName": Because(team, f"the listener that takes routes of {namespace.name}"),
    }
    rule = {
        "matches": [_match(asked)],
        "backendRefs": (
            [_reference(each, backends) for each in backends]
            if asked.cold_start is None
            else [_INTERCEPTOR]
        ),
        "timeouts": {"request": _request_timeout(asked)},
    }
    hostname = _hostname(asked, gateway, namespace)
    why = f"a name of team {team}, for which the Gateway has a certificate"
    return {
        "apiVersion": f"{_GROUP}/v1",
        "kind": "HTTPRoute",
        "metadata": {
            "name": asked.name,
            "namespace": namespace.name,
            "labels": team_labels(namespace),
        },
        "spec": {"parentRefs": [parent], "hostnames": Because([hostname], why), "rules": [rule]},
    }


def _request_timeout(asked: AskedRoute) -> Because:
    why = "until an answer is whole: tokens are streamed as they come"
    if asked.cold_start is not None:
        why = f"{why}, once {asked.cold_start} seconds have made a replica at most"
    return Because(f"{asked.longest}s", why)


def _match(asked: AskedRoute) -> Tree:
    found: dict[str, Tree] = {
        "path": Because({"type": "PathPrefix", "value": asked.path}, "it, and what is below it")
    }
    pairs = (header.partition("=") for header in asked.headers)
    if headers := [{"type": "Exact", "name": name, "value": value} for name, _, value in pairs]:
        found["headers"] = Because(headers, "requests that have them all")
    return found


def _reference(backend: Backend, backends: tuple[Backend, ...]) -> Tree:
    kind, group = ("InferencePool", POOL_GROUP) if backend.port is None else ("Service", "")
    found: dict[str, Tree] = {"group": group, "kind": kind, "name": backend.name}
    if backend.port is not None:
        found["port"] = Because(backend.port, "of the Service, not of its pods")
    if backend.weight is not None:
        total = sum(each.weight or 0 for each in backends)
        found["weight"] = Because(backend.weight, f"of every {total} requests")
    return found


def _notes(asked: AskedRoute, platform: Platform) -> Iterator[str]:
    yield "the Gateway asks nobody who they are: whoever reaches it, reaches the model"
    idle = platform.provider.idle_seconds
    if idle is not None and asked.timeout > idle:
        yield (
            f"load balancers drop a connection without data after {idle} seconds by default: an "
            "answer that takes longer has to be streamed"
        )
    if idle is not None and asked.cold_start is not None and asked.cold_start > idle:
        yield (
            f"load balancers drop a request that waits for longer than {idle} seconds for a "
            "replica, by default: the replica starts nonetheless, and clients have to try again"
        )
    if len(backends_of(asked)) > 1:
        yield (
            "clients ask for a model by its name, so that all of these serve one by the same "
            "(-- --served-model-name=NAME)"
        )
