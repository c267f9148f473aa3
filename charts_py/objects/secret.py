"""Secrets that hold data, which must not be rendered."""

from charts_py.objects.document import Document, key_of


def secret_fault(document: Document) -> str | None:
    """Return what is wrong with an object that is a Secret and holds data; else None."""
    key = key_of(document)
    is_secret = (key.group, key.kind) == ("", "Secret")
    if not is_secret or not (document.get("data") or document.get("stringData")):
        return None
    return f"{key} holds data, and dist/ is in git; use an ExternalSecret or SealedSecret"
