"""What the admission policies do on this cluster, and the webhook that applies them."""

import base64
import datetime as dt
import ssl
from enum import StrEnum
from typing import Annotated, TypeAlias

from pydantic import AfterValidator, Field, WithJsonSchema

from charts_py.cluster_file.gitops import DIGEST, PART, REGISTRY, TAG
from charts_py.cluster_file.quantity import Quantity
from charts_py.cluster_file.strict_model import Refused, StrictModel, Unique, added_later
from charts_py.cluster_file.text_forms import (
    Cidr,
    Group,
    MailAddress,
    NamespaceName,
    ObjectName,
    RegistryPrefix,
    ServiceAccount,
    UserName,
)
from policies.custom_rule import CustomAudience, CustomSeverity
from policies.quantity import format_bytes
from policies.rule_name import Mode, RuleName
from policies.settings import MAX_GRACE_PERIOD_SECONDS, SharedMemorySettings, UnequalGpus

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

    Where the file states any of these fields, probes and metrics have a port of their own, without
    TLS.
    """

    addresses: Annotated[tuple[Cidr, ...], Unique()] = ()
    """Addresses that the API server calls webhooks from, as the pods' network shows them: those of
    the control plane's nodes, or what the network plugin replaces them by. The webhook's
    NetworkPolicy opens its port to them alone; by default to everybody. Cilium matches addresses of
    the cluster's nodes only with `policyCIDRMatchMode: nodes`. If one is missing, the webhook never
    sees the pods that are created through the API server there, and they run without their
    fixes."""
    client_ca: CertificatesPem | None = None
    """PEM certificates of the authority that signs its client certificate; others get no answer.
    Only where the API server's flags are yours: its `--admission-control-config-file` must name the
    certificate first (docs/webhook.md). Take an authority that signs nothing else, or say
    `clientNames`."""
    client_names: Annotated[tuple[CommonName, ...], Unique()] = ()
    """Common names of the API server's client certificates; by default every certificate that
    `clientCa` signed is let in."""

    @property
    def is_restricted(self) -> bool:
        """Whether anything distinguishes the API server from others who reach the port."""
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


OWN_NAME = r"^[a-z][a-z0-9]*(-[a-z0-9]+)*$"
"""Names of rules of the platform team's own."""
_OWN = {"pattern": OWN_NAME, "examples": ["no-host-network"]}
StatedRule: TypeAlias = Annotated[
    str, WithJsonSchema({"type": "string", "anyOf": [{"enum": [*RuleName]}, _OWN]})
]
"""The checks of the whole file report a name that no rule has."""


class CustomRule(StrictModel):
    """A rule of the platform team's own, in CEL; docs/own-rules.md says what CEL may call."""

    expression: str
    """What is true of a pod that passes: CEL that reads `object`, the pod, `request.namespace` and
    `request.operation`, and returns a bool."""
    message: str | None = None
    """The message to the author of a pod that does not pass; a line."""
    message_expression: str | None = None
    """CEL that returns the message, instead of `message`."""
    severity: CustomSeverity = CustomSeverity.REFUSE
    """What happens to a pod that does not pass: `refuse` it, or `warn` its author."""
    audience: CustomAudience = CustomAudience.GPU_PODS
    """Pods that it looks at: `gpu-pods`, those that ask for a GPU, or `all-pods`."""
    apply: str | None = None
    """CEL that returns what makes a new pod pass, from Kubernetes 1.36 on: a list of operations of
    a JSON Patch, maps with `op` (`add`, `replace` or `remove`), `path` and `value`."""


class Admission(StrEnum):
    """Who fixes and judges pods at admission: the webhook, policies in the API server, or both."""

    BACKSTOP = "backstop"
    """The webhook fixes, and is passed over where it does not answer; the API server judges by
    policies of its own, always."""
    WEBHOOK_ONLY = "webhook-only"
    """The webhook fixes and judges, and is passed over where it does not answer."""
    IN_TREE_ONLY = "in-tree-only"
    """The API server fixes and judges by policies of its own; there is no webhook."""

    @property
    def has_webhook(self) -> bool:
        return self is not Admission.IN_TREE_ONLY

    @property
    def has_policies(self) -> bool:
        return self is not Admission.WEBHOOK_ONLY


MAX_USER = 2**31 - 1
"""https://kubernetes.io/docs/reference/kubernetes-api/workload-resources/pod-v1/#security-context-1"""
_SHARED_MEMORY = SharedMemorySettings()


class SharedMemory(StrictModel):
    """How `/dev/shm` is sized in a GPU pod that does not mount one itself."""

    fraction: float = Field(default=_SHARED_MEMORY.fraction, gt=0, le=1)
    """Fraction of the memory limit of a container with a GPU, of several the largest; what is
    written there counts towards the limit of the container that writes."""
    floor: Quantity = format_bytes(_SHARED_MEMORY.floor)
    """Minimum size."""
    cap: Quantity = format_bytes(_SHARED_MEMORY.cap)
    """Maximum size."""
    default: Quantity = format_bytes(_SHARED_MEMORY.default)
    """Size where neither that container nor the pod has a memory limit."""


class PolicyException(StrictModel):
    """A temporary exception from a rule in one namespace."""

    rule: StatedRule
    """Rule that is not applied."""
    namespace: NamespaceName
    """Namespace where it is not applied."""
    reason: str = Field(min_length=8)
    """Reason for the exception."""
    owner: MailAddress
    """Email address of the person who asked for it."""
    expires: dt.date
    """Last day on which the exception is valid; afterwards `gpuplane synth` warns of it."""


class Exempt(StrictModel):
    """Pods that no rule applies to, besides those of Kubernetes and of the platform itself."""

    namespaces: Annotated[tuple[NamespaceName, ...], Unique()] = ()
    """All pods of these namespaces, such as a log collector's; never a team's."""
    service_accounts: Annotated[tuple[ServiceAccount, ...], Unique()] = ()
    """All pods that run as one of these, each as `namespace/name`."""


class NodeNames(StrictModel):
    """Who may create pods that name their node (`spec.nodeName`), which no scheduler then places.

    Kubelets may anyway, and so may service accounts in their own namespace, unless it is a team's.
    Administrators need not: `kubectl debug node/NAME --namespace kube-system` passes.
    """

    users: Annotated[tuple[UserName, ...], Unique()] = ()
    """Users by name, such as the service account of a controller that binds its pods to nodes.
    Never name one that makes pods of what others write: these could then name nodes as well."""
    groups: Annotated[tuple[Group, ...], Unique()] = ()
    """Everybody in one of these groups."""


class Policies(StrictModel):
    """What the admission policies do on this cluster."""

    admission: Admission | None = None
    """Who fixes and judges pods at admission: `backstop`, the default from Kubernetes 1.36, the
    webhook to fix and policies in the API server to judge; `webhook-only`, the default before; or
    `in-tree-only`, policies in the API server and no webhook, from Kubernetes 1.36."""
    mode: Mode = Mode.ENFORCE
    """Mode of every rule that `rules` does not name."""
    rules: dict[StatedRule, Mode] = Field(default_factory=dict)
    """Modes of individual rules."""
    own: dict[str, CustomRule] = Field(default_factory=dict)
    """Rules of the platform team's own by name, in the order in which they run, after all
    others."""
    shared_memory: SharedMemory = SharedMemory()
    """How `/dev/shm` is sized."""
    registries: Annotated[tuple[RegistryPrefix, ...], Unique()] = ()
    """Prefixes that images of GPU pods may come from, each ending in `/`; empty allows all. Of a
    registry that has a mirror in `registries`, it is the mirror's images that are allowed, and not
    the registry's own."""
    unequal_gpus: UnequalGpus = UnequalGpus.REFUSE
    """Pods whose GPU requests and limits differ: `refuse` them, or `use-limits` for both."""
    runtime_class: ObjectName | None = None
    """Runtime class of GPU pods that name none. Needed only where your own machines run an older
    container toolkit: the GPU operator and the clouds' images support GPUs in the default class."""
    schedulers: Annotated[tuple[ObjectName, ...], Unique()] = added_later(())
    """Schedulers that GPU pods may name, besides that of Kubernetes and of `queues.engine`: those
    that you run yourself, and further profiles. A pod that names any other waits without a word."""
    max_grace_period_seconds: int = Field(default=MAX_GRACE_PERIOD_SECONDS, ge=120, le=86400)
    """Most seconds that a GPU pod may take to end, from SIGTERM to SIGKILL; until then it keeps its
    GPUs, whoever needs them. New workloads take 120."""
    pod_security_defaults: bool = added_later(False)
    """Whether GPU pods get what the level `restricted` demands and they do not state, in namespaces
    that enforce it (docs/policies/pod-security.md)."""
    pod_security_user: Annotated[int, Field(ge=1, le=MAX_USER)] = added_later(1000)
    """User who then runs the containers that state none; images may be root's, who may not."""
    exempt: Exempt = Exempt()
    """Pods that no rule applies to."""
    node_names: NodeNames = NodeNames()
    """Who may create pods that name their node."""
    exceptions: tuple[PolicyException, ...] = ()
    """Temporary exceptions from rules."""
