"""Paths of files in CEL."""


def parts(path: str) -> str:
    """Return CEL for the names between the slashes of a path, without what changes nothing."""
    return f'{path}.split("/").filter(part, part != "" && part != ".")'
