"""The Deployment of the admission webhook's server, its Service, NetworkPolicy and replicas."""

from collections.abc import Iterable, Iterator, Mapping

from charts_py.cluster_file.policies import Webhook
from charts_py.components.network_rules import from_api_server, from_namespaces
from charts_py.components.object_table import read_objects
from charts_py.components.webhook.certificate import client_arguments, clients_mount, clients_volume
from charts_py.components.webhook.server import (
    NAME,
    NAMESPACE,
    OPERATIONS_PORT,
    OPERATIONS_PORT_NAME,
    PORT,
    PORT_NAME,
    SELECTOR,
    SERVICE_PORT,
    SETTINGS_CONFIG_MAP,
    SETTINGS_KEY,
    restricted_pod,
)
from charts_py.objects.document import Document
from charts_py.objects.pods import secret_references


def server_objects(
    webhook: Webhook,
    *,
    image: str,
    priority_class: str,
    certificate_secret: str,
    collectors: Iterable[str],
    resources: Mapping[str, Mapping[str, str]],
    pull_secret_names: Iterable[str] = (),
) -> Iterator[Document]:
    api_server = webhook.api_server
    is_apart = api_server.is_restricted
    ports = {PORT_NAME: PORT, **({OPERATIONS_PORT_NAME: OPERATIONS_PORT} if is_apart else {})}
    for each in read_objects(
        __package__,
        "server",
        **restricted_pod(),
        name=NAME,
        namespace=NAMESPACE,
        labels=dict(SELECTOR),
        pull_secrets=secret_references(pull_secret_names),
        image=image,
        resources={kind: dict(amounts) for kind, amounts in resources.items()},
        priority_class=priority_class,
        port=PORT,
        settings_config_map=SETTINGS_CONFIG_MAP,
        settings_key=SETTINGS_KEY,
        certificate_secret=certificate_secret,
        clients_mount=clients_mount(api_server),
        clients_volume=clients_volume(api_server),
        container_ports=[
            {"name": name, "containerPort": port, "protocol": "TCP"} for name, port in ports.items()
        ],
        service_ports=[
            {
                "name": name,
                "port": SERVICE_PORT if port == PORT else port,
                "targetPort": name,
                "protocol": "TCP",
            }
            for name, port in ports.items()
        ],
        # The kubelet shows no certificate.
        probe_port=OPERATIONS_PORT_NAME if is_apart else PORT_NAME,
        probe_scheme="HTTP" if is_apart else "HTTPS",
        reviews=from_api_server(api_server.addresses, PORT),
        collected=from_namespaces(collectors, OPERATIONS_PORT) if is_apart else None,
        min_replicas=webhook.replicas.min,
        max_replicas=webhook.replicas.max,
    ):
        if each["kind"] == "Deployment":
            (container,) = each["spec"]["template"]["spec"]["containers"]
            container["args"] += client_arguments(api_server)
            container["args"] += [f"--operations-port={OPERATIONS_PORT}"] if is_apart else []
        yield each
