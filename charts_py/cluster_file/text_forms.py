"""String formats that several parts of the cluster file use."""

import ipaddress
from collections.abc import Mapping
from typing import Annotated
from urllib.parse import urlsplit

from pydantic import AfterValidator, Field

from charts_py.cluster_file.strict_model import Refused
from gpus.nearest import nearest

MailAddress = Annotated[
    str, Field(pattern=r"^[^@\s]+@[^@\s]+$", examples=["ml-platform@example.com"])
]
LabelValue = Annotated[
    str, Field(pattern=r"^[A-Za-z0-9]([A-Za-z0-9_.-]{0,61}[A-Za-z0-9])?$", examples=["ml-4711"])
]
"""https://kubernetes.io/docs/concepts/overview/working-with-objects/labels/"""
LabelKey = Annotated[
    str,
    Field(
        pattern=r"^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?"
        r"[A-Za-z0-9]([A-Za-z0-9_.-]{0,61}[A-Za-z0-9])?$",
        max_length=317,
        examples=["example.com/rack"],
    ),
]
"""https://kubernetes.io/docs/concepts/overview/working-with-objects/labels/"""
NamespaceName = Annotated[
    str, Field(pattern=r"^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$", examples=["monitoring"])
]
ObjectName = Annotated[
    str, Field(pattern=r"^[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?$", examples=["nvidia"])
]
"""https://kubernetes.io/docs/concepts/overview/working-with-objects/names/#dns-subdomain-names"""
DomainName = Annotated[
    str,
    Field(
        pattern=r"^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?(\.[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?)+$",
        # A name of 63 characters, one of a team, and dots stand before it, of 253 in all.
        max_length=160,
        examples=["models.example.com"],
    ),
]
ResourceName = Annotated[
    str,
    Field(
        pattern=r"^[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?/[A-Za-z0-9]([A-Za-z0-9_.-]{0,61}[A-Za-z0-9])?$",
        examples=["rdma/hca_shared_devices_a"],
    ),
]
"""An extended resource:
https://kubernetes.io/docs/tasks/administer-cluster/extended-resource-node/"""
ServiceAccount = Annotated[
    str,
    Field(
        pattern=r"^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?/[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?$",
        examples=["logging/collector"],
    ),
]
RegistryPrefix = Annotated[
    str,
    Field(
        pattern=r"^[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:[0-9]+)?(/[a-z0-9._-]+)*/$",
        examples=["registry.example.com/"],
    ),
]
"""Without the slash at the end, `registry.example.com` would also allow
`registry.example.com.attacker.net`."""
JsonPointer = Annotated[
    str, Field(pattern=r"^(/([^~/]|~[01])*)*$", examples=["/spec/template/spec/replicas"])
]
"""https://www.rfc-editor.org/rfc/rfc6901#section-3"""


def with_a_port_that_exists(url: str) -> str:
    try:
        urlsplit(url).port  # noqa: B018 # raises
    except ValueError:
        raise Refused("has a port that does not exist", "at most 65535") from None
    return url


def _network(text: str) -> str:
    allowed = "a network such as 10.20.0.0/16"
    try:
        network = ipaddress.ip_network(text, strict=False)
    except ValueError:
        raise Refused(f'"{text}" is not a CIDR', allowed) from None
    if "/" not in text:
        raise Refused(f'"{text}" is not a CIDR', str(network))
    if str(network) != text:
        raise Refused(f'"{text}" is not a network address', str(network))
    return text


GOOGLE_APIS: Mapping[str, str] = {
    "private.googleapis.com": "199.36.153.8/30",
    "restricted.googleapis.com": "199.36.153.4/30",
}
"""The addresses of Google's APIs by names that stand for fixed ones
(https://cloud.google.com/vpc/docs/configure-private-google-access)."""


def _destination(text: str) -> str:
    if text in GOOGLE_APIS:
        return text
    if text.rpartition(".")[2].isalpha():
        allowed = f"a network such as 10.20.0.0/16, {' or '.join(GOOGLE_APIS)}"
        raise Refused(
            f'"{text}" is a name, and NetworkPolicies know addresses alone',
            f"{allowed} (docs/object-storage.md)",
            nearest(text, GOOGLE_APIS),
        )
    return _network(text)


def _address(text: str) -> str:
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        raise Refused(f'"{text}" is not an IP address', "one such as 10.96.0.10") from None
    # An interface, as in fe80::1%eth0, is one of a single machine.
    written = str(address).partition("%")[0]
    if written != text:
        raise Refused(f'"{text}" is not how an IP address is written', written)
    return text


IpAddress = Annotated[str, AfterValidator(_address), Field(examples=["10.96.0.10"])]
Cidr = Annotated[str, AfterValidator(_network), Field(examples=["10.20.0.0/16"])]
Destination = Annotated[
    str, AfterValidator(_destination), Field(examples=["10.20.0.0/16", *GOOGLE_APIS])
]
_RESERVED = "system:"
"""https://kubernetes.io/docs/reference/access-authn-authz/rbac/#referring-to-subjects"""


def _group(name: str) -> str:
    if name.startswith(_RESERVED):
        raise Refused(f'"{name}" is a group that Kubernetes reserves', "a group of your own")
    return _stripped(name, "group")


Group = Annotated[str, AfterValidator(_group), Field(examples=["ml-research"])]
_SERVICE_ACCOUNTS = "system:serviceaccount:"
_CONTROLLERS = f"{_SERVICE_ACCOUNTS}kube-system:"
"""Users of the controllers of Kubernetes, which make the pods of every Deployment and Job
(https://kubernetes.io/docs/reference/access-authn-authz/rbac/#controller-roles)."""


def _user(name: str) -> str:
    if name.startswith(_CONTROLLERS) or (
        name.startswith(_RESERVED) and not name.startswith(_SERVICE_ACCOUNTS)
    ):
        raise Refused(f'"{name}" is a user of Kubernetes itself', "a user of your own")
    return _stripped(name, "user")


def _stripped(name: str, kind: str) -> str:
    if not name or name != name.strip():
        raise Refused(f'"{name}" is not a valid {kind} name', "a name without surrounding spaces")
    return name


UserName = Annotated[
    str, AfterValidator(_user), Field(examples=["system:serviceaccount:kai-scheduler:binder"])
]
"""The name as the API server knows it; that of a service account is
`system:serviceaccount:NAMESPACE:NAME`."""
