"""The annotation by which a pod says which rules have fixed it, in CEL."""

from __future__ import annotations

from gpus.platform_names import FIXED
from policies.annotation import MAX_ANNOTATIONS_SIZE, MOST_BYTES
from policies.in_cel.literal import text
from policies.in_cel.patch import put
from policies.in_cel.pod_fields import ANNOTATIONS

_STATED = f"{ANNOTATIONS}[?{text(FIXED)}].orValue({text('')})"
_OTHERS = (
    f"([0] + {ANNOTATIONS}.filter(name, name != {text(FIXED)})"
    f".map(name, size(bytes(name)) + size(bytes({ANNOTATIONS}[name])))).sum()"
)


def named_in_annotation(rules: str) -> str:
    """Return CEL for the operations that name the rules, after those that are named already."""
    stated = f'{_STATED} == "" ? [] : {_STATED}.split(",")'
    has_room = f"({len(FIXED)} + size(value)) * {MOST_BYTES} + {_OTHERS} <= {MAX_ANNOTATIONS_SIZE}"
    written = put(("metadata", "annotations", FIXED), "value")
    return (
        f"size({rules}) == 0 ? []"
        f' : [(({stated}) + {rules}).distinct().join(",")]'
        f".filter(value, {has_room}).map(value, {written})"
    )
