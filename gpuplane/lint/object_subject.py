"""What findings call an object."""

from charts_py.objects.document import Document
from policies.document import members, shown, text


def object_subject(one: Document) -> str:
    """Return kind and name of an object: `Job train`."""
    metadata = members(one.get("metadata"))
    name = text(metadata.get("name")) or text(metadata.get("generateName"))
    return f"{shown(text(one.get('kind')))} {shown(name)}".rstrip()
