"""How pods of teams reach a model registry."""

from typing import Any

import pytest

from tests.charts_py.components.opened import at, in_namespace, tcp
from tests.charts_py.fixture_types import PlatformWith

SERVER = """    server:
      artifacts: {bucket: s3://example-models/mlflow, addresses: [10.20.0.0/16]}
      serviceAccount: {eks.amazonaws.com/role-arn: "arn:aws:iam::111122223333:role/mlflow"}
"""
OWN = {
    **in_namespace("mlflow"),
    "podSelector": {"matchLabels": {"app.kubernetes.io/name": "mlflow"}},
}


@pytest.mark.parametrize(
    ("stated", "rule"),
    [
        (SERVER, {"to": [OWN], "ports": tcp(5000)}),
        (
            "    uri: http://mlflow.tools.svc:5000\n",
            {"to": [in_namespace("tools")], "ports": [{"protocol": "TCP"}]},
        ),
        (
            "    {uri: https://mlflow.example.com, addresses: [192.0.2.0/28]}\n",
            {"to": at("192.0.2.0/28"), "ports": tcp(443)},
        ),
        ("    uri: http://192.0.2.7:5000\n", {"to": at("192.0.2.7/32"), "ports": tcp(5000)}),
        ("    uri: https://mlflow.example.com\n", None),
    ],
)
def test_every_namespace_of_a_team_reaches_it_where_that_is_known(
    platform_after: PlatformWith, stated: str, rule: dict[str, Any] | None
) -> None:
    platform = platform_after("model-registry", (SERVER, stated))
    added = {
        name: parts["model-registry"].network_policies
        for name, parts in platform.contribution.teams.items()
        if "model-registry" in parts
    }
    spec = {"podSelector": {}, "policyTypes": ["Egress"], "egress": [rule]}
    names = ("research-serving", "research-training") if rule else ()
    assert added == {name: {"allow-model-registry": spec} for name in names}
