"""The policies of a cluster at the API server, without a webhook."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from charts_py.components.admission_policies.custom_rules import custom_rule_policies
from charts_py.components.admission_policies.pods import fixes_policies, pods_policies
from charts_py.components.admission_policy import MutatingPolicy, Policy
from charts_py.objects.document import Document
from charts_py.objects.manifest_yaml import from_yaml
from charts_py.platform.platform import Platform
from charts_py.platform.policy_settings import policy_settings
from gpuplane.versions.rendering import render_platform
from policies.settings import GPU_RUNTIME_CLASSES, Settings
from tests.e2e.control_plane.api_client import ApiClient
from tests.e2e.in_tree.decision import decide
from tests.e2e.polling import once_seen
from tests.e2e.releases.objects import applied, namespace

FOREIGN = "foreign"
"""A namespace that belongs to no team."""


@contextmanager
def policies_applied(admin: ApiClient, platform: Platform) -> Iterator[None]:
    """Apply the policies of all actions, and what pods name, for as long as a context lasts."""
    with applied(admin, list(_objects(platform))):
        _wait_until_known(admin, platform)
        yield


def _objects(platform: Platform) -> Iterator[Document]:
    """Yield the policies of all actions, and what pods name."""
    settings = policy_settings(platform)
    yield from surroundings(platform)
    yield from judging(settings)


def surroundings(platform: Platform) -> Iterator[Document]:
    """Yield what the pods of a cluster name: namespaces, priority classes, runtime classes."""
    yield from component(platform, "priority-classes")
    for name in (*policy_settings(platform).namespaces, FOREIGN):
        yield namespace(name)
    for name in GPU_RUNTIME_CLASSES:
        metadata = {"name": name}
        group = "node.k8s.io/v1"
        yield {"apiVersion": group, "kind": "RuntimeClass", "metadata": metadata, "handler": name}


def component(platform: Platform, name: str) -> Iterator[Document]:
    """Yield the objects that are rendered of a component."""
    for path, content in sorted(render_platform(platform, "cluster.yaml").files.items()):
        if path.startswith(f"{name}/") and path.endswith(".yaml"):
            yield from from_yaml(content.decode())


def judging(settings: Settings) -> Iterator[Document]:
    """Yield the policies that judge pods, of all actions."""
    yield from _objects_of(pods_policies(settings))


def custom_rules(settings: Settings) -> Iterator[Document]:
    yield from _objects_of(custom_rule_policies(settings))


def fixing(settings: Settings) -> Iterator[Document]:
    """Yield the policies that fix pods."""
    yield from _objects_of(fixes_policies(settings))


def _objects_of(policies: Iterable[Policy | MutatingPolicy]) -> Iterator[Document]:
    for policy in policies:
        yield _object(policy.kind, policy.name, policy.spec())
        yield _object(f"{policy.kind}Binding", policy.name, policy.binding_spec())


def _object(kind: str, name: str, spec: Document) -> Document:
    group = "admissionregistration.k8s.io/v1"
    return {"apiVersion": group, "kind": kind, "metadata": {"name": name}, "spec": spec}


def _wait_until_known(admin: ApiClient, platform: Platform) -> None:
    """Try pods until the API server, which reads of policies late, denies and warns.

    The remedy of the denial lists what the cluster offers, which tells it from another's.
    """
    offered = {each.name for pool in policy_settings(platform).pools for each in pool.resources}
    listed = ", ".join(sorted(offered))
    asking = ("nvidia.com/gpu.nobodys", min(offered))
    once_seen(
        lambda: [decide(admin, _asking(each)) for each in asking],
        lambda found: listed in found[0].denial and found[1].warnings,
    )


def _asking(resource: str) -> Document:
    image = {"name": "a", "image": "registry.example.com/a:1"}
    container = {**image, "resources": {"limits": {resource: "1"}}}
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": "probe", "namespace": FOREIGN},
        "spec": {"containers": [container]},
    }
