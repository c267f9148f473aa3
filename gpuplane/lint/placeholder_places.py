"""Where a manifest has a placeholder in the place of a number or a name."""

import re
from collections.abc import Iterator, Mapping

from charts_py.objects.document import Document
from policies.document import Json, escaped, text

_MAX_LENGTH = 256
"""Of what stands between braces: without a bound, each opening of thousands would be searched for
its end to the end of the value."""

_WRITTEN = (
    rf"\$\w+|\$[{{(]\w[^}})]{{0,{_MAX_LENGTH}}}[}})]",  # of envsubst and make
    rf"\{{\{{[^}}]{{1,{_MAX_LENGTH}}}\}}\}}",  # of Helm and Jinja
    r"<[\w .-]+>|%\w+%|__\w+__|@\w+@",
    r"(?i:(?<!\w)(?:replace|change)[-_]?me(?!\w)|(?<![\w-])your[-_]\w+)",
)
PLACEHOLDER = re.compile("|".join(_WRITTEN))
"""What tools fill in, and what people write for others to fill in."""
_PARAMETER = re.compile(_WRITTEN[1])
"""What Argo fills in itself."""

_NUMBERS = (
    "activeDeadlineSeconds",
    "backoffLimit",
    "completions",
    "containerPort",
    "maxReplicas",
    "minAvailable",
    "minReplicas",
    "numNodes",
    "numProcPerNode",
    "nprocPerNode",
    "parallelism",
    "replicas",
    "size",
    "slotsPerWorker",
    "ttlSecondsAfterFinished",
)
_NAMES = (
    "claimName",
    "image",
    "name",
    "namespace",
    "nodeName",
    "priorityClassName",
    "queue",
    "runtimeClassName",
    "schedulerName",
    "serviceAccountName",
)
_FIELDS = frozenset((*_NUMBERS, *_NAMES))
_HOLDERS = frozenset(("labels", "limits", "matchLabels", "nodeSelector", "requests"))
"""Whose members are numbers or names, each by a name of its own."""
_FREE = frozenset(("annotations", "args", "command", "data", "env", "stringData", "value"))
"""In which a program may fill in what it likes."""


def is_placeholder(value: Json) -> bool:
    """Whether a value, or a part of it, is filled in by somebody."""
    return PLACEHOLDER.search(text(value)) is not None


def placeholders(document: Document) -> Mapping[str, str]:
    """Return the values of fields of an object that have a placeholder, by JSON Pointer.

    Only where a number or a name belongs: what stands in commands, variables and annotations is a
    matter of the program that reads it.
    """
    fills_in = text(document.get("apiVersion")).startswith("argoproj.io/")
    return {
        pointer: value
        for pointer, value in _below(document, "")
        if not (fills_in and _PARAMETER.search(value))
    }


def _below(holder: Json, pointer: str) -> Iterator[tuple[str, str]]:
    if type(holder) is list:
        for index, each in enumerate(holder):
            if type(each) is dict or type(each) is list:
                yield from _below(each, f"{pointer}/{index}")
        return
    of_any_name = pointer.rpartition("/")[2] in _HOLDERS
    for name, each in holder.items():
        if name in _FREE:
            continue
        if type(each) is str:
            if (of_any_name or name in _FIELDS) and is_placeholder(each):
                yield f"{pointer}/{escaped(name)}", each
        elif type(each) is dict or type(each) is list:
            yield from _below(each, f"{pointer}/{escaped(name)}")
