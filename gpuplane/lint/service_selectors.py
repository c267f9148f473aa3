"""Which pods the Services of a file send requests to."""

from collections.abc import Iterable, Iterator, Mapping

from charts_py.objects.document import Document
from policies.document import Json, members, text
from policies.manifest_pod import objects


def service_selectors(documents: Iterable[Document]) -> tuple[Mapping[str, Json], ...]:
    """Return the labels by which each Service selects its pods."""
    return tuple(_selectors(documents))


def _selectors(documents: Iterable[Document]) -> Iterator[Mapping[str, Json]]:
    for document in documents:
        for _, one in objects(document):
            if (text(one.get("apiVersion")), text(one.get("kind"))) == ("v1", "Service"):
                selector = members(members(one.get("spec")).get("selector"))
                if selector:
                    yield selector


def selects(selector: Mapping[str, Json], labels: Mapping[str, Json]) -> bool:
    """Whether a selector is one of a pod with these labels."""
    return all(labels.get(name) == value for name, value in selector.items())
