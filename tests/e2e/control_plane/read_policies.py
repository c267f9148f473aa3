"""Knowing that the API server has read of a change of policies, which it does late."""

from collections.abc import Iterable
from contextlib import ExitStack
from uuid import uuid4

from charts_py.objects.document import Document
from tests.e2e.control_plane.api_client import ApiClient, ApiError
from tests.e2e.manifest import manifest
from tests.e2e.polling import once_seen

_PODS = {"apiGroups": [""], "apiVersions": ["v1"], "resources": ["pods"], "operations": ["CREATE"]}


def wait_until_policies_are_read(client: ApiClient, changed: Iterable[Document]) -> None:
    """Wait until the API server judges by its policies as they are now, if any changed.

    It reads the changes of each kind in their order. So one more policy, which concerns a probe
    alone, shows that all changes before it are read.
    """
    versions = {each["kind"].removesuffix("Binding"): each["apiVersion"] for each in changed}
    for kind, specs in _SPECS.items():
        if kind in versions:
            # Nor is the last probe's policy forgotten at once.
            name = f"probe-{uuid4().hex}"
            _wait_until_read(client, name, f"{versions[kind]} {kind}", specs(name))


def _validating(name: str) -> tuple[Document, Document]:
    spec = {**_matching(name), "validations": [{"expression": "false"}]}
    return spec, {"policyName": name, "validationActions": ["Deny"]}


def _mutating(name: str) -> tuple[Document, Document]:
    labeled = f'Object{{metadata: Object.metadata{{labels: {{"{name}": "read"}}}}}}'
    mutation = {"patchType": "ApplyConfiguration", "applyConfiguration": {"expression": labeled}}
    spec = {**_matching(name), "reinvocationPolicy": "Never", "mutations": [mutation]}
    return spec, {"policyName": name}


_SPECS = {"ValidatingAdmissionPolicy": _validating, "MutatingAdmissionPolicy": _mutating}
"""Of each kind a policy that concerns one pod alone, and its binding."""


def _matching(name: str) -> Document:
    is_probe = {"name": "is-probe", "expression": f'object.metadata.name == "{name}"'}
    return {"matchConstraints": {"resourceRules": [_PODS]}, "matchConditions": [is_probe]}


def _wait_until_read(
    client: ApiClient, name: str, kind: str, specs: tuple[Document, Document]
) -> None:
    policy, binding = specs
    with ExitStack() as stack:
        for each in (
            manifest(kind, name, spec=policy),
            manifest(f"{kind}Binding", name, spec=binding),
        ):
            client.apply(each)
            stack.callback(client.delete, each)
        once_seen(lambda: _judges(client, name), what=f"the API server judges by {kind} {name}")


def _judges(client: ApiClient, name: str) -> bool:
    container = {"name": "main", "image": "registry.example.com/probe:1.0.0"}
    probe = manifest("v1 Pod", name, "default", spec={"containers": [container]})
    try:
        tried = client.create(probe, dryRun="All").document
    except ApiError as error:
        return f"'{name}'" in error.message
    return name in tried["metadata"].get("labels", {})
