"""The manifests that a cluster brings itself, rendered like the rest."""

from collections.abc import Iterator

from charts_py.cluster_file.cluster_files import repository_folder
from charts_py.cluster_file.fault import Problem, SpecError
from charts_py.components.component import Component
from charts_py.components.definition import Definition
from charts_py.extensions.manifest_files import Manifest, ManifestFault, read_manifests
from charts_py.platform.draft import Draft
from charts_py.platform.platform import Platform
from charts_py.platform.wave import Wave


def check_extensions(draft: Draft) -> Iterator[Problem]:
    manifests = draft.cluster.extensions.manifests
    if manifests is None:
        return
    path, folder = ("extensions", "manifests"), draft.directory / manifests
    if not folder.is_dir():
        yield Problem(path, f"no folder {folder}", "a folder beside the cluster file")
    elif not folder.resolve().is_relative_to(repository_folder(draft.directory)):
        yield Problem(path, f"{folder} is outside of the repository", "a folder in it")


def _parts(platform: Platform) -> Iterator[Component]:
    """Yield one component with every object of the cluster's manifests folder, unchanged.

    Only fields that are null are left out, as they would be without a value. A
    CustomResourceDefinition may stand beside objects of its kind: within a wave, Argo CD applies it
    first and waits until it is established. An object that names no namespace gets the component's,
    if its kind has one. Raises SpecError with every fault of every document.
    """
    folder = platform.cluster.extensions.manifests
    if folder is None:
        return
    repository = repository_folder(platform.directory)
    found = list(read_manifests(platform.directory / folder, repository))
    faults = [fault.fault for fault in found if isinstance(fault, ManifestFault)]
    if faults:
        raise SpecError(faults)
    documents = [manifest.document for manifest in found if isinstance(manifest, Manifest)]
    if documents:
        yield Component(
            name="manifests", wave=Wave.EXTENSIONS, namespace="default", objects=lambda: documents
        )


MANIFESTS = Definition(
    name="manifests",
    description=__doc__,
    appears="where the cluster brings a folder of manifests",
    is_wanted=lambda platform: platform.cluster.extensions.manifests is not None,
    fields=("extensions.manifests", "addons.monitoring.labels"),
    wave=Wave.EXTENSIONS,
    parts=_parts,
    checks=(check_extensions,),
)
