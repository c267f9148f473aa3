"""The objects of culling: its rounds, its rights, whom it reaches, and its settings."""

from collections.abc import Iterable, Iterator
from functools import cache
from ipaddress import ip_address
from typing import Any
from urllib.parse import urlsplit

from charts_py.cluster_file.fault import RenderError
from charts_py.cluster_file.team import IdlePods
from charts_py.components.access import account_subject, cluster_role, policy_rule, role_binding
from charts_py.components.gpu_usage.definition import GPU_IDLE, usage_alert
from charts_py.components.network_rules import in_namespace, tcp
from charts_py.components.object_table import read_objects
from charts_py.components.team.network_policies import allow_api_server, allow_dns
from charts_py.components.webhook.server import restricted_pod
from charts_py.objects.document import Document
from charts_py.objects.metadata import ObjectMeta, object_of
from charts_py.objects.pods import secret_references
from charts_py.platform.contribution import PlatformNamespace
from charts_py.platform.platform import Platform
from culling.settings import Action, Queries, Settings, write_settings
from policies.settings import PodSecurity

NAME = "gpuplane-cull"
"""Name of its objects, where there is one of a kind."""
NAMESPACE = "gpuplane-culling"
OWN_NAMESPACE = PlatformNamespace(NAMESPACE, PodSecurity.RESTRICTED)
SELECTOR = {"app.kubernetes.io/name": NAME}
"""Labels of its pods."""
METADATA = ObjectMeta(NAME, NAMESPACE, labels=SELECTOR)
_SCALED = {
    "apps": ("deployments", "replicasets", "statefulsets"),
    "leaderworkerset.x-k8s.io": ("leaderworkersets",),
}
"""Culling scales these to 0, by API group."""
_DEFAULT_PORTS = {"http": 80, "https": 443}
SETTINGS_KEY = "settings.json"
_FRESH_SECONDS = 180
"""Two evaluations at the interval of a minute, which is Prometheus' default, and one to spare."""
_ON_ROW = "on (node, UUID, gpu_id, GPU_I_ID, namespace, pod)"


def cron_job(image: str, pull_secret_names: Iterable[str]) -> Document:
    (job,) = read_objects(
        __package__,
        "cron_job",
        **restricted_pod(),
        name=NAME,
        namespace=NAMESPACE,
        labels=SELECTOR,
        image=image,
        pull_secrets=secret_references(pull_secret_names),
        settings_key=SETTINGS_KEY,
    )
    return job


def access(action: Action, namespaces: Iterable[str]) -> Iterator[Document]:
    yield object_of("v1", "ServiceAccount", METADATA, {"automountServiceAccountToken": False})
    rules = [*_read(), *(_end() if action is Action.END else ())]
    yield cluster_role(NAME, rules)
    for namespace in namespaces:
        yield role_binding(ObjectMeta(NAME, namespace), NAME, [account_subject(NAME, NAMESPACE)])


def _read() -> Iterator[dict[str, Any]]:
    yield policy_rule("", ("pods",), "get", "list")
    yield policy_rule("", ("events",), "create")
    yield policy_rule("batch", ("jobs",), "get")
    yield policy_rule("kubeflow.org", ("notebooks",), "get")
    for group, resources in _SCALED.items():
        yield policy_rule(group, resources, "get")


def _end() -> Iterator[dict[str, Any]]:
    yield policy_rule("", ("pods/eviction",), "create")
    yield policy_rule("kubeflow.org", ("notebooks",), "patch")
    for group, resources in _SCALED.items():
        yield policy_rule(group, resources, "patch")


def network_policy(platform: Platform, prometheus_url: str) -> Document:
    """Return a NetworkPolicy that lets nobody in, and out where a round has to go."""
    network = platform.cluster.network
    specs = (
        allow_dns(platform.provider.dns_pods, network.dns_address),
        allow_api_server(network.api_server),
    )
    spec = {
        "podSelector": {"matchLabels": SELECTOR},
        "policyTypes": ["Ingress", "Egress"],
        "egress": [*(rule for each in specs for rule in each["egress"]), _rule(prometheus_url)],
    }
    return object_of("networking.k8s.io/v1", "NetworkPolicy", METADATA, {"spec": spec})


def _rule(url: str) -> dict[str, Any]:
    """Return the rule of a network policy that lets rounds reach Prometheus.

    It opens all ports of a Service's namespace, since a Service can have another port than its
    pods; an address; or else the port anywhere, since a rule knows no names.
    """
    parts = urlsplit(url)
    ports = tcp([parts.port or _DEFAULT_PORTS[parts.scheme]])
    host = parts.hostname or ""
    if cidr := _cidr(host):
        return {"to": [{"ipBlock": {"cidr": cidr}}], "ports": ports}
    if namespace := _namespace(host):
        return {"to": [in_namespace(namespace)], "ports": [{"protocol": "TCP"}]}
    return {"ports": ports}


def _cidr(host: str) -> str | None:
    try:
        address = ip_address(host)
    except ValueError:
        return None
    return f"{address}/{address.max_prefixlen}"


def _namespace(host: str) -> str | None:
    """Return the namespace of a Service, as of `prometheus.monitoring.svc.cluster.local`."""
    match host.split("."):
        case [_, namespace] | [_, namespace, "svc", *_]:
            return namespace
    return None


@cache
def queries() -> Queries:
    # What the alert fires by, as long as Prometheus goes on to record it.
    last_used = "time() - timestamp(gpu:gpuplane_last_used:timestamp_seconds)"
    idle = f"({usage_alert(GPU_IDLE).expression}) and {last_used} < {_FRESH_SECONDS}"
    size = f"(gpu:gpuplane_size:gpus and {_ON_ROW} ({idle}))"
    # A team whose pods are scraped can report GPUs that do not exist, and name a pod of others.
    on_its_nodes = "and on (namespace, pod, node) pod:gpuplane_allocated_gpus:sum"
    not_idle = f'(gpu:gpuplane_size:gpus{{pod!=""}} unless {_ON_ROW} ({idle}))'
    # The idle GPUs of pods all of whose GPUs are idle, on the nodes where they hold GPUs.
    idle_alone = f"{size} {on_its_nodes} unless on (namespace, pod) {not_idle}"
    return Queries(
        idle_gpus=f"sum by (namespace, pod) ({idle_alone})",
        idle_minutes=f"min by (namespace, pod) ({idle})",
        held_gpus="sum by (namespace, pod) (pod:gpuplane_allocated_gpus:sum)",
        capacity="sum(pool:gpuplane_capacity_gpus:sum)",
    )


def settings_config_map(platform: Platform) -> Document:
    return object_of(
        "v1", "ConfigMap", METADATA, {"data": {SETTINGS_KEY: write_settings(settings(platform))}}
    )


def settings(platform: Platform) -> Settings:
    """Return the settings of culling; raises RenderError without what the checks ask for."""
    addons = platform.cluster.addons
    if addons.idle_gpus is None or addons.monitoring.prometheus_url is None:
        raise RenderError("addons.idleGpus needs addons.monitoring.prometheusUrl")
    return Settings(
        prometheus_url=addons.monitoring.prometheus_url,
        namespaces=culled_namespaces(platform),
        action=addons.idle_gpus.action,
        max_percent=addons.idle_gpus.max_percent,
        queries=queries(),
    )


def culled_namespaces(platform: Platform) -> tuple[str, ...]:
    found = (each for each in platform.namespaces if each.spec.idle_pods is IdlePods.END)
    return tuple(each.name for each in found)
