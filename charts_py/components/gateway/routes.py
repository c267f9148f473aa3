"""The policy that keeps the routes of teams in their namespaces.

agentgateway asks no ReferenceGrant where a route leads to other routes: it takes any there without
a parent (https://github.com/agentgateway/agentgateway, `isDelegatedChildHTTPRoute` and
`buildAgwHTTPDestination` in controller/pkg/agentgateway/translator at v1.4.1).
"""

from charts_py.components.admission_policy import UNCHANGED, Policy, requests, validation
from charts_py.platform.interceptor import INTERCEPTOR_SERVICE, KEDA_HTTP_ADD_ON
from gpus.platform_names import LABEL_PREFIX
from policies.cel.text import quote


def _is_own(backend: str) -> str:
    namespace = f"{backend}.?namespace.orValue(request.namespace)"
    return f'{backend}.?kind.orValue("Service") != "HTTPRoute" && {namespace} == request.namespace'


def _mirrors_own(holder: str) -> str:
    own = _is_own("filter.?requestMirror.?backendRef")
    return f"{holder}.?filters.orValue([]).all(filter, {own})"


_BACKENDS = f"{_is_own('backend')} && {_mirrors_own('backend')}"
_INTERCEPTED = " && ".join(
    (
        f'backend.?namespace.orValue("") == {quote(KEDA_HTTP_ADD_ON)}',
        f"backend.name == {quote(INTERCEPTOR_SERVICE)}",
        'backend.?kind.orValue("Service") == "Service"',
        # It knows the service by the hostname, which a filter could change to that of another team.
        "size(backend.?filters.orValue([])) == 0 && size(rule.?filters.orValue([])) == 0",
    )
)


def routes(*, can_sleep: bool) -> Policy:
    """Return the policy of a cluster on which services may be without replicas, or not."""
    backends, besides = _BACKENDS, ""
    if can_sleep:
        backends = f"{_BACKENDS} || {_INTERCEPTED}"
        besides = (
            f" A rule without filters may lead to the Service {INTERCEPTOR_SERVICE} of "
            f"{KEDA_HTTP_ADD_ON}."
        )
    return Policy(
        name=f"routes.{LABEL_PREFIX}",
        rule=requests("gateway.networking.k8s.io", "httproutes", version="*"),
        validations=(
            validation(
                f"{UNCHANGED} || size(object.spec.?parentRefs.orValue([])) > 0",
                "An HTTPRoute without parentRefs answers for routes of any namespace that lead to "
                "it; name the Gateway in spec.parentRefs.",
            ),
            validation(
                f"{UNCHANGED} || object.spec.?rules.orValue([]).all(rule, {_mirrors_own('rule')}"
                f" && rule.?backendRefs.orValue([]).all(backend, {backends}))",
                "An HTTPRoute leads to Services and InferencePools of its own namespace; name no "
                "other namespace, and no HTTPRoute, in backendRefs and in the backendRef of a "
                f"requestMirror.{besides}",
            ),
        ),
    )
