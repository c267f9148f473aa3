"""KEDA's HTTP add-on, by which a service without replicas gets one once somebody asks it.

Its interceptor holds requests that the Gateway sends it until a replica is ready, and its scaler
tells KEDA how many there are. The interceptor knows a service by the hostname of a request alone,
and asks nobody who they are: the Gateway is all that reaches it, and policies of the API server
keep each team to its own hostnames. Its operator is left out, since it makes ScaledObjects in any
namespace, and does nothing else for an InterceptorRoute than call it ready.
https://github.com/kedacore/http-add-on
"""

from collections.abc import Iterator
from functools import partial

from charts_py.cluster_file.fault import Problem
from charts_py.components.admission_policy import policy_objects
from charts_py.components.api_server_addresses import check_known_addresses
from charts_py.components.chart import known_chart
from charts_py.components.component import Component
from charts_py.components.definition import Definition
from charts_py.components.keda_http_add_on.network import network_policies, team_policy
from charts_py.components.keda_http_add_on.routes import EXTERNAL_NAMES, interceptor_routes
from charts_py.objects.document import Document
from charts_py.objects.metadata import ObjectMeta, object_of
from charts_py.platform.contribution import (
    Access,
    Contribution,
    PlatformNamespace,
    TeamAdditions,
    Use,
)
from charts_py.platform.draft import Draft
from charts_py.platform.gateway import serving_namespaces
from charts_py.platform.interceptor import INTERCEPTOR_SERVICE, KEDA_HTTP_ADD_ON, ROUTE_GROUP
from charts_py.platform.platform import Platform
from charts_py.platform.wave import Wave
from policies.settings import PodSecurity

_PATH = ("serving", "kedaHttpAddOn")
_CHART = known_chart("keda-add-ons-http")
_GATEWAY_API = "gateway.networking.k8s.io"


def check_others(draft: Draft) -> Iterator[Problem]:
    serving = draft.cluster.serving
    if serving.keda_http_add_on is None:
        return
    if serving.keda is None and draft.is_read(("serving", "keda")):
        yield Problem(
            _PATH, "nothing makes the replicas that it asks for", "only with `serving.keda`"
        )
    if serving.gateway is None and draft.is_read(("serving", "gateway")):
        what = "nothing sends its interceptor requests, which all teams share"
        yield Problem(_PATH, what, "only with `serving.gateway`")
    yield from check_known_addresses(draft, _PATH)


def grant(platform: Platform) -> Document:
    """Return what lets routes of teams lead to the interceptor."""
    own = {"group": _GATEWAY_API, "kind": "HTTPRoute"}
    spec = {
        "from": [{**own, "namespace": each.name} for each in serving_namespaces(platform)],
        "to": [{"group": "", "kind": "Service", "name": INTERCEPTOR_SERVICE}],
    }
    metadata = ObjectMeta(INTERCEPTOR_SERVICE, KEDA_HTTP_ADD_ON)
    return object_of(f"{_GATEWAY_API}/v1", "ReferenceGrant", metadata, {"spec": spec})


def _parts(platform: Platform) -> Iterator[Component]:
    gateway = platform.cluster.serving.gateway
    assert gateway is not None  # noqa: S101 # it is not wanted without
    policies = policy_objects((interceptor_routes(gateway), EXTERNAL_NAMES))
    bounds = (*network_policies(platform), grant(platform), *policies)
    part = partial(Component, wave=Wave.NODES, namespace=KEDA_HTTP_ADD_ON)
    yield part(name=f"{KEDA_HTTP_ADD_ON}-network", objects=lambda: bounds)
    release = _CHART.release(platform, _CHART.stated_values(platform))
    yield part(name=KEDA_HTTP_ADD_ON, wave=Wave.NODE_FEATURES, helm=release)


def _contribution(platform: Platform) -> Contribution:
    added = TeamAdditions(network_policies={"allow-interceptor": team_policy()})
    names = (each.name for each in serving_namespaces(platform))
    return Contribution(teams={name: {KEDA_HTTP_ADD_ON: added} for name in names})


KEDA_HTTP_ADD_ON_DEFINITION = Definition(
    name=KEDA_HTTP_ADD_ON,
    description=__doc__,
    appears="where the cluster asks for it",
    is_wanted=lambda platform: platform.cluster.serving.keda_http_add_on is not None,
    fields=(
        "serving.kedaHttpAddOn",
        "serving.gateway",
        "network.apiServer",
        "network.dnsAddress",
        "teams",
    ),
    depends_on=("keda",),
    # The definitions of Gateway API come in the wave before, too.
    wave=Wave.NODES,
    namespace=PlatformNamespace(KEDA_HTTP_ADD_ON, PodSecurity.RESTRICTED, goes_last=True),
    charts=(_CHART,),
    parts=_parts,
    checks=(check_others,),
    contribution=Contribution(access=(Access(ROUTE_GROUP, ("interceptorroutes",), Use.RUN),)),
    contributes=_contribution,
)
