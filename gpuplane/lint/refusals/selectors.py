"""The selector of a workload is one of its own pods.

https://github.com/kubernetes/kubernetes/blob/v1.37.1/pkg/apis/apps/validation/validation.go
"""

from collections.abc import Iterator, Mapping

from charts_py.objects.document import Document
from gpuplane.lint.placeholder_places import is_placeholder
from gpuplane.lint.template_rule import TemplateFinding
from policies.document import Json, elements, members, pointer, shown

SELECTING_KINDS = frozenset({"DaemonSet", "Deployment", "ReplicaSet", "StatefulSet"})
"""Of the group `apps`."""


def wrong_selector(document: Document) -> Iterator[TemplateFinding]:
    """Find a selector that does not select the pods of the template.

    Where there is no selector, or no label, Kustomize often adds it.
    """
    spec = members(document.get("spec"))
    labels = members(members(members(spec.get("template")).get("metadata")).get("labels"))
    selector = members(spec.get("selector"))
    selected = members(selector.get("matchLabels"))
    if selector and not selected and not elements(selector.get("matchExpressions")):
        yield TemplateFinding(
            "/spec/selector",
            "The selector has neither matchLabels nor matchExpressions: the API server refuses it.",
            "Move its labels to spec.selector.matchLabels.",
        )
    for name, value in selected.items() if labels else ():
        if labels.get(name) != value and not _is_filled_in(value, labels.get(name)):
            yield _unmatched(name, value, labels)


def _is_filled_in(*values: Json) -> bool:
    return any(map(is_placeholder, values))


def _unmatched(name: str, value: Json, labels: Mapping[str, Json]) -> TemplateFinding:
    has = f"has {shown(labels[name])} there" if name in labels else "lacks that label"
    return TemplateFinding(
        pointer("spec", "selector", "matchLabels", name),
        f"The selector asks for {shown(name)}: {shown(value)}, but the template {has}: the API "
        "server refuses what does not select its own pods.",
        f"State the same {shown(name)} in spec.template.metadata.labels.",
    )
