"""Secrets that hold data, which must not be rendered."""

from charts_py.objects.document import Document, key_of


def secret_fault(document: Document) -> str | None:
    """Return what is wrong with an object that is a Secret and holds data; else None.

    Values that are empty are none: a chart can have them, for its controller to fill in.
    """
    key = key_of(document)
    is_secret = (key.group, key.kind) == ("", "Secret")
    held = ((document.get(field) or {}).values() for field in ("data", "stringData"))
    if not is_secret or not any(value for values in held for value in values):
        return None
    return f"{key} holds data, and dist/ is in git; use an ExternalSecret or SealedSecret"
