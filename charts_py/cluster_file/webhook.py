"""The admission webhook that applies the policies."""

import base64
import ssl
from typing import Annotated

from pydantic import AfterValidator, Field

from charts_py.cluster_file.bounds import Refused, Unique
from charts_py.cluster_file.charts import DIGEST, PART, REGISTRY, TAG
from charts_py.cluster_file.strict_model import StrictModel
from charts_py.cluster_file.text_forms import Cidr, ObjectName

_BEGIN = "-----BEGIN CERTIFICATE-----"
_END = "-----END CERTIFICATE-----"


def _certificates(text: str) -> str:
    allowed = f"certificates as PEM, each from {_BEGIN} to {_END}"
    *blocks, rest = text.split(_END)
    if rest.strip() or not all(block.strip().startswith(_BEGIN) for block in blocks):
        raise Refused("contains something other than certificates", allowed)
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT).load_verify_locations(cadata=text)
    except (ssl.SSLError, ValueError):
        raise Refused("contains an invalid certificate", allowed) from None
    return text


CertificatesPem = Annotated[
    str, AfterValidator(_certificates), Field(examples=[f"{_BEGIN}\nMIIB...\n{_END}\n"])
]
"""https://www.rfc-editor.org/rfc/rfc7468"""


class GivenCertificate(StrictModel):
    """A serving certificate that somebody else keeps up to date."""

    secret_name: ObjectName
    """Secret of type `kubernetes.io/tls` in the namespace `gpuplane-system`, for the name
    `gpuplane-webhook.gpuplane-system.svc`."""
    ca_bundle: CertificatesPem
    """PEM certificates of its authority, by which the API server and Prometheus verify it."""

    @property
    def ca_bundle_base64(self) -> str:
        """The certificates of its authority, as a webhook configuration holds them."""
        return base64.b64encode(self.ca_bundle.encode()).decode()


CommonName = Annotated[
    str, Field(pattern=r"^[A-Za-z0-9:._@-]{1,64}$", examples=["kube-apiserver-webhooks"])
]
"""`ub-common-name` of https://www.rfc-editor.org/rfc/rfc5280#appendix-A.1"""


class WebhookApiServer(StrictModel):
    """How the webhook distinguishes the API server from everybody else who reaches its port.

    With any of it, probes and metrics have a port of their own, without TLS.
    """

    addresses: Annotated[tuple[Cidr, ...], Unique()] = ()
    """Addresses that it calls webhooks from, as the pods' network shows them: those of the control
    plane's nodes, or what the network plugin replaces them by. The webhook's NetworkPolicy opens
    its port to them alone; by default to everybody. Cilium matches addresses of the cluster's nodes
    only with `policyCIDRMatchMode: nodes`. Where one is missing, GPU pods run without their fixes
    as often as the API server there is asked."""
    client_ca: CertificatesPem | None = None
    """PEM certificates of the authority that signs its client certificate; others get no answer.
    Only where the API server's flags are yours: its `--admission-control-config-file` must name the
    certificate first (docs/webhook.md). Take an authority that signs nothing else, or say
    `clientNames`."""
    client_names: Annotated[tuple[CommonName, ...], Unique()] = ()
    """Common names of its client certificates; by default all that `clientCa` signed are let
    in."""

    @property
    def is_known(self) -> bool:
        """Whether anything distinguishes it from others."""
        return bool(self.addresses or self.client_ca)


class Replicas(StrictModel):
    """How many replicas of the webhook there are."""

    min: int = Field(default=2, ge=2, le=100)
    """Minimum, spread across nodes and zones."""
    max: int = Field(default=6, ge=2, le=100)
    """Maximum, under load."""


class Webhook(StrictModel):
    """The admission webhook that applies the policies."""

    image: str | None = Field(
        default=None,
        pattern=rf"^({REGISTRY}/)?{PART}(/{PART})*(:{TAG}(@{DIGEST})?|@{DIGEST})$",
        examples=["ghcr.io/example/gpuplane-webhook:0.1.0"],
    )
    """Its image, built from the `Dockerfile`, best with its digest (docs/webhook.md). The default,
    `ghcr.io/example/gpuplane-webhook` with gpuplane's version as the tag, is a placeholder that
    cannot be pulled."""
    replicas: Replicas = Replicas()
    """How many replicas there are."""
    certificate: GivenCertificate | None = None
    """Its serving certificate; by default cert-manager issues one."""
    api_server: WebhookApiServer = WebhookApiServer()
    """How it distinguishes the API server from others; by default not at all."""
