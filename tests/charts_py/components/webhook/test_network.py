"""How the admission webhook's server is reached."""

from charts_py.components.webhook.network import network_policy, service

PODS = {"app.kubernetes.io/name": "gpuplane-webhook"}


def test_the_service_is_reached_at_the_port_of_https() -> None:
    assert service()["spec"] == {
        "selector": PODS,
        "ports": [{"name": "https", "port": 443, "targetPort": "https", "protocol": "TCP"}],
    }


def test_one_port_is_open_and_nothing_leads_out() -> None:
    assert network_policy()["spec"] == {
        "podSelector": {"matchLabels": PODS},
        "policyTypes": ["Ingress", "Egress"],
        "ingress": [{"ports": [{"port": 10250, "protocol": "TCP"}]}],
    }
