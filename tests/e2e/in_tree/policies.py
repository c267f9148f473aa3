"""The policies of a cluster at the API server, without a webhook."""

from collections.abc import Iterator
from contextlib import contextmanager

from charts_py.components.admission_policies.custom_rules import custom_rule_policies
from charts_py.components.admission_policies.pods import fixes_policies, pods_policies
from charts_py.components.admission_policy import MutatingPolicy, Policy
from charts_py.objects.document import Document
from charts_py.platform.platform import Platform
from charts_py.platform.policy_settings import policy_settings
from policies.settings import GPU_RUNTIME_CLASSES, Settings
from tests.e2e.claims.cluster import rendered
from tests.e2e.control_plane.api_client import ApiClient
from tests.e2e.in_tree.decision import decide
from tests.e2e.manifest import manifest, runtime_class
from tests.e2e.polling import once_seen
from tests.e2e.releases.objects import applied, namespace
from tests.e2e.webhook.registration import asking

FOREIGN = "foreign"
"""A namespace that belongs to no team."""


@contextmanager
def policies_applied(admin: ApiClient, platform: Platform) -> Iterator[None]:
    """Apply the policies of all actions, and what pods name, for as long as a context lasts."""
    with applied(admin, [*surroundings(platform), *judging(policy_settings(platform))]):
        _wait_until_known(admin, platform)
        yield


def surroundings(platform: Platform) -> Iterator[Document]:
    """Yield what the pods of a cluster name: namespaces, priority classes, runtime classes."""
    yield from rendered(platform, "priority-classes")
    yield from map(namespace, (*policy_settings(platform).namespaces, FOREIGN))
    yield from map(runtime_class, GPU_RUNTIME_CLASSES)


def judging(settings: Settings) -> Iterator[Document]:
    return objects_of(*pods_policies(settings))


def custom_rules(settings: Settings) -> Iterator[Document]:
    return objects_of(*custom_rule_policies(settings))


def fixing(settings: Settings) -> Iterator[Document]:
    return objects_of(*fixes_policies(settings))


def objects_of(*policies: Policy | MutatingPolicy) -> Iterator[Document]:
    """Yield policies, each with its binding."""
    kind = "admissionregistration.k8s.io/v1 {}".format
    for policy in policies:
        yield manifest(kind(policy.kind), policy.name, spec=policy.spec())
        yield manifest(kind(f"{policy.kind}Binding"), policy.name, spec=policy.binding_spec())


def _wait_until_known(admin: ApiClient, platform: Platform) -> None:
    """Try pods until the API server, which reads of policies late, denies and warns.

    The remedy of the denial lists what the cluster offers, which tells it from another's.
    """
    offered = {each.name for pool in policy_settings(platform).pools for each in pool.resources}
    listed = ", ".join(sorted(offered))
    asked = ("nvidia.com/gpu.nobodys", min(offered))
    once_seen(
        lambda: [decide(admin, asking(each, namespace=FOREIGN)) for each in asked],
        lambda found: listed in found[0].denial and found[1].warnings,
    )
