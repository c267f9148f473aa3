"""The admission webhook's serving certificate."""

from charts_py.cluster_file.policies import WebhookApiServer
from charts_py.components.webhook.certificate import (
    ServingCertificate,
    clients_config_map,
    serving_certificate,
)
from tests.charts_py.fixture_types import Load
from tests.charts_py.managed import managed


def test_a_given_certificate_takes_the_place_of_cert_manager(example: Load) -> None:
    given = example("onprem").cluster.webhook.certificate
    assert given is not None
    config_map = {
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": managed("gpuplane-webhook-authority", "gpuplane-system"),
        "data": {"ca.crt": given.ca_bundle},
    }
    assert serving_certificate(given) == ServingCertificate(
        secret=given.secret_name,
        authority={"configMap": {"name": "gpuplane-webhook-authority", "key": "ca.crt"}},
        objects=(config_map,),
    )


def test_the_authority_of_clients_stands_in_a_config_map() -> None:
    assert list(clients_config_map(WebhookApiServer.model_construct(client_ca="PEM"))) == [
        {
            "apiVersion": "v1",
            "kind": "ConfigMap",
            "metadata": managed("gpuplane-webhook-clients", "gpuplane-system"),
            "data": {"ca.crt": "PEM"},
        }
    ]


def test_there_is_none_where_everybody_is_let_in() -> None:
    assert list(clients_config_map(WebhookApiServer())) == []
