"""The Gateway of a cluster that serves, as the API server keeps it."""

from tests.e2e.claims.cluster import rendered
from tests.e2e.serving.cluster import ServingCluster

OF_THE_GATEWAY = ("AgentgatewayParameters", "Certificate", "Gateway")


def test_the_api_server_keeps_the_gateway_as_it_is_rendered(serving: ServingCluster) -> None:
    for each in rendered(serving.platform, "gateway"):
        if each["kind"] in OF_THE_GATEWAY:
            metadata = each["metadata"]
            place = each["apiVersion"], each["kind"], metadata["name"], metadata["namespace"]
            assert serving.admin.get(*place)["spec"] == each["spec"]
