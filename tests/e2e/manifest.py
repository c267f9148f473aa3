"""Objects as people write them."""

from collections.abc import Mapping

from charts_py.objects.document import Document


def manifest(
    kind: str,
    name: str,
    namespace: str | None = None,
    metadata: Mapping[str, object] | None = None,
    **fields: object,
) -> Document:
    """Return an object of a kind, as `apps/v1 Deployment`, with more of its metadata and fields."""
    api_version, _, kind = kind.rpartition(" ")
    place = {} if namespace is None else {"namespace": namespace}
    named = {"name": name, **place, **(metadata or {})}
    return {"apiVersion": api_version, "kind": kind, "metadata": named, **fields}


def runtime_class(name: str) -> Document:
    """Return what the GPU operator brings for a container runtime."""
    return manifest("node.k8s.io/v1 RuntimeClass", name, handler=name)


def workload(
    kind: str, name: str, namespace: str, pods: Mapping[str, object], **spec: object
) -> Document:
    """Return what makes pods of a spec, and knows them by its name in their label `app`."""
    labels = {"app": name}
    template = {"metadata": {"labels": labels}, "spec": pods}
    selector = {"matchLabels": labels}
    spec = {"selector": selector, "template": template, **spec}
    return manifest(kind, name, namespace, spec=spec)
