"""Nothing secret is rendered: `dist/` is in git."""

from collections.abc import Iterator, Mapping

from charts_py.objects.document import Document
from charts_py.objects.secret import secret_fault
from charts_py.platform.render_error import RenderError


def check_no_secrets(cluster: str, folders: Mapping[str, tuple[Document, ...]]) -> None:
    """Raise RenderError with a line for each Secret that holds data; folders are by component.

    It checks what is about to be written, so that no patch or construct gets past it.
    """
    found = list(_held_secrets(cluster, folders))
    if found:
        raise RenderError("\n".join(found))


def _held_secrets(cluster: str, folders: Mapping[str, tuple[Document, ...]]) -> Iterator[str]:
    for component, documents in folders.items():
        for document in documents:
            if (fault := secret_fault(document)) is not None:
                yield f"{cluster}: {component}: {fault}"
