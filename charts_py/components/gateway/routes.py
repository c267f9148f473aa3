"""The policy that keeps the routes of teams in their namespaces.

agentgateway asks no ReferenceGrant where a route leads to other routes: it takes any there without
a parent (https://github.com/agentgateway/agentgateway, `isDelegatedChildHTTPRoute` and
`buildAgwHTTPDestination` in controller/pkg/agentgateway/translator at v1.4.1).
"""

from charts_py.components.admission_policy import UNCHANGED, Policy, requests, validation
from gpus.platform_names import LABEL_PREFIX


def _is_own(backend: str) -> str:
    namespace = f"{backend}.?namespace.orValue(request.namespace)"
    return f'{backend}.?kind.orValue("Service") != "HTTPRoute" && {namespace} == request.namespace'


def _mirrors_own(holder: str) -> str:
    own = _is_own("filter.?requestMirror.?backendRef")
    return f"{holder}.?filters.orValue([]).all(filter, {own})"


_BACKENDS = f"{_is_own('backend')} && {_mirrors_own('backend')}"
ROUTES = Policy(
    name=f"routes.{LABEL_PREFIX}",
    rule=requests("gateway.networking.k8s.io", "httproutes", version="*"),
    validations=(
        validation(
            f"{UNCHANGED} || size(object.spec.?parentRefs.orValue([])) > 0",
            "An HTTPRoute without parentRefs answers for routes of any namespace that lead to it; "
            "name the Gateway in spec.parentRefs.",
        ),
        validation(
            f"{UNCHANGED} || object.spec.?rules.orValue([]).all(rule, {_mirrors_own('rule')}"
            f" && rule.?backendRefs.orValue([]).all(backend, {_BACKENDS}))",
            "An HTTPRoute leads to Services and InferencePools of its own namespace; name no other "
            "namespace, and no HTTPRoute, in backendRefs and in the backendRef of a requestMirror.",
        ),
    ),
)
