"""Reading a cluster by kubectl, which knows every way to log in; it is only asked to `get`."""

import json
import subprocess
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from charts_py.components.webhook.server import SETTINGS_CONFIG_MAP
from charts_py.objects.document import Document
from gpuplane.adoption.found_object import ClusterReadError, FoundObject, Inventory
from gpuplane.adoption.platform_fields import operator_settings
from policies.document import value_at

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
_CONFIG_MAPS = (SETTINGS_CONFIG_MAP, "amazon-vpc-cni", "default-mig-parted-config")
"""ConfigMaps that are read beside those that the GPU operator is told to read: gpuplane's own, that
of the VPC CNI, and the MIG layouts that the operator brings."""
_NO_KIND = ("the server doesn't have a resource type", "no matches for kind", "could not find the")
"""How kubectl says that a cluster lacks a kind."""
_FORBIDDEN = "(Forbidden)"
_TIMEOUT = "--request-timeout=60s"
"""For each request: a list comes in pages of 500."""
_REMEDY = "docs/adopting.md has the ClusterRole that allows it"
_NAMED = "the objects that would be synced"
_JSON = ("-o", "json")
_ALL = ("--all-namespaces", *_JSON)


@dataclass(frozen=True, slots=True)
class Kubectl:
    """kubectl, for one cluster."""

    kubeconfig: Path | None = None
    """Absent, the one that kubectl takes by itself."""
    context: str | None = None
    """Absent, the current one of the kubeconfig."""
    program: str = "kubectl"

    def __str__(self) -> str:
        parts = [f"context {self.context}" if self.context else "the current context"]
        return " of ".join([*parts, *([str(self.kubeconfig)] if self.kubeconfig else [])])

    def read(self) -> Inventory:
        """List what a cluster file can be made of.

        Of ConfigMaps only those of known names are read, since others may hold what is secret.

        Raises ClusterReadError where kubectl is missing, the cluster does not answer, or anything
        may not be listed.
        """
        objects = self._listed([(kind,) for kind in READ_KINDS])
        settings = operator_settings(Inventory(objects, str(self)))
        names = sorted({*_CONFIG_MAPS, *settings.config_maps})
        selectors = [("--field-selector", f"metadata.name={name}") for name in names]
        config_maps = self._listed([("configmaps", *selector) for selector in selectors])
        return Inventory((*objects, *config_maps), str(self))

    def _listed(self, wanted: Iterable[tuple[str, ...]]) -> tuple[FoundObject, ...]:
        documents: list[dict[str, Any]] = []
        denied: list[str] = []
        for kind, *selectors in wanted:
            answer = self._run("get", kind, *selectors, *_ALL)
            if _FORBIDDEN in answer.stderr:
                denied.append(kind)
            else:
                documents += self._items(kind, answer)
        self._check_allowed(denied)
        return tuple(FoundObject(one, str(self)) for one in documents)

    def read_named(self, documents: Sequence[Document]) -> tuple[FoundObject, ...]:
        """Return those of these objects that the cluster has; raise ClusterReadError."""
        manifests = json.dumps({"apiVersion": "v1", "kind": "List", "items": list(documents)})
        answer = self._run("get", "-f", "-", "--ignore-not-found", *_JSON, stdin=manifests)
        denied = [_NAMED] if _FORBIDDEN in answer.stderr else []
        self._check_allowed(denied)
        found = self._items(_NAMED, answer)
        return tuple(FoundObject(one, str(self)) for one in found)

    def _run(self, *arguments: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
        options = [_TIMEOUT]
        options += [f"--kubeconfig={self.kubeconfig}"] if self.kubeconfig else []
        options += [f"--context={self.context}"] if self.context else []
        try:
            return subprocess.run(  # noqa: S603 # no shell; what it is asked is fixed above
                [self.program, *options, *arguments],
                input=stdin,
                capture_output=True,
                text=True,
                check=False,
            )
        except FileNotFoundError:
            what = f"{self.program}: not installed, or not on the PATH; install it, or read an "
            raise ClusterReadError(f"{what}export with --from") from None

    def _check_allowed(self, denied: Iterable[str]) -> None:
        """Raise ClusterReadError for what may not be read, all of it at once."""
        if denied := tuple(dict.fromkeys(denied)):
            what = f"{self}: no right to read {', '.join(denied)}"
            raise ClusterReadError(f"{what}; {_REMEDY}")

    def _items(
        self, asked: str, answer: subprocess.CompletedProcess[str]
    ) -> Iterator[dict[str, Any]]:
        said = [line for line in answer.stderr.splitlines() if line.strip()]
        is_without_kind = bool(said) and all(map(_is_about_a_kind, said))
        if answer.returncode != 0 and not is_without_kind:
            last = said[-1] if said else f"exit code {answer.returncode}"
            remedy = "look at kubectl config get-contexts, and whether the cluster can be reached"
            raise ClusterReadError(f"{self}: cannot read {asked}: {last}; {remedy}")
        if answer.stdout.strip():
            content = json.loads(answer.stdout)
            found = value_at(content, ("items",))
            yield from found if isinstance(found, list) else [content]


def _is_about_a_kind(line: str) -> bool:
    """Return whether a line of an error only says that the cluster lacks a kind."""
    return any(sign in line for sign in _NO_KIND) or "ensure CRDs are installed" in line
