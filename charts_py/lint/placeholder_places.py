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
    found = dict(_below(document, "", is_wanted=False))
    return {
        pointer: value
        for pointer, value in found.items()
        if not (fills_in and _PARAMETER.search(value))
    }


def _below(value: Json, pointer: str, *, is_wanted: bool) -> Iterator[tuple[str, str]]:
    if type(value) is str:
        if is_wanted and is_placeholder(value):
            yield pointer, value
    elif type(value) is list:
        for index, each in enumerate(value):
            yield from _below(each, f"{pointer}/{index}", is_wanted=False)
    elif type(value) is dict:
        holder = pointer.rpartition("/")[2]
        for name, each in value.items():
            if type(name) is str and name not in _FREE:
                wanted = holder in _HOLDERS or name in _FIELDS
                yield from _below(each, f"{pointer}/{escaped(name)}", is_wanted=wanted)
