"""A platform in one file: one Application of Argo CD syncs it, in place of one for each folder."""

from collections.abc import Iterable, Mapping
from typing import Any

from charts_py.cluster_file.gitops import GitOps
from charts_py.objects.document import Document
from charts_py.objects.kube_object import KubeObject
from charts_py.platform.wave import SYNC_OPTIONS, SYNC_WAVE


def add_options(objects: Iterable[KubeObject], options: tuple[str, ...]) -> None:
    """Add sync options to those that objects have of their own."""
    for each in objects if options else ():
        metadata = each.document["metadata"]
        given = metadata.get("annotations", {})
        own = [given[SYNC_OPTIONS]] if SYNC_OPTIONS in given else []
        annotations = {**given, SYNC_OPTIONS: ",".join((*own, *options))}
        each.document = {**each.document, "metadata": {**metadata, "annotations": annotations}}


def without_folders(
    documents: Iterable[Document], gitops: GitOps
) -> tuple[tuple[Document, ...], tuple[Mapping[str, Any], ...]]:
    """Leave out the Applications of folders; return the others, and what the omitted ones ignore.

    Those of charts lose their wave, so that a chart is installed beside what waits for its kinds:
    Argo CD applies all objects of a wave, and starts none after one that has failed.
    https://github.com/argoproj/gitops-engine/blob/5baed56/pkg/sync/sync_context.go (`runTasks`)
    """
    kept: list[Document] = []
    ignored: list[Mapping[str, Any]] = []
    for each in documents:
        if _syncs_folder(each, gitops):
            ignored.extend(each["spec"].get("ignoreDifferences", ()))
        else:
            kept.append(_without_wave(each) if each["kind"] == "Application" else each)
    return tuple(kept), tuple(ignored)


def _syncs_folder(application: Document, gitops: GitOps) -> bool:
    source = application.get("spec", {}).get("source", {})
    return source.get("repoURL") == gitops.repository and "path" in source


def _without_wave(application: Document) -> Document:
    metadata = {**application["metadata"]}
    given = metadata.pop("annotations", {})
    if annotations := {key: value for key, value in given.items() if key != SYNC_WAVE}:
        metadata["annotations"] = annotations
    return {**application, "metadata": metadata}
