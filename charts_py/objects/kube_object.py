"""Adding Kubernetes objects to a chart."""

from collections.abc import Iterable, Mapping

from cdk8s import ApiObject, JsonPatch
from constructs import Construct

from charts_py.objects.document import Document
from charts_py.objects.metadata import ObjectMeta, object_of


def add_object(
    scope: Construct, api_version: str, kind: str, metadata: ObjectMeta, body: Mapping[str, object]
) -> ApiObject:
    """Add an object whose fields apart from the metadata are `body`, and return it."""
    return add_document(scope, object_of(api_version, kind, metadata, body))


def add_documents(scope: Construct, documents: Iterable[Document]) -> None:
    """Add objects as they are."""
    for document in documents:
        add_document(scope, document)


def add_document(scope: Construct, document: Document) -> ApiObject:
    """Add an object as it is, without our label, and return it.

    The whole document crosses into cdk8s as one patch: an ApiObject takes no fields of its own,
    and each further crossing costs a millisecond.
    """
    api_version, kind, metadata = document["apiVersion"], document["kind"], document["metadata"]
    parts = (api_version, kind, metadata.get("namespace"), metadata["name"])
    identifier = "-".join(filter(None, parts)).replace("/", "-")
    added = ApiObject(scope, identifier, api_version=api_version, kind=kind)
    added.add_json_patch(JsonPatch.replace("", document))
    return added
