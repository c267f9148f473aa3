"""What made a pod in the end, by references to controllers, and how that is ended.

https://kubernetes.io/docs/concepts/overview/working-with-objects/owners-dependents/
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum, auto
from http import HTTPStatus
from typing import Any, NamedTuple, TypeAlias

from rounds.servers import ApiServer, ApiServerError, Document, object_path

Reference: TypeAlias = Mapping[str, Any]

_NAME = re.compile(r"[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?")
"""Who may write pods writes their references, whose names the API server does not check: it answers
to a path with a name that is too long by an error, and no round could go on."""
_LONGEST = 254
"""Characters that are kept of each text in a reference, one more than a name may have."""
_OF_A_REFERENCE = ("apiVersion", "kind", "name", "uid")
_MOST_OWNERS = 8
"""A worker of a LeaderWorkerSet has four."""


class Ending(Enum):
    """How something ends."""

    EVICT = auto()
    """Each of its pods is evicted, which a PodDisruptionBudget can refuse."""
    SCALE = auto()
    STOP = auto()
    """It is annotated as Kubeflow's own culler does."""


class _Kind(NamedTuple):
    api_version: str
    """The version in which it is read, whatever a reference says."""
    plural: str
    ending: Ending


_KINDS = {
    ("", "Pod"): _Kind("v1", "pods", Ending.EVICT),
    ("batch", "Job"): _Kind("batch/v1", "jobs", Ending.EVICT),
    ("apps", "ReplicaSet"): _Kind("apps/v1", "replicasets", Ending.SCALE),
    ("apps", "Deployment"): _Kind("apps/v1", "deployments", Ending.SCALE),
    ("apps", "StatefulSet"): _Kind("apps/v1", "statefulsets", Ending.SCALE),
    ("leaderworkerset.x-k8s.io", "LeaderWorkerSet"): _Kind(
        "leaderworkerset.x-k8s.io/v1", "leaderworkersets", Ending.SCALE
    ),
    ("kubeflow.org", "Notebook"): _Kind("kubeflow.org/v1", "notebooks", Ending.STOP),
}
"""Kinds of owners by API group and kind; pods of any other kind are left alone."""

_MAKES_JOBS = ("batch", "CronJob")
"""Goes on to make others, so that the Job is what ends."""


@dataclass(frozen=True, slots=True, order=True)
class Owner:
    """What made a pod in the end, or is the pod itself."""

    namespace: str
    kind: str
    name: str
    uid: str
    api_version: str
    resource_version: str = ""
    """Empty where it is left alone."""
    replicas: int | None = None
    reason_left_alone: str = ""
    """Empty where it can end."""

    @property
    def ending(self) -> Ending:
        """How it ends; raises KeyError where it is left alone."""
        return _KINDS[_key(self.api_version, self.kind)].ending

    @property
    def path(self) -> str:
        """Where the API server has it; raises KeyError where it is left alone."""
        return _path(_KINDS[_key(self.api_version, self.kind)], self.namespace, self.name)


@dataclass(frozen=True, slots=True)
class Owners:
    """The owners of pods; each is read once."""

    server: ApiServer
    _read: dict[str, Document | None] = field(default_factory=dict, repr=False)

    def of(self, pod: Document) -> Owner:
        """Return what made a pod in the end, or the first that is left alone.

        Raises ApiServerError: without the owner of a pod that works, others of it would seem to be
        all that there is.
        """
        named = {"apiVersion": "v1", "kind": "Pod", **pod}
        return self._made_by(named, pod["metadata"]["namespace"], _MOST_OWNERS)

    def _made_by(self, document: Document, namespace: str, most: int) -> Owner:
        reference = _controller(document)
        if reference is None or _key_of(reference) == _MAKES_JOBS:
            return _owner(document, namespace)
        if (kind := _KINDS.get(_key_of(reference))) is None:
            return _left_alone(reference, namespace, "objects of its kind are left alone")
        if most == 0:
            return _left_alone(reference, namespace, f"it is more than {_MOST_OWNERS} owners away")
        if not _NAME.fullmatch(reference["name"]):
            return _left_alone(reference, namespace, "it has a name that no object can have")
        found = self._get(_path(kind, namespace, reference["name"]))
        if found is None or found["metadata"]["uid"] != reference["uid"]:
            return _left_alone(reference, namespace, "it is gone, or another one by now")
        return self._made_by(found, namespace, most - 1)

    def _get(self, path: str) -> Document | None:
        """Return an object, or None where it is gone; raise ApiServerError."""
        if path not in self._read:
            try:
                self._read[path] = _needed(self.server.get(path))
            except ApiServerError as error:
                if error.status != HTTPStatus.NOT_FOUND:
                    raise
                self._read[path] = None
        return self._read[path]


def _needed(document: Document) -> Document:
    """Return what is asked of an owner: one may have a megabyte, and all are kept for a round."""
    named = {key: document["metadata"][key] for key in ("name", "uid", "resourceVersion")}
    reference = _controller(document)
    controllers = [{**reference, "controller": True}] if reference else []
    return {
        "apiVersion": document["apiVersion"],
        "kind": document["kind"],
        "metadata": {**named, "ownerReferences": controllers},
        "spec": {"replicas": document.get("spec", {}).get("replicas")},
    }


def _controller(document: Document) -> Reference | None:
    for each in document["metadata"].get("ownerReferences", ()):
        if each.get("controller"):
            return {key: each[key][:_LONGEST] for key in _OF_A_REFERENCE}
    return None


def _owner(document: Document, namespace: str) -> Owner:
    metadata = document["metadata"]
    return Owner(
        namespace,
        document["kind"],
        metadata["name"],
        metadata["uid"],
        document["apiVersion"],
        metadata["resourceVersion"],
        document.get("spec", {}).get("replicas"),
    )


def _left_alone(reference: Reference, namespace: str, reason: str) -> Owner:
    api_version, kind, name, uid = (reference[key] for key in _OF_A_REFERENCE)
    return Owner(namespace, kind, name, uid, api_version, reason_left_alone=reason)


def _path(kind: _Kind, namespace: str, name: str) -> str:
    return object_path(kind.api_version, kind.plural, namespace, name)


def _key_of(reference: Reference) -> tuple[str, str]:
    return _key(reference["apiVersion"], reference["kind"])


def _key(api_version: str, kind: str) -> tuple[str, str]:
    return api_version.rpartition("/")[0], kind
