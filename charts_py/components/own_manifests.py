"""The manifests that a cluster brings itself, rendered like the rest."""

from collections.abc import Iterator

from constructs import Construct

from charts_py.components.component import Component
from charts_py.extensions.manifest_files import Manifest, ManifestFault, read_manifests
from charts_py.objects.document import Document
from charts_py.objects.kube_object import add_document
from charts_py.platform.platform import Platform
from charts_py.platform.render_error import RenderError
from charts_py.platform.wave import Wave


def plan(platform: Platform) -> Iterator[Component]:
    """Yield one component with every object of the cluster's manifests folder, unchanged.

    Only fields that are null are left out, as they would be without a value. A
    CustomResourceDefinition may stand beside objects of its kind: within a wave, Argo CD applies it
    first and waits until it is established. An object that names no namespace gets the component's,
    if its kind has one. Raises RenderError with a line for each document that is wrong.
    """
    folder = platform.cluster.extensions.manifests
    if folder is None:
        return
    found = list(read_manifests(platform.directory / folder))
    faults = [fault for fault in found if isinstance(fault, ManifestFault)]
    if faults:
        raise RenderError("\n".join(f"{platform.name}: {fault}" for fault in faults))
    documents = [manifest.document for manifest in found if isinstance(manifest, Manifest)]
    if documents:
        yield Component(
            name="manifests",
            wave=Wave.EXTENSIONS,
            namespace="default",
            construct=lambda scope: _add(scope, documents),
        )


def _add(scope: Construct, documents: list[Document]) -> None:
    for document in documents:
        add_document(scope, document)
