"""A JupyterHub in a team's namespace, which starts notebooks of its users there.

Hub, proxy and notebooks are pods of the team: its quota, admission, Pod Security level and network
policies bound them, and whoever may start pods there may also be the hub. The hub besides reaches
the API server and the identity provider. It makes a pod for each notebook, with what the pools
offer to the namespace.
https://z2jh.jupyter.org
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from charts_py.cluster_file.fault import Fault, Problem
from charts_py.cluster_file.jupyterhub import IdentityProvider, JupyterHub
from charts_py.cluster_file.pool import Purpose
from charts_py.cluster_file.team import IdlePods
from charts_py.components.api_server_addresses import check_known_addresses
from charts_py.components.chart import known_chart
from charts_py.components.component import Component
from charts_py.components.definition import Definition
from charts_py.components.image_registries import allowed_images, refused_images
from charts_py.components.jupyterhub.profiles import profiles
from charts_py.components.team.network_policies import allow_api_server, allow_egress
from charts_py.platform.contribution import Contribution, Controller, TeamAdditions
from charts_py.platform.draft import Draft
from charts_py.platform.gateway import GATEWAY, GATEWAY_NAMESPACE
from charts_py.platform.hubs import hub_listener, hubs
from charts_py.platform.name_rule import check_destinations
from charts_py.platform.platform import Platform, TeamNamespace
from charts_py.platform.policy_settings import policy_settings
from charts_py.platform.wave import Wave
from culling.settings import Action

JUPYTERHUB = "jupyterhub"
"""Name of its chart, of its release, and of what its objects begin with."""
_FIELD = "jupyterHub"
_HUB = {"app.kubernetes.io/name": JUPYTERHUB, "app.kubernetes.io/component": "hub"}
_STOPPED = {
    "hub": "no notebook of its namespace is started or stopped, and nobody logs in",
    "proxy": "nobody reaches the notebooks of its namespace",
}


def check_hubs(draft: Draft) -> Iterator[Problem]:
    """Yield a problem for each hub that is in no namespace of notebooks, or reaches too little."""
    by_hostname: dict[str, str] = {}
    for path, name, namespace in draft.namespaces():
        hub = namespace.jupyter_hub
        if hub is None:
            continue
        if (other := by_hostname.setdefault(hub.hostname, name)) != name:
            what = f'"{hub.hostname}" is that of the hub in {other}, too'
            yield Problem((*path, _FIELD, "hostname"), what, "another name")
        if namespace.purpose is not Purpose.NOTEBOOKS:
            what = f"the purpose of the namespace is {namespace.purpose.value}"
            yield Problem((*path, _FIELD), what, f"only with the purpose {Purpose.NOTEBOOKS.value}")
        yield from check_known_addresses(draft, (*path, _FIELD))
        addresses = hub.identity_provider.addresses
        yield from check_destinations((*path, _FIELD, "identityProvider", "addresses"), addresses)


def refused_notebooks(platform: Platform) -> Iterator[Fault]:
    for namespace, hub in hubs(platform):
        for refused in refused_images(platform, (hub.image,)):
            what = f"admission refuses notebooks with GPUs: {refused} is of no allowed registry"
            path = ("teams", namespace.team_name, "namespaces", namespace.name, _FIELD, "image")
            yield platform.fault(path, what, allowed_images(platform))


def hub_values(platform: Platform, namespace: TeamNamespace, hub: JupyterHub) -> Mapping[str, Any]:
    settings = policy_settings(platform).namespaces[namespace.name]
    return known_chart(JUPYTERHUB).stated_values(
        platform,
        culls=not _ends_idle_pods(platform, namespace),
        image=platform.mirrors.of(hub.image),
        labels=dict(settings.labels),
        login=_login(namespace, hub),
        name=JUPYTERHUB,
        priority_class=settings.default_priority,
        profiles=profiles(platform, namespace),
        route=_route(platform, namespace, hub),
        secret=hub.secret,
        storage=hub.storage,
        storage_class=hub.storage_class,
    )


def _ends_idle_pods(platform: Platform, namespace: TeamNamespace) -> bool:
    idle_gpus = platform.cluster.addons.idle_gpus
    ends = idle_gpus is not None and idle_gpus.action is Action.END
    return ends and namespace.spec.idle_pods is IdlePods.END


def _route(
    platform: Platform, namespace: TeamNamespace, hub: JupyterHub
) -> Mapping[str, Any] | None:
    """Return what has the Gateway lead requests to the hub; None without one."""
    if platform.cluster.serving.gateway is None:
        return None
    section = hub_listener(namespace.name)
    gateway = {"name": GATEWAY, "namespace": GATEWAY_NAMESPACE, "sectionName": section}
    return {"enabled": True, "hostnames": [hub.hostname], "gateway": gateway}


def _login(namespace: TeamNamespace, hub: JupyterHub) -> Mapping[str, Any]:
    """Return the traits of GenericOAuthenticator; the environment has the client's secret.

    https://github.com/jupyterhub/oauthenticator/blob/17.4.0/oauthenticator/oauth2.py
    """
    provider, members = hub.identity_provider, namespace.team.members
    return {
        "authorize_url": provider.authorize_url,
        "token_url": provider.token_url,
        "userdata_from_id_token": True,
        "oauth_callback_url": f"https://{hub.hostname}/hub/oauth_callback",
        "client_id": provider.client_id,
        "scope": list(provider.scopes),
        "username_claim": provider.username_claim,
        "manage_groups": True,
        "auth_state_groups_key": f"oauth_user.{provider.groups_claim}",
        "allowed_groups": _in_tokens(provider, (*members.users, *members.admins)),
        "admin_groups": _in_tokens(provider, members.admins),
    }


def _in_tokens(provider: IdentityProvider, groups: Iterable[str]) -> list[str]:
    """Return groups without what the API server puts before them; it knows others by no token."""
    prefix = provider.groups_prefix
    return [group.removeprefix(prefix) for group in groups if group.startswith(prefix)]


def _parts(platform: Platform) -> Iterator[Component]:
    chart = known_chart(JUPYTERHUB)
    for namespace, hub in hubs(platform):
        release = chart.release(platform, hub_values(platform, namespace, hub))
        yield Component(
            name=f"{JUPYTERHUB}-{namespace.name}",
            wave=Wave.EXTENSIONS,
            namespace=namespace.name,
            # With the namespace's, its name would be longer than Helm takes.
            helm=replace(release, name=JUPYTERHUB),
        )


def _contribution(platform: Platform) -> Contribution:
    controllers, teams = list[Controller](), dict[str, Mapping[str, TeamAdditions]]()
    for namespace, hub in hubs(platform):
        for each, effect in _STOPPED.items():
            controllers.append(Controller(namespace.name, f"{JUPYTERHUB}-{each}", effect))
        added = TeamAdditions(network_policies={f"allow-{JUPYTERHUB}": _reached(platform, hub)})
        teams[namespace.name] = {JUPYTERHUB: added}
    return Contribution(controllers=tuple(controllers), teams=teams)


def _reached(platform: Platform, hub: JupyterHub) -> Mapping[str, Any]:
    """Return the `spec` of a NetworkPolicy: what the hub reaches besides pods of its team."""
    to_api_server = allow_api_server(platform.cluster.network.api_server)
    to_provider = allow_egress(hub.identity_provider.addresses)
    rules = [*to_api_server["egress"], *to_provider["egress"]]
    return {**to_provider, "podSelector": {"matchLabels": _HUB}, "egress": rules}


JUPYTERHUB_DEFINITION = Definition(
    name=JUPYTERHUB,
    description=__doc__,
    appears="once a namespace that asks for it",
    is_wanted=lambda platform: any(hubs(platform)),
    fields=(
        "teams",
        "pools",
        "priorities",
        "network.apiServer",
        "serving.gateway",
        "addons.idleGpus",
        "policies.runtimeClass",
        "policies.sharedMemory",
        "queues",
    ),
    depends_on=("team", "agentgateway"),
    wave=Wave.EXTENSIONS,
    charts=(known_chart(JUPYTERHUB),),
    parts=_parts,
    checks=(check_hubs,),
    warnings=refused_notebooks,
    contributes=_contribution,
)
