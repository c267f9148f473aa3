"""Nothing secret is rendered: `dist/` is in git."""

from collections.abc import Iterator, Mapping

from charts_py.document import Document, key_of
from charts_py.render_error import RenderError


def check_no_secrets(cluster: str, folders: Mapping[str, tuple[Document, ...]]) -> None:
    """Raise RenderError with a line for each Secret that holds data; folders are by component.

    It looks at what is about to be written, so that no patch or construct gets past it.
    """
    found = list(_held_secrets(cluster, folders))
    if found:
        raise RenderError("\n".join(found))


def _held_secrets(cluster: str, folders: Mapping[str, tuple[Document, ...]]) -> Iterator[str]:
    for component, documents in folders.items():
        for document in documents:
            if (fault := secret_fault(document)) is not None:
                yield f"{cluster}: {component}: {fault}"


def secret_fault(document: Document) -> str | None:
    """Return what is wrong with an object that is a Secret and holds data; else None."""
    key = key_of(document)
    is_secret = (key.group, key.kind) == ("", "Secret")
    if not is_secret or not (document.get("data") or document.get("stringData")):
        return None
    return f"{key} holds data, and dist/ is in git; use an ExternalSecret or SealedSecret"
