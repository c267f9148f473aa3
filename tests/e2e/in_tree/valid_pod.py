"""Makes a pod valid, so that the API server has nothing of its own against it."""

from collections.abc import Iterator

from charts_py.helm.objects import without_nulls
from charts_py.objects.document import Document
from policies.document import Json, elements, members
from policies.operation import copied
from policies.quantity import read_quantity

_LISTS = ("initContainers", "containers")
_KINDS_OF_MOUNTS = ("volumeMounts", "volumeDevices")
_IMAGE = "registry.example.com/train:1.4"
_REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution"


def made_valid(pod: Document, name: str, namespace: str) -> Document:
    """Return a copy that names what exists."""
    spec: Document = without_nulls(copied(pod.get("spec") or {}))
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
        {"name": name, "resourceClaimName": "some"} for name in dict.fromkeys(_claims(spec))
    ]
    for container in _containers(spec):
        container["image"] = (container.get("image") or _IMAGE).strip()
        for amounts in members(container.get("resources")).values():
            _drop_malformed(amounts)
    if "priorityClassName" in spec:
        spec.pop("priority", None)
    _drop_empty_affinity(members(spec.get("affinity")))
    spec["volumes"] = [*_volumes(spec)]
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {**copied(kept), "name": name, "namespace": namespace},
        "spec": spec,
    }


def _containers(spec: Document) -> Iterator[Document]:
    for field in _LISTS:
        yield from elements(spec.get(field))


def _claims(spec: Document) -> Iterator[str]:
    """Yield the names of the pod's claims, and of those that only a container names."""
    yield from (each["name"] for each in elements(spec.get("resourceClaims")))
    for container in _containers(spec):
        claims = elements(members(container.get("resources")).get("claims"))
        yield from (each["name"] for each in claims)


def _volumes(spec: Document) -> Iterator[Document]:
    """Yield the pod's volumes, and one for each that is only mounted."""
    volumes = [dict(each) for each in elements(spec.get("volumes"))]
    yield from volumes
    mounted = [
        mount["name"]
        for container in _containers(spec)
        for kind in _KINDS_OF_MOUNTS
        for mount in elements(container.get(kind))
    ]
    for name in dict.fromkeys(mounted):
        if name not in (each["name"] for each in volumes):
            yield {"name": name, "emptyDir": {}}


def _drop_empty_affinity(affinity: Json) -> None:
    """Drop what states nothing, where the API server wants something stated."""
    nodes = affinity.get("nodeAffinity")
    if not elements(members(members(nodes).get(_REQUIRED)).get("nodeSelectorTerms")):
        members(nodes).pop(_REQUIRED, None)  # type: ignore[attr-defined]
    if affinity.get("podAffinity") is not None:
        affinity.pop("podAffinity")


def _drop_malformed(amounts: Json) -> None:
    """Drop what is no quantity; what is a fraction is written as the API server writes it."""
    for name, value in [*members(amounts).items()]:
        if read_quantity(value) is None:
            del amounts[name]
        elif value == "0.5":
            amounts[name] = "500m"
