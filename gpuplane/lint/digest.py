"""Digests by which the linter knows things again."""

import hashlib


def digest(*parts: str | bytes) -> str:
    """Return a name for exactly these parts, in this order."""
    hashed = hashlib.sha256()
    for part in parts:
        # The name of a file may hold bytes that are no UTF-8.
        content = part.encode(errors="surrogateescape") if isinstance(part, str) else part
        hashed.update(f"{len(content)}:".encode())
        hashed.update(content)
    return hashed.hexdigest()
