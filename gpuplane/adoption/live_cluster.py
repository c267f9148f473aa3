"""Reading a cluster through its API server, as whoever the kubeconfig names; nothing is written."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from kubernetes import config
from kubernetes.client import ApiClient, Configuration
from urllib3.exceptions import HTTPError

from charts_py.components.webhook.server import SETTINGS_CONFIG_MAP
from charts_py.objects.document import Document
from gpuplane.adoption.found_object import ClusterReadError, FoundObject, Inventory, items_of
from gpuplane.adoption.platform_fields import MIG_LAYOUTS, operator_settings
from policies.document import members

READ_KINDS = (
    "nodes",
    "namespaces",
    "resourcequotas",
    "limitranges",
    "priorityclasses.scheduling.k8s.io",
    "rolebindings.rbac.authorization.k8s.io",
    "daemonsets.apps",
    "nodepools.karpenter.sh",
    "ec2nodeclasses.karpenter.k8s.aws",
    "capacitybuffers.autoscaling.x-k8s.io",
    "podtemplates",
    "containernodepools.container.cnrm.cloud.google.com",
    "managedclustersagentpools.containerservice.azure.com",
    "nodefeaturerules.nfd.k8s-sigs.io",
    "nodereadinessrules.readiness.node.x-k8s.io",
    "clusterpolicies.nvidia.com",
    "applications.argoproj.io",
    "helmreleases.helm.toolkit.fluxcd.io",
)
"""What is listed, in all namespaces; docs/adopting.md has the ClusterRole for it."""
_CONFIG_MAPS = (SETTINGS_CONFIG_MAP, "amazon-vpc-cni", MIG_LAYOUTS)
"""ConfigMaps that are read beside those that the GPU operator is told to read: gpuplane's own, that
of the VPC CNI, and the MIG layouts that the operator brings."""
_OK, _FORBIDDEN, _NOT_FOUND = 200, 403, 404
_PAGE = 500
"""Objects of one answer to a list, as kubectl asks for."""
_NAMED = "the objects that would be synced"
_TIMEOUT = 60
"""Seconds for each request."""


@dataclass(frozen=True, slots=True)
class _Answer:
    """What the API server answered; empty unless it is the object that was asked for."""

    status: int
    content: Mapping[str, Any]


@dataclass(frozen=True)
class LiveCluster:
    """A cluster that a kubeconfig names.

    Reading raises ClusterReadError where the cluster does not answer, or forbids anything. The
    library's DynamicClient would ask for every group that the cluster serves, so that the paths of
    what is read are made here.
    """

    kubeconfig: Path | None = None
    """Absent, what KUBECONFIG names, or ~/.kube/config."""
    context: str | None = None
    """Absent, the current one of the kubeconfig."""
    _resources: dict[str, dict[str, Mapping[str, Any]]] = field(
        default_factory=dict, init=False, compare=False
    )
    """The kinds of each API version that was asked for, as discovery lists them."""

    def __str__(self) -> str:
        parts = [f"context {self.context}" if self.context else "the current context"]
        return " of ".join([*parts, *([str(self.kubeconfig)] if self.kubeconfig else [])])

    def read(self) -> Inventory:
        """List what a cluster file can be made of.

        Of ConfigMaps only those of known names are read, since others may hold what is secret.
        """
        objects = self._listed((kind, "") for kind in READ_KINDS)
        settings = operator_settings(Inventory(objects, str(self)))
        names = sorted({*_CONFIG_MAPS, *settings.config_maps})
        config_maps = self._listed(("configmaps", f"metadata.name={name}") for name in names)
        return Inventory((*objects, *config_maps), str(self))

    def read_named(self, documents: Sequence[Document]) -> tuple[FoundObject, ...]:
        answers = [self._get(self._path_of(document), _NAMED) for document in documents]
        if any(answer.status == _FORBIDDEN for answer in answers):
            raise self._no_right((_NAMED,))
        found = (answer.content for answer in answers if answer.status == _OK)
        return tuple(FoundObject(dict(content), str(self)) for content in found)

    def _listed(self, wanted: Iterable[tuple[str, str]]) -> tuple[FoundObject, ...]:
        found: list[FoundObject] = []
        denied: dict[str, None] = {}
        for kind, selector in wanted:
            resource, _, group = kind.partition(".")
            if (root := self._root(group, kind)) is None:
                continue
            for answer in self._pages(f"{root}/{resource}", kind, selector):
                if answer.status == _FORBIDDEN:
                    denied[kind] = None
                found += items_of(answer.content, str(self))
        if denied:
            raise self._no_right(denied)
        return tuple(found)

    def _pages(self, path: str, asked: str, selector: str) -> Iterator[_Answer]:
        more = ""
        while True:
            answer = self._get(
                path, asked, {"limit": _PAGE, "continue": more, "fieldSelector": selector}
            )
            yield answer
            more = str(members(answer.content.get("metadata")).get("continue") or "")
            if not more:
                return

    def _root(self, group: str, asked: str) -> str | None:
        """Return the path of a group's preferred version; None where there is no group."""
        if not group:
            return "/api/v1"
        answer = self._get(f"/apis/{group}", asked)
        if answer.status == _FORBIDDEN:
            raise self._cannot_read(asked, "403 Forbidden")
        preferred = members(answer.content.get("preferredVersion")).get("groupVersion")
        return f"/apis/{preferred}" if preferred else None

    def _path_of(self, document: Document) -> str:
        """Return the path of an object; one that leads nowhere where the cluster lacks its kind."""
        api_version, kind = str(document["apiVersion"]), str(document["kind"])
        root = f"/apis/{api_version}" if "/" in api_version else f"/api/{api_version}"
        if api_version not in self._resources:
            listed = self._get(root, _NAMED).content.get("resources") or ()
            plurals = {one["kind"]: one for one in listed if "/" not in one["name"]}
            self._resources[api_version] = plurals
        metadata, resource = document["metadata"], self._resources[api_version].get(kind)
        if resource is None:
            return f"{root}/unknown"
        namespaced = resource.get("namespaced") and metadata.get("namespace")
        place = f"/namespaces/{metadata['namespace']}" if namespaced else ""
        return f"{root}{place}/{resource['name']}/{metadata['name']}"

    @cached_property
    def _client(self) -> ApiClient:
        settings = Configuration()
        settings.retries = False
        file = None if self.kubeconfig is None else str(self.kubeconfig)
        try:
            return config.new_client_from_config(
                file, self.context, persist_config=False, client_configuration=settings
            )
        except (config.ConfigException, OSError) as error:
            what = f"{self}: {str(error).removesuffix('.')}; name another one"
            raise ClusterReadError(f"{what}, or read an export with --from") from error

    def _get(self, path: str, asked: str, query: Mapping[str, str | int] | None = None) -> _Answer:
        client = self._client
        wanted = [(name, value) for name, value in (query or {}).items() if value]
        request = client.param_serialize(
            "GET",
            path,
            query_params=wanted,
            header_params={"Accept": "application/json"},
            auth_settings=["BearerToken"],
        )
        try:
            response = client.call_api(*request, _request_timeout=_TIMEOUT)
            text = response.read()
        except (HTTPError, OSError) as error:
            raise self._cannot_read(asked, str(error)) from error
        if response.status not in (_OK, _FORBIDDEN, _NOT_FOUND):
            raise self._cannot_read(asked, f"{response.status} {response.reason}")
        content = members(json.loads(text)) if response.status == _OK else {}
        return _Answer(response.status, content)

    def _cannot_read(self, asked: str, said: str) -> ClusterReadError:
        remedy = "look at kubectl config get-contexts, and whether the cluster can be reached"
        return ClusterReadError(f"{self}: cannot read {asked}: {said}; {remedy}")

    def _no_right(self, denied: Iterable[str]) -> ClusterReadError:
        what = f"{self}: no right to read {', '.join(denied)}"
        return ClusterReadError(f"{what}; docs/adopting.md has the ClusterRole that allows it")
