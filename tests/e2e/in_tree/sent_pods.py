"""Pods that an API server may take: synthetic ones made valid, and those of published manifests."""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from benchmarks.corpus import VARIABLE, read_corpus
from benchmarks.synthetic_pods import synthetic_pods
from charts_py.objects.document import Document
from policies.apply import copied
from policies.document import Json, elements, members
from policies.manifest_pod import manifest_pods
from policies.quantity import read_quantity
from policies.settings import Settings

_LISTS = ("initContainers", "containers")
_KINDS_OF_MOUNTS = ("volumeMounts", "volumeDevices")


def sent_pods(settings: Settings, synthetic: int, seed: int) -> Iterator[tuple[str, Document]]:
    """Yield pods with their namespaces, each with a name of its own.

    Published manifests stand in the folder that GPUPLANE_CORPUS names, where it is set.
    """
    namespaces = (*settings.namespaces, "foreign")
    found = [(ns, pod) for ns, pod in islice(synthetic_pods(seed, settings), synthetic)]
    published = list(_published())
    found += [(namespaces[at % len(namespaces)], pod) for at, pod in enumerate(published)]
    for number, (namespace, pod) in enumerate(found):
        if namespace in namespaces:
            yield namespace, _made_valid(pod, f"sent-{number}", namespace)


def _published() -> Iterator[Document]:
    if VARIABLE in os.environ:
        for one in read_corpus(Path(os.environ[VARIABLE])).makers:
            for pod in manifest_pods(one.document):
                yield pod.document


def _made_valid(pod: Document, name: str, namespace: str) -> Document:
    """Return a copy that names what exists, so that the API server has nothing else against it."""
    spec: Document = _without_nulls(copied(pod.get("spec") or {}))
    metadata = members(pod.get("metadata"))
    kept = {field: metadata[field] for field in ("labels", "annotations") if metadata.get(field)}
    spec["automountServiceAccountToken"] = False
    spec.pop("serviceAccountName", None)
    spec.pop("serviceAccount", None)
    if spec.get("restartPolicy") not in ("Always", "Never", "OnFailure"):
        spec.pop("restartPolicy", None)
    spec["tolerations"] = [
        each for each in elements(spec.get("tolerations")) if each.get("operator") != "Gt"
    ]
    spec["resourceClaims"] = [
        {"name": each["name"], "resourceClaimName": "some"}
        for each in elements(spec.get("resourceClaims"))
    ]
    for field in _LISTS:
        for container in elements(spec.get(field)):
            container["image"] = container.get("image") or "registry.example.com/train:1.4"
            for amounts in members(container.get("resources")).values():
                _drop_malformed(amounts)
    if "priorityClassName" in spec:
        spec.pop("priority", None)
    mounted = {
        mount["name"]
        for field in _LISTS
        for container in elements(spec.get(field))
        for kind in _KINDS_OF_MOUNTS
        for mount in elements(container.get(kind))
    }
    volumes = [dict(each) for each in elements(spec.get("volumes"))]
    present = {each["name"] for each in volumes}
    spec["volumes"] = [*volumes, *({"name": each, "emptyDir": {}} for each in mounted - present)]
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {**copied(kept), "name": name, "namespace": namespace},
        "spec": spec,
    }


def _without_nulls(value: Json) -> Json:
    if isinstance(value, dict):
        return {key: _without_nulls(each) for key, each in value.items() if each is not None}
    return [_without_nulls(each) for each in value] if isinstance(value, list) else value


def _drop_malformed(amounts: Json) -> None:
    for name in [name for name, value in members(amounts).items() if read_quantity(value) is None]:
        del amounts[name]
