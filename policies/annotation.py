"""An annotation that is written on a pod, where the API server has room for it."""

from collections.abc import Iterable

from gpus.platform_names import FIXED
from policies.document import text
from policies.fix import put
from policies.operation import Operation
from policies.pod import Pod

MAX_ANNOTATIONS_SIZE = 256 * 1024
"""Bytes of all names and values; the API server refuses more.
Source: `TotalAnnotationSizeLimitB` in
https://github.com/kubernetes/apimachinery/blob/v0.37.1/pkg/api/validation/objectmeta.go"""
MOST_BYTES = 4
"""Of one character in UTF-8."""


def annotate(pod: Pod, name: str, value: str) -> tuple[Operation, ...]:
    """Return the operation that writes an annotation.

    None where it would be too much for the API server, which would refuse the pod for an annotation
    that its author never wrote.
    """
    if not _has_room(pod, name, value):
        return ()
    return put(pod.document, "", ("metadata", "annotations", name), value)


def _has_room(pod: Pod, name: str, value: str) -> bool:
    added = len(name) + len(value)
    others = {key: text(other) for key, other in pod.annotations.items() if key != name}
    characters = added + sum([len(key) + len(other) for key, other in others.items()])
    if characters * MOST_BYTES <= MAX_ANNOTATIONS_SIZE:
        return True
    encoded = [len(_bytes(key)) + len(_bytes(other)) for key, other in others.items()]
    return added * MOST_BYTES + sum(encoded) <= MAX_ANNOTATIONS_SIZE


def _bytes(part: str) -> bytes:
    return part.encode(errors="surrogatepass")


def name_in_annotation(pod: Pod, rules: Iterable[str]) -> tuple[Operation, ...]:
    """Return the operation that names the rules, after those that are named already.

    None where the pod has no room for it.
    """
    before = text(pod.annotations.get(FIXED))
    names = [*(before.split(",") if before else ()), *rules]
    value = ",".join(dict.fromkeys(names))
    return annotate(pod, FIXED, value)
