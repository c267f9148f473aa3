"""What a release says of nodes, for Karpenter's own cloud instead of EC2."""

from charts_py.objects.document import Document

_API_VERSION = "karpenter.kwok.sh/v1alpha1"
_KIND = "KWOKNodeClass"


def translated(document: Document) -> Document:
    """Return an object of a release: a class of nodes, or a reference to one, becomes another."""
    match document["kind"]:
        case "EC2NodeClass":
            metadata = {"name": document["metadata"]["name"]}
            return {"apiVersion": _API_VERSION, "kind": _KIND, "metadata": metadata, "spec": {}}
        case "NodePool":
            return _referring(document)
        case _:
            return document


def _referring(node_pool: Document) -> Document:
    spec = node_pool["spec"]
    template = spec["template"]
    reference = template["spec"]["nodeClassRef"]
    assert (reference["group"], reference["kind"]) == ("karpenter.k8s.aws", "EC2NodeClass")
    changed = {"group": _API_VERSION.partition("/")[0], "kind": _KIND, "name": reference["name"]}
    of_node = {**template["spec"], "nodeClassRef": changed}
    return {**node_pool, "spec": {**spec, "template": {**template, "spec": of_node}}}
