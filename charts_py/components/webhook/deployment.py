"""The Deployment of the admission webhook's server, its Service, NetworkPolicy and replicas."""

from collections.abc import Iterable
from typing import Any

from charts_py.cluster_file.policies import Replicas, WebhookApiServer
from charts_py.components.network_rules import from_api_server, from_namespaces
from charts_py.components.webhook.certificate import client_arguments, client_mounts, client_volumes
from charts_py.components.webhook.server import (
    METADATA,
    NAME,
    OPERATIONS_PORT,
    OPERATIONS_PORT_NAME,
    PORT,
    PORT_NAME,
    SELECTOR,
    SERVICE_PORT,
    SETTINGS_CONFIG_MAP,
    SETTINGS_KEY,
    container_security,
    pod_fields,
)
from charts_py.objects.document import Document
from charts_py.objects.metadata import object_of
from charts_py.objects.pods import pull_secrets

_CPU_PERCENT = 70
"""Target CPU use of the autoscaler, in percent of what the pods request."""
_SETTINGS = "/etc/gpuplane/settings"
_CERTIFICATE = "/etc/gpuplane/certificate"
_TEMPORARY = "/tmp"  # noqa: S108 # a volume of the pod's own
_GRACE_SECONDS = 30
"""Six times what the server drains after SIGTERM, before it finishes what is under way."""


def service_account() -> Document:
    return object_of("v1", "ServiceAccount", METADATA, {"automountServiceAccountToken": False})


def deployment(
    *,
    image: str,
    priority_class: str,
    certificate_secret: str,
    api_server: WebhookApiServer,
    pull_secret_names: Iterable[str] = (),
) -> Document:
    """Return a Deployment that meets the restricted Pod Security Standard.

    The autoscaler decides how many replicas there are, so that the Deployment says nothing of it.
    Pods are never replaced before their successors are ready.
    """
    pod = {
        **pull_secrets(pull_secret_names),
        **_pod(image, priority_class, certificate_secret, api_server),
    }
    spec = {
        "selector": {"matchLabels": dict(SELECTOR)},
        "strategy": {"rollingUpdate": {"maxSurge": 1, "maxUnavailable": 0}},
        "template": {"metadata": {"labels": dict(SELECTOR)}, "spec": pod},
    }
    return object_of("apps/v1", "Deployment", METADATA, {"spec": spec})


def _pod(
    image: str, priority_class: str, certificate_secret: str, api_server: WebhookApiServer
) -> dict[str, Any]:
    return {
        "serviceAccountName": NAME,
        "automountServiceAccountToken": False,
        "priorityClassName": priority_class,
        "terminationGracePeriodSeconds": _GRACE_SECONDS,
        **pod_fields(),
        "topologySpreadConstraints": [
            _spread("kubernetes.io/hostname", "DoNotSchedule"),
            _spread("topology.kubernetes.io/zone", "ScheduleAnyway"),
        ],
        "containers": [_container(image, api_server)],
        "volumes": [*_volumes(certificate_secret), *client_volumes(api_server)],
    }


def _spread(topology_key: str, when_unsatisfiable: str) -> dict[str, Any]:
    return {
        "maxSkew": 1,
        "topologyKey": topology_key,
        "whenUnsatisfiable": when_unsatisfiable,
        "labelSelector": {"matchLabels": dict(SELECTOR)},
        # By default a tainted node, on which no pod of ours can run, counts as one without any, and
        # then no other may take a second
        # (https://kubernetes.io/docs/concepts/scheduling-eviction/topology-spread-constraints/).
        "nodeTaintsPolicy": "Honor",
        # Only pods of the same version are counted, so that a roll-out ends as spread as it began.
        "matchLabelKeys": ["pod-template-hash"],
    }


def _container(image: str, api_server: WebhookApiServer) -> dict[str, Any]:
    operations = [f"--operations-port={OPERATIONS_PORT}"] if api_server.is_restricted else []
    return {
        "name": "webhook",
        "image": image,
        "args": [
            "serve",
            f"--port={PORT}",
            f"--settings={_SETTINGS}/{SETTINGS_KEY}",
            f"--certificate={_CERTIFICATE}/tls.crt",
            f"--key={_CERTIFICATE}/tls.key",
            *client_arguments(api_server),
            *operations,
        ],
        "ports": _ports(api_server),
        **_probes(api_server),
        "resources": {
            "requests": {"cpu": "200m", "memory": "256Mi"},
            "limits": {"cpu": "1", "memory": "512Mi"},
        },
        "securityContext": container_security(),
        "volumeMounts": [
            {"name": "settings", "mountPath": _SETTINGS, "readOnly": True},
            {"name": "certificate", "mountPath": _CERTIFICATE, "readOnly": True},
            {"name": "temporary", "mountPath": _TEMPORARY},
            *client_mounts(api_server),
        ],
    }


def _ports(api_server: WebhookApiServer) -> list[dict[str, Any]]:
    ports = {PORT_NAME: PORT}
    if api_server.is_restricted:
        ports[OPERATIONS_PORT_NAME] = OPERATIONS_PORT
    return [
        {"name": name, "containerPort": port, "protocol": "TCP"} for name, port in ports.items()
    ]


def _probes(api_server: WebhookApiServer) -> dict[str, Any]:
    live, ready = _probe("/livez", api_server), _probe("/readyz", api_server)
    return {
        "startupProbe": {**live, "periodSeconds": 1, "failureThreshold": 60},
        "livenessProbe": {**live, "periodSeconds": 10, "failureThreshold": 6},
        "readinessProbe": {**ready, "periodSeconds": 5, "failureThreshold": 2},
    }


def _probe(path: str, api_server: WebhookApiServer) -> dict[str, Any]:
    port = {"port": PORT_NAME, "scheme": "HTTPS"}
    if api_server.is_restricted:  # the kubelet shows no certificate
        port = {"port": OPERATIONS_PORT_NAME, "scheme": "HTTP"}
    return {"httpGet": {"path": path, **port}, "timeoutSeconds": 2}


def _volumes(certificate_secret: str) -> list[dict[str, Any]]:
    secret = {"secretName": certificate_secret, "defaultMode": 0o440}
    return [
        {"name": "settings", "configMap": {"name": SETTINGS_CONFIG_MAP}},
        {"name": "certificate", "secret": secret},
        {"name": "temporary", "emptyDir": {"sizeLimit": "64Mi"}},
    ]


def service(api_server: WebhookApiServer) -> Document:
    """Return the Service that the API server calls, and by which Prometheus finds the pods."""
    ports = [_service_port(PORT_NAME, SERVICE_PORT)]
    if api_server.is_restricted:
        ports.append(_service_port(OPERATIONS_PORT_NAME, OPERATIONS_PORT))
    spec = {"selector": dict(SELECTOR), "ports": ports}
    return object_of("v1", "Service", METADATA, {"spec": spec})


def network_policy(api_server: WebhookApiServer, collectors: Iterable[str]) -> Document:
    """Return a NetworkPolicy that opens one port, to the API server where its addresses are known.

    Elsewhere to everybody: it calls from an address that differs by provider and may change. Where
    anything is known of it, Prometheus, in the namespaces of collectors, reads metrics at a port of
    their own. The kubelet needs no rule: a pod is always reached from its own node
    (https://kubernetes.io/docs/concepts/services-networking/network-policies/). No rule makes a
    call, so that nothing leads out.
    """
    spec = {
        "podSelector": {"matchLabels": dict(SELECTOR)},
        "policyTypes": ["Ingress", "Egress"],
        "ingress": _ingress(api_server, collectors),
    }
    return object_of("networking.k8s.io/v1", "NetworkPolicy", METADATA, {"spec": spec})


def _ingress(api_server: WebhookApiServer, collectors: Iterable[str]) -> list[dict[str, Any]]:
    reviews = from_api_server(api_server.addresses, PORT)
    if not api_server.is_restricted:
        return [reviews]
    return [reviews, from_namespaces(collectors, OPERATIONS_PORT)]


def _service_port(name: str, number: int) -> dict[str, Any]:
    return {"name": name, "port": number, "targetPort": name, "protocol": "TCP"}


def autoscaler(replicas: Replicas) -> Document:
    target = {"type": "Utilization", "averageUtilization": _CPU_PERCENT}
    spec = {
        "scaleTargetRef": {"apiVersion": "apps/v1", "kind": "Deployment", "name": NAME},
        "minReplicas": replicas.min,
        "maxReplicas": replicas.max,
        "metrics": [{"type": "Resource", "resource": {"name": "cpu", "target": target}}],
    }
    return object_of("autoscaling/v2", "HorizontalPodAutoscaler", METADATA, {"spec": spec})


def disruption_budget() -> Document:
    spec = {
        "maxUnavailable": 1,
        "selector": {"matchLabels": dict(SELECTOR)},
        # A pod that is not ready serves nobody, and must not hold up a node's drain.
        "unhealthyPodEvictionPolicy": "AlwaysAllow",
    }
    return object_of("policy/v1", "PodDisruptionBudget", METADATA, {"spec": spec})
