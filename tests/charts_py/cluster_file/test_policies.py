import pytest

from charts_py.cluster_file.policies import GivenCertificate, Replicas, Webhook, WebhookApiServer
from tests.charts_py.fixture_types import FaultsOf, PlatformWith

# Of an authority whose key was thrown away.
PEM = """\
-----BEGIN CERTIFICATE-----
MIIBdjCCARugAwIBAgIUdJKtLKXgNZ8pqrpSiLAhoPO8t64wCgYIKoZIzj0EAwIw
DzENMAsGA1UEAwwEdGVzdDAgFw0yNjExMjEwODM3NTdaGA8yMTI2MTAyODA4Mzc1
N1owDzENMAsGA1UEAwwEdGVzdDBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABHp7
t5wNIsSyyTPqI4qA96IEK7Zp8xrwTv87OuBoYTZM6zRj4Z0Mqy/Ms5XgXUtP7Afz
IMQLgFSFxocLMu8DfpujUzBRMB0GA1UdDgQWBBTXVqjIiZqvDXGhXu1XAJbpV+zs
mjAfBgNVHSMEGDAWgBTXVqjIiZqvDXGhXu1XAJbpV+zsmjAPBgNVHRMBAf8EBTAD
AQH/MAoGCCqGSM49BAMCA0kAMEYCIQDRsldko+gquhbsPzuVA5McOtpdH+ajIy88
z3BgX/QvBQIhAPUHZqeevZluv2BlnvXNWyMU0lSIshMGgPvXqC8e1vgk
-----END CERTIFICATE-----
"""


def _indented(text: str) -> str:
    return "".join(f"      {line}\n" for line in text.splitlines())


def _certificate(pem: str) -> str:
    return (
        "webhook:\n  certificate:\n    secretName: webhook-tls\n    caBundle: |\n"
        f"{_indented(pem)}policies:\n"
    )


def test_the_webhook_has_two_to_six_replicas_of_its_own_image_unless_told_otherwise(
    platform_after: PlatformWith,
) -> None:
    assert platform_after("eks").cluster.webhook == Webhook(
        image=None, replicas=Replicas(min=2, max=6), certificate=None
    )


def test_a_given_certificate_names_its_secret_and_its_authority(
    platform_after: PlatformWith,
) -> None:
    platform = platform_after("eks", ("policies:\n", _certificate(PEM)))
    given = GivenCertificate.model_construct(secret_name="webhook-tls", ca_bundle=PEM)  # noqa: S106 # a name
    assert platform.cluster.webhook.certificate == given


@pytest.mark.parametrize(
    ("pem", "what"),
    [
        (PEM.replace("CERTIFICATE", "PRIVATE KEY"), "something other than certificates"),
        ("LS0tLS1CRUdJTi==", "something other than certificates"),
        (f"{PEM}and more", "something other than certificates"),
        (PEM.replace("MII", "MIX"), "an invalid certificate"),
        (PEM.replace("BEGIN", "BEGINNING"), "something other than certificates"),
    ],
)
def test_what_is_not_a_certificate_is_refused(faults_after: FaultsOf, pem: str, what: str) -> None:
    assert faults_after("eks", ("policies:\n", _certificate(pem))) == (
        f"sample.yaml:67: webhook.certificate.caBundle: contains {what}; allowed: "
        "certificates as PEM, each from -----BEGIN CERTIFICATE----- to -----END CERTIFICATE-----"
    )


@pytest.mark.parametrize("image", ["gpuplane-webhook", "ghcr.io:5000/gpuplane", "Registry/x:1"])
def test_an_image_has_a_tag_or_a_digest(faults_after: FaultsOf, image: str) -> None:
    fault = faults_after("eks", ("policies:\n", f"webhook:\n  image: {image}\npolicies:\n"))
    assert fault.startswith(f'sample.yaml:65: webhook.image: "{image}"'), fault


def test_one_replica_is_none_when_its_node_goes(faults_after: FaultsOf) -> None:
    text = "webhook:\n  replicas: {min: 1}\npolicies:\n"
    assert faults_after("eks", ("policies:\n", text)) == (
        "sample.yaml:65: webhook.replicas.min: 1 is out of bounds; allowed: a whole number, at "
        "least 2, at most 100"
    )


def test_the_api_server_is_known_by_addresses_and_by_its_certificate(
    platform_after: PlatformWith,
) -> None:
    platform = platform_after("onprem")
    assert platform.cluster.webhook.api_server == WebhookApiServer.model_construct(
        addresses=("192.0.2.0/28",), client_ca=PEM, client_names=("kube-apiserver-webhooks",)
    )


@pytest.mark.parametrize(
    ("api_server", "is_restricted"),
    [
        (WebhookApiServer(), False),
        (WebhookApiServer(addresses=("192.0.2.0/28",)), True),
        (WebhookApiServer.model_construct(client_ca=PEM), True),
    ],
)
def test_any_sign_of_the_api_server_tells_it_from_others(
    api_server: WebhookApiServer, is_restricted: bool
) -> None:
    assert api_server.is_restricted is is_restricted
