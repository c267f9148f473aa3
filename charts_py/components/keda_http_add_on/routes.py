"""The policies that bound what the interceptor and the scaler do for a team.

Both serve all teams. The interceptor finds a service by hostname, path and headers, whoever wrote
the route, with a key of its table for each hostname and path of a rule
(pkg/routing/tablememory.go of https://github.com/kedacore/http-add-on at v0.15.0). The scaler has
memory for each granularity in a window of the rate (pkg/queue/bucketing.go). Neither gets past a
list of routes of which one has a duration that Go does not parse, which its definition takes.
"""

from charts_py.cluster_file.serving import Gateway
from charts_py.components.admission_policy import UNCHANGED, Policy, requests, validation
from charts_py.platform.interceptor import ROUTE_GROUP
from gpus.platform_names import LABEL_PREFIX, TEAM
from policies.cel.text import quote

_IS_ROUTE = 'request.resource.resource == "interceptorroutes"'
_MOST = 8
_RULES = "object.spec.?rules.orValue([])"
_TARGET = "object.spec.target.service"
_FALLBACK = f"object.spec.?coldStart.?fallback.?service.?name.orValue({_TARGET})"
_IS_NAME = f"name.matches({quote('^[a-z]([-a-z0-9]{0,61}[a-z0-9])?$')})"
_TIMES = ", ".join(
    f'object.spec.?timeouts.?{each}.orValue("0s")'
    for each in ("readiness", "request", "responseHeader")
)
_FEW = " && ".join(
    f"size(rule.?{each}.orValue([])) <= {_MOST}" for each in ("hosts", "paths", "headers")
)


def interceptor_routes(gateway: Gateway) -> Policy:
    """Return the policy of a cluster with such a Gateway."""
    return Policy(
        name=f"interceptor-routes.{LABEL_PREFIX}",
        rule=requests(ROUTE_GROUP, "httpscaledobjects", "interceptorroutes", version="*"),
        validations=(
            validation(
                f"{UNCHANGED} || {_IS_ROUTE}",
                "An HTTPScaledObject is not allowed: write an InterceptorRoute and a ScaledObject.",
            ),
            _route(
                f"size({_RULES}) > 0 && {_RULES}.all(rule, size(rule.?hosts.orValue([])) > 0 && "
                f"rule.hosts.all(host, {_is_own(gateway)}))",
                "Each rule of an InterceptorRoute lists hosts, which are names of its team, "
                f"NAME.TEAM.{gateway.domain}, without wildcards: the interceptor serves all teams.",
            ),
            _route(
                f"size({_RULES}) <= {_MOST} && {_RULES}.all(rule, {_FEW})",
                f"An InterceptorRoute has at most {_MOST} rules, and a rule at most {_MOST} hosts, "
                "paths and headers.",
            ),
            _route(
                f"[{_TARGET}, {_FALLBACK}].all(name, {_IS_NAME})",
                "An InterceptorRoute leads to Services of its namespace, each by its name alone.",
            ),
            _route(
                "!object.spec.scalingMetric.?requestRate.hasValue()",
                "The scalingMetric of an InterceptorRoute is concurrency, without requestRate, "
                "whose window the scaler keeps in memory for all teams.",
            ),
            _route(
                f"[{_TIMES}].all(time, time.matches({quote('^[0-9]{1,5}(ms|s|m|h)$')}))",
                "A timeout of an InterceptorRoute is a number with a unit, ms, s, m or h, such as "
                "900s: one that the interceptor cannot read ends it for all teams.",
            ),
        ),
    )


def _route(expression: str, message: str) -> dict[str, str]:
    return validation(f"{UNCHANGED} || !({_IS_ROUTE}) || {expression}", message)


def _is_own(gateway: Gateway) -> str:
    team = f'namespaceObject.metadata.labels["{TEAM}"]'
    ends = f'host.endsWith("." + {team} + {quote(f".{gateway.domain}")})'
    return f"host.matches({quote('^[a-z0-9.-]+$')}) && {ends}"


EXTERNAL_NAMES = Policy(
    name=f"external-names.{LABEL_PREFIX}",
    rule=requests("", "services"),
    validations=(
        validation(
            f'{UNCHANGED} || object.spec.?type.orValue("ClusterIP") != "ExternalName"',
            "A Service of the type ExternalName is not allowed: the interceptor of KEDA's HTTP "
            "add-on would send requests to whatever it names, from its own network.",
        ),
    ),
)
