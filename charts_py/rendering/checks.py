"""What is about to be written holds no secret, and is not too large for an API server."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from charts_py.objects.document import Document, key_of, secret_fault
from charts_py.platform.render_error import RenderError

MAX_OBJECT_BYTES = 3 * 2**19
"""1.5 MiB, what etcd takes of one write: `DefaultMaxRequestBytes` in
https://github.com/etcd-io/etcd (server/embed/config.go at v3.7.0)."""
MAX_DATA_BYTES = 2**20
"""1 MiB, the most that the values of a ConfigMap have: `MaxSecretSize` in
https://github.com/kubernetes/kubernetes (pkg/apis/core/types.go at v1.37.1)."""
MAX_EXPRESSION_LENGTH = 100_000
"""Code points of an expression of CEL: `expressionSizeCodePointLimit` in
https://github.com/google/cel-go (parser/parser.go at v0.29.2)."""
_EXPRESSIONS = ("expression", "messageExpression")


def check_no_secrets(cluster: str, folders: Mapping[str, tuple[Document, ...]]) -> None:
    """Raise RenderError with a line for each Secret that holds data; folders are by component.

    No patch or construct gets past it, and `dist/` is in git.
    """
    found = [
        f"{cluster}: {component}: {fault}"
        for component, documents in folders.items()
        for fault in map(secret_fault, documents)
        if fault is not None
    ]
    if found:
        raise RenderError("\n".join(found))


def check_sizes(
    cluster: str, folders: Mapping[str, tuple[Document, ...]], remedies: Mapping[str, str]
) -> None:
    """Raise RenderError with a line for each thing that is too large.

    Folders are by component, as the remedies of those that have one are.
    """
    found = [
        f"{cluster}: {component}: {key_of(document)}: {fault}{_remedy(remedies.get(component))}"
        for component, documents in folders.items()
        for document in documents
        for fault in _faults(document)
    ]
    if found:
        raise RenderError("\n".join(found))


def _faults(document: Document) -> Iterator[str]:
    size = len(json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode())
    if size > MAX_OBJECT_BYTES:
        yield _too_large("it", size, MAX_OBJECT_BYTES, "bytes")
    if (data := _data_size(document)) > MAX_DATA_BYTES:
        yield _too_large("its data", data, MAX_DATA_BYTES, "bytes")
    for path, expression in _expressions(document, ""):
        if len(expression) > MAX_EXPRESSION_LENGTH:
            yield _too_large(path, len(expression), MAX_EXPRESSION_LENGTH, "characters")


def _remedy(remedy: str | None) -> str:
    return f"; {remedy}" if remedy else ""


def _data_size(document: Document) -> int:
    """Return the bytes of the values of a ConfigMap; 0 for anything else."""
    if (document["apiVersion"], document["kind"]) != ("v1", "ConfigMap"):
        return 0
    return sum(len(str(value).encode()) for value in (document.get("data") or {}).values())


def _too_large(what: str, size: int, limit: int, unit: str) -> str:
    return f"{what} has {size:,} {unit}; allowed: at most {limit:,}"


def _expressions(value: Any, path: str) -> Iterator[tuple[str, str]]:
    """Yield each expression of CEL with its path."""
    if isinstance(value, Mapping):
        for key, each in value.items():
            if key in _EXPRESSIONS and isinstance(each, str):
                yield f"{path}.{key}".removeprefix("."), each
            else:
                yield from _expressions(each, f"{path}.{key}")
    elif isinstance(value, (list, tuple)):
        for index, each in enumerate(value):
            yield from _expressions(each, f"{path}[{index}]")
