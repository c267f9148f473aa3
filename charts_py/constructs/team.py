"""What bounds a team's namespace, who reaches it and who may do what there, as constructs."""

from collections.abc import Iterator

from constructs import Construct

from charts_py.components.team.objects import team_objects
from charts_py.objects.document import Document
from charts_py.objects.kube_object import add_documents
from charts_py.platform.platform import Platform

_QUOTA = ("ResourceQuota", "LimitRange")
_NETWORK = ("NetworkPolicy",)
_ACCESS = ("RoleBinding",)


class TeamQuota(Construct):
    """The most that the pods, volumes and claims of a namespace may request.

    A ResourceQuota, one of no pods with the priorities of others, and a LimitRange. GPUs are
    counted by the resources that the pools offer, so that a MIG instance or a share of a GPU counts
    as what it is.
    """

    def __init__(self, scope: Construct, id: str, *, platform: Platform, namespace: str) -> None:
        """Add the objects of the namespace of that name; raise KeyError where there is none."""
        super().__init__(scope, id)
        self.objects = add_documents(self, _objects(platform, namespace, *_QUOTA))

    @property
    def bounds(self) -> dict[str, str]:
        """The bounds by resource, as `requests.nvidia.com/gpu`."""
        named = {each.document["metadata"]["name"]: each.document for each in self.objects}
        return dict(named["quota"]["spec"]["hard"])


class TeamNetworkPolicies(Construct):
    """NetworkPolicies that close a namespace and open what its purpose and its fields need."""

    def __init__(self, scope: Construct, id: str, *, platform: Platform, namespace: str) -> None:
        """Add the objects of the namespace of that name; raise KeyError where there is none."""
        super().__init__(scope, id)
        self.objects = add_documents(self, _objects(platform, namespace, *_NETWORK))


class TeamAccess(Construct):
    """A RoleBinding for each role that groups of the identity provider have in a namespace."""

    def __init__(self, scope: Construct, id: str, *, platform: Platform, namespace: str) -> None:
        """Add the objects of the namespace of that name; raise KeyError where there is none."""
        super().__init__(scope, id)
        self.objects = add_documents(self, _objects(platform, namespace, *_ACCESS))

    @property
    def groups(self) -> dict[str, tuple[str, ...]]:
        """The groups by role."""
        bindings = (each.document for each in self.objects)
        return {
            each["roleRef"]["name"]: tuple(subject["name"] for subject in each["subjects"])
            for each in bindings
        }


def other_team_objects(platform: Platform, namespace: str) -> Iterator[Document]:
    """Yield the Namespace itself, and what components add to it beside the above."""
    covered = (*_QUOTA, *_NETWORK, *_ACCESS)
    found = team_objects(platform, platform.namespace(namespace))
    return (each for each in found if each["kind"] not in covered)


def _objects(platform: Platform, namespace: str, *kinds: str) -> Iterator[Document]:
    found = team_objects(platform, platform.namespace(namespace))
    return (each for each in found if each["kind"] in kinds)
