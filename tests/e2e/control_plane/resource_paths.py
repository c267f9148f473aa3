"""Where the objects of a kind stand in an API, as the server itself tells."""

from collections.abc import Callable
from dataclasses import dataclass, field
from urllib.parse import quote

from charts_py.objects.document import Document


@dataclass(frozen=True, slots=True)
class _Resource:
    plural: str
    namespaced: bool


@dataclass(frozen=True, slots=True)
class ResourcePaths:
    """Paths of the kinds of one API server, each of which is asked for once."""

    read: Callable[[str], Document]
    """Returns what stands at a path."""
    _known: dict[tuple[str, str], _Resource] = field(default_factory=dict, repr=False)

    def path(
        self,
        api_version: str,
        kind: str,
        namespace: str | None = None,
        name: str | None = None,
        subresource: str = "",
    ) -> str:
        """Return the path of a kind's objects, of an object, or of a part of it.

        Raises KeyError for a kind that the server does not know.
        """
        resource = self._resource(api_version, kind)
        parts = [_root(api_version)]
        if namespace and resource.namespaced:
            parts.append(f"namespaces/{quote(namespace)}")
        parts.append(resource.plural)
        parts += [quote(part) for part in (name, subresource) if part]
        return "/".join(parts)

    def of(self, document: Document, subresource: str = "") -> str:
        """Return the path of the object that a document identifies, or of a part of it."""
        metadata = document["metadata"]
        namespace, name = metadata.get("namespace"), metadata["name"]
        return self.path(document["apiVersion"], document["kind"], namespace, name, subresource)

    def _resource(self, api_version: str, kind: str) -> _Resource:
        # A kind that is not known may have come since, with a CustomResourceDefinition.
        if (api_version, kind) not in self._known:
            for each in self.read(_root(api_version))["resources"]:
                if "/" not in each["name"]:
                    known = _Resource(each["name"], each["namespaced"])
                    self._known[api_version, each["kind"]] = known
        return self._known[api_version, kind]


def _root(api_version: str) -> str:
    return f"/apis/{api_version}" if "/" in api_version else f"/api/{api_version}"
